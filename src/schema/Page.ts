import { Option, Schema, SchemaAST } from "effect"
import { field, integerQuery, nullable, optional } from "./Text.ts"

export const maxPageSize = 200
export const defaultPageSize = 50

/** Query of a list: page size and the cursor of the page before. */
export const pageQuery = {
  limit: optional(integerQuery(1, maxPageSize), `Items per page, at most ${maxPageSize}.`),
  cursor: optional(Schema.String, "`next_cursor` of the previous page, verbatim, with the same filters.")
}

/** Arguments of a list tool. */
export interface PageRequest {
  readonly limit?: number
  readonly cursor?: string
}

export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly next_cursor: string | null
  readonly has_more: boolean
}

/** Where a list goes on. */
export const pageEnd = {
  next_cursor: nullable(Schema.String, "Pass back verbatim as `cursor` with the same filters; null on the last page."),
  has_more: field(Schema.Boolean, "Whether there is another page.")
}

export const page = <A, I, R>(identifier: string, item: Schema.Schema<A, I, R>) =>
  Schema.Struct({
    data: field(Schema.Array(item), "Items of this page."),
    ...pageEnd
  }).annotations({ identifier, ...examplesOf(item) })

const examplesOf = <A, I, R>({ ast }: Schema.Schema<A, I, R>) => {
  // The annotation's own type knows no items.
  const [example] = Option.getOrElse(SchemaAST.getExamplesAnnotation(ast), () => []) as ReadonlyArray<A>
  return example === undefined ? {} : { examples: [{ data: [example], next_cursor: null, has_more: false }] as const }
}
