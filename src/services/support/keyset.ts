import { Statement } from "@effect/sql"
import { identity } from "effect"

/** The sort key of the last row of a page. */
export type Position = ReadonlyArray<string | number | null>

/** The order of a list: one definition for its rows, its cursors and the condition of the next page. */
export interface Keyset {
  /** For ORDER BY. */
  readonly by: Statement.Fragment
  /** A row's position, as a JSON array. */
  readonly position: Statement.Fragment
  /** Whether a row comes after a position; every row comes after none. */
  readonly after: (position: Position | null) => Statement.Fragment
}

/**
 * `columns` are expressions with their types, which together identify a row. All have one direction, so that an index
 * serves the comparison: what runs the other way is negated.
 */
export const keyset = (direction: "ASC" | "DESC", columns: Readonly<Record<string, string>>): Keyset => {
  const expressions = Object.keys(columns)
  const types = Object.values(columns)
  const list = expressions.join(", ")
  const operator = direction === "ASC" ? ">" : "<"
  return {
    by: fragment(literal(expressions.map((expression) => `${expression} ${direction}`).join(", "))),
    position: fragment(literal(`jsonb_build_array(${list})`)),
    after: (position) =>
      position === null
        ? fragment(literal("TRUE"))
        : fragment(
            literal(`(${list}) ${operator} (`),
            ...types.flatMap(
              (type, index): ReadonlyArray<Statement.Segment> => [
                { _tag: "Parameter", value: position[index] ?? null },
                literal(`::${type}${index === types.length - 1 ? ")" : ", "}`)
              ]
            )
          )
  }
}

const literal = (value: string): Statement.Literal => ({ _tag: "Literal", value })

const fragment = (...segments: ReadonlyArray<Statement.Segment>): Statement.Fragment => ({
  [Statement.FragmentId]: identity,
  segments
})
