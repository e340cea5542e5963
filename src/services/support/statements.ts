import { Statement } from "@effect/sql"
import { identity } from "effect"

// JSON.stringify writes what PostgreSQL does not hold as escapes; an even number of backslashes before one belongs to the text.
const unstorableEscape = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g

/**
 * A value as a jsonb parameter; null is the column's NULL. NUL and halves of surrogate pairs become U+FFFD: jsonb holds
 * neither. The client's own `sql.json` breaks on arrays and strings.
 */
export const jsonb = (value: unknown): Statement.Fragment => ({
  [Statement.FragmentId]: identity,
  segments: [
    {
      _tag: "Parameter",
      value: value === null ? null : JSON.stringify(value).replace(unstorableEscape, "$1\ufffd")
    },
    { _tag: "Literal", value: "::jsonb" }
  ]
})

/** A `timestamptz(3)` as the wire has it, for rows that the database prints. */
export const printedInstant = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
