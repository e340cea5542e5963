import { Schema } from "effect"
import { integerQuery } from "./Text.ts"

export const maxPageSize = 200
export const defaultPageSize = 50

/** Query of a list: page size and the cursor of the page before. */
export const pageQuery = {
  limit: Schema.optionalWith(integerQuery(1, maxPageSize), { exact: true }),
  cursor: Schema.optionalWith(Schema.String, { exact: true })
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

export const page = <A, I, R>(identifier: string, item: Schema.Schema<A, I, R>) =>
  Schema.Struct({
    data: Schema.Array(item),
    next_cursor: Schema.NullOr(Schema.String).annotations({
      description: "Pass back verbatim as `cursor` with the same filters; null on the last page."
    }),
    has_more: Schema.Boolean
  }).annotations({ identifier })
