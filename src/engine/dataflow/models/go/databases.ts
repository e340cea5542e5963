import { SQL } from "../../values/Value.ts"
import { QUERY } from "../labels.ts"
import type { Model } from "../Model.ts"

const at = (pattern: string): RegExp => new RegExp(`^${pattern}$`)
/** What a prepared statement is run with are values, which the driver binds. */
const unprepared = "\\b(?!.*\\.Prepare\\w*\\(\\))"
const goClients =
  "(?:database\\/sql|github\\.com\\/jmoiron\\/sqlx|github\\.com\\/jackc\\/pgx(?:\\/v\\d)?(?:\\/pgxpool)?|gorm\\.io\\/gorm|github\\.com\\/jinzhu\\/gorm|github\\.com\\/go-xorm\\/xorm|xorm\\.io\\/xorm)"

export const databases: Model = {
  name: "databases",
  sinks: [
    {
      kind: SQL,
      label: QUERY,
      path: at(
        `${goClients}${unprepared}.*\\.(?:Query|QueryRow|Exec|Prepare|Queryx|QueryRowx|MustExec|NamedExec|NamedQuery|Raw|SQL)`
      ),
      args: [0]
    },
    {
      kind: SQL,
      label: QUERY,
      path: at(
        `${goClients}${unprepared}.*\\.(?:QueryContext|QueryRowContext|ExecContext|PrepareContext|QueryxContext|QueryRowxContext|MustExecContext|NamedExecContext|Get|Select|GetContext|SelectContext|Query|QueryRow|Exec)`
      ),
      args: [1, 2],
      needsText: true
    },
    {
      kind: SQL,
      label: QUERY,
      path: /(?:^|\.)(?:Query|QueryRow|Exec|Prepare|Raw|MustExec|Queryx|QueryRowx|QueryContext|QueryRowContext|ExecContext|PrepareContext|Get|Select)$/,
      args: [0, 1],
      needsText: true
    },
    {
      kind: SQL,
      label: QUERY,
      path: at(`(?:gorm\\.io\\/gorm|github\\.com\\/jinzhu\\/gorm)\\b.*\\.(?:Where|Order|Having|Joins|Group|Or|Not)`),
      args: [0],
      when: ({ count }) => count === 1
    }
  ]
}
