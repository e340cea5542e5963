import { Statement } from "@effect/sql"
import { identity } from "effect"

/** A value as a jsonb parameter. The client's own `sql.json` breaks on arrays and strings. */
export const jsonb = (value: unknown): Statement.Fragment => ({
  [Statement.FragmentId]: identity,
  segments: [
    { _tag: "Parameter", value: JSON.stringify(value) },
    { _tag: "Literal", value: "::jsonb" }
  ]
})
