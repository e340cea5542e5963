import { Reader, type Statement, sqlStatements } from "../../languages/formats/sql.ts"
import { isMoney, moneyMessage } from "./money.ts"
import type { Report } from "./Risk.ts"
import type { RuleId } from "./rules.ts"

export type Dialect = "postgres" | "mysql" | "unknown"

const postgresWords =
  /\b(?:BIGSERIAL|SERIAL|JSONB|TIMESTAMPTZ|BYTEA|plpgsql|gen_random_uuid|CONCURRENTLY|CREATE EXTENSION|CREATE TYPE|NOT VALID)\b|\bTEXT\[\]|\bUSING (?:gin|gist|btree|brin)\b|::(?:text|int|jsonb?|uuid|regclass)\b|\bpg_\w+|postgres/i
const mysqlWords = /\bENGINE\s*=|\bAUTO_INCREMENT\b|`\w+`|\bUNSIGNED\b|mysql|mariadb/i

export const dialectOf = (path: string, text: string): Dialect => {
  if (mysqlWords.test(path) || /\bsqlite\b|mssql|sqlserver|oracle/i.test(path)) return "mysql"
  if (/postgres|(?:^|\/)pg\//i.test(path)) return "postgres"
  if (mysqlWords.test(text)) return "mysql"
  return postgresWords.test(text) ? "postgres" : "unknown"
}

interface Context {
  readonly dialect: Dialect
  /** Tables made by the same migration: no one has rows in them. */
  readonly made: Set<string>
  readonly report: Report
  readonly statement: Statement
}

const passing = /temp|tmp|cache|session|queue|backup|_old$|^old_|_new$|^new_|log$|logs$|lock/i
const floats = /^(?:FLOAT|FLOAT4|FLOAT8|REAL|DOUBLE)$/

const reportRisk = ({ report, statement }: Context, rule: RuleId, message: string, onlyPostgres = false): void =>
  report({ rule, start: statement.start, end: statement.end, message, onlyPostgres })

const wordsOf = (clause: ReadonlyArray<{ readonly upper: string; readonly kind: string }>): string =>
  clause.map(({ upper, kind }) => (kind === "string" ? "''" : upper)).join(" ")

const inspectColumn = (context: Context, name: string, words: string): void => {
  const type = words.split(" ", 1)[0] ?? ""
  if (floats.test(type) && isMoney(name)) reportRisk(context, "float_for_money", moneyMessage(name, type.toLowerCase()))
}

const addedColumn = (context: Context, table: string, read: Reader): void => {
  read.take("IF", "NOT", "EXISTS")
  const name = read.name()
  const words = wordsOf(read.clause())
  inspectColumn(context, name, words)
  const isFilled = /\bDEFAULT\b|\bGENERATED\b|\bIDENTITY\b|SERIAL|AUTO_INCREMENT|\bAS \(/.test(words)
  if (!/\bNOT NULL\b/.test(words) || isFilled || context.dialect === "mysql") return
  reportRisk(
    context,
    "not_null_without_default",
    `\`${name}\` may not be null and has no default, so adding it fails as soon as \`${table}\` has rows.`
  )
}

const addedConstraint = (context: Context, table: string, read: Reader): void => {
  const words = wordsOf(read.clause())
  if (context.dialect !== "postgres" || !/\b(?:FOREIGN KEY|CHECK)\b/.test(words) || /\bNOT VALID\b/.test(words)) return
  const what = words.includes("FOREIGN KEY") ? "foreign key" : "check"
  reportRisk(
    context,
    "constraint_scans_table",
    `The ${what} is tested against every row of \`${table}\` while writing to it is blocked.`
  )
}

const widening = /\bTYPE (?:TEXT|VARCHAR|CHARACTER VARYING|CITEXT|BIGINT|NUMERIC)\b/

const alteredColumn = (context: Context, table: string, read: Reader): void => {
  const name = read.name()
  const words = wordsOf(read.clause())
  if (
    !/^(?:SET DATA )?TYPE\b/.test(words) ||
    (widening.test(words) && !words.includes("USING") && !words.includes("BIGINT"))
  )
    return
  reportRisk(context, "changes_type", `The type of \`${table}.${name}\` changes in place, for all rows at once.`)
}

const droppedPart = (context: Context, table: string, read: Reader): void => {
  const isConstraint = /^(?:CONSTRAINT|INDEX|KEY|PRIMARY|FOREIGN|CHECK|DEFAULT|PARTITION|NOT)$/.test(read.peek())
  if (isConstraint || passing.test(table)) return void read.clause()
  read.take("COLUMN")
  read.take("IF", "EXISTS")
  const name = read.name()
  read.clause()
  if (name !== "")
    reportRisk(
      context,
      "drops_data",
      `\`${table}.${name}\` is dropped with what is in it, while code that uses it may still run.`
    )
}

const renamedPart = (context: Context, table: string, read: Reader): void => {
  if (/^(?:CONSTRAINT|INDEX|KEY)$/.test(read.peek()) || passing.test(table)) return void read.clause()
  if (read.take("TO") || read.take("AS")) {
    const to = read.name()
    if (!passing.test(to) && !context.made.has(to))
      reportRisk(context, "renames_in_place", `\`${table}\` becomes \`${to}\` under the code that is running.`)
    return
  }
  read.take("COLUMN")
  const from = read.name()
  read.take("TO")
  const to = read.name()
  if (to !== "")
    reportRisk(context, "renames_in_place", `\`${table}.${from}\` becomes \`${to}\` under the code that is running.`)
  read.clause()
}

const copies =
  /\b(?:INSERT INTO [\s\S]{0,1000}?\bSELECT\b|\bUPDATE\s+(?:ONLY\s+)?["`\w.]+(?:\s+(?:AS\s+)?\w+)?\s+SET\s+["`\w.]+\s*=\s*(?!(?:NULL|TRUE|FALSE|DEFAULT|NOW)\b)[A-Za-z_("`]|\bCREATE (?:TEMP(?:ORARY)? )?TABLE [\s\S]{0,200}?\bAS\b[\s\S]{0,20}?\bSELECT\b|\bMERGE INTO\b)/i

/** Where a migration first copies data; what it drops after that is kept in another form. Its length without a copy. */
export const firstCopy = (text: string): number => copies.exec(text)?.index ?? text.length

const inspectAlter = (context: Context, read: Reader): void => {
  read.take("IF", "EXISTS")
  read.take("ONLY")
  const table = read.name()
  if (table === "" || context.made.has(table)) return
  while (!read.done) {
    if (read.take("ADD")) {
      if (/^(?:CONSTRAINT|FOREIGN|CHECK)$/.test(read.peek())) addedConstraint(context, table, read)
      else if (/^(?:PRIMARY|UNIQUE|INDEX|KEY|FULLTEXT|SPATIAL|PARTITION|\()$/.test(read.peek())) read.clause()
      else {
        read.take("COLUMN")
        addedColumn(context, table, read)
      }
    } else if (read.take("ALTER")) {
      read.take("COLUMN")
      alteredColumn(context, table, read)
    } else if (read.take("DROP")) droppedPart(context, table, read)
    else if (read.take("RENAME")) renamedPart(context, table, read)
    else read.clause()
    // Past the comma, or past whatever stands in its place.
    if (!read.done) read.at++
  }
}

const inspectIndex = (context: Context, read: Reader): void => {
  if (read.take("CONCURRENTLY")) return
  read.take("IF", "NOT", "EXISTS")
  if (read.peek() !== "ON") read.name()
  if (!read.take("ON")) return
  read.take("ONLY")
  const table = read.name()
  if (context.dialect !== "postgres" || table === "" || context.made.has(table)) return
  reportRisk(
    context,
    "index_locks_table",
    `Writing to \`${table}\` is blocked until this index is built; it is not built CONCURRENTLY.`
  )
}

const inspectCreate = (context: Context, read: Reader): void => {
  read.take("OR", "REPLACE")
  while (/^(?:UNIQUE|TEMP|TEMPORARY|UNLOGGED|GLOBAL|LOCAL|FULLTEXT|VIRTUAL|EXTERNAL|MATERIALIZED)$/.test(read.peek()))
    read.at++
  if (read.take("INDEX")) return inspectIndex(context, read)
  if (!read.take("TABLE") && !read.take("VIEW")) return
  read.take("IF", "NOT", "EXISTS")
  context.made.add(read.name())
  if (!read.take("(")) return
  while (!read.done && read.peek() !== ")") {
    const name = read.name()
    inspectColumn(context, name, wordsOf(read.clause()))
    read.at++
  }
}

const inspectDrop = (context: Context, read: Reader): void => {
  if (!read.take("TABLE")) return
  read.take("IF", "EXISTS")
  const table = read.name()
  if (table === "" || passing.test(table) || context.made.has(table)) return
  reportRisk(
    context,
    "drops_data",
    `The table \`${table}\` is dropped with what is in it, while code that uses it may still run.`
  )
}

const inspectDeletion = (context: Context, read: Reader): void => {
  const isTruncate = read.take("TRUNCATE")
  if (isTruncate) read.take("TABLE")
  else if (!read.take("DELETE", "FROM")) return
  read.take("ONLY")
  const table = read.name()
  if (table === "" || passing.test(table) || context.made.has(table)) return
  if (!isTruncate && /\b(?:WHERE|USING|JOIN|LIMIT)\b/.test(wordsOf(context.statement.tokens))) return
  reportRisk(context, "deletes_all_rows", `Every row of \`${table}\` is deleted, in every installation this runs on.`)
}

/** Tables a migration makes count from its beginning on: those it copies, drops and renames are its own. */
const tablesMade = (statements: ReadonlyArray<Statement>): Set<string> => {
  const made = new Set<string>()
  for (const { tokens } of statements) {
    const read = new Reader(tokens)
    if (!read.take("CREATE")) continue
    while (/^(?:TEMP|TEMPORARY|UNLOGGED|GLOBAL|LOCAL)$/.test(read.peek())) read.at++
    if (!read.take("TABLE")) continue
    read.take("IF", "NOT", "EXISTS")
    made.add(read.name())
  }
  return made
}

/** Back-out sections of tools that keep both directions in one file. */
const undoing = /^[ \t]*--[ \t]*(?:\+goose Down|migrate:down|\+migrate Down|@UNDO|rollback)\b/im

export const inspectSql = (text: string, dialect: Dialect, report: Report): void => {
  const cut = undoing.exec(text)?.index
  const statements = sqlStatements(cut === undefined ? text : text.slice(0, cut))
  const made = tablesMade(statements)
  const copied = firstCopy(text)
  for (const statement of statements) {
    const context: Context = {
      dialect,
      made,
      report: (risk) => {
        if (risk.rule !== "drops_data" || statement.start < copied) report(risk)
      },
      statement
    }
    const read = new Reader(statement.tokens)
    if (read.take("ALTER", "TABLE")) inspectAlter(context, read)
    else if (read.take("CREATE")) inspectCreate(context, read)
    else if (read.take("DROP")) inspectDrop(context, read)
    else inspectDeletion(context, read)
  }
}
