import { Schema } from "effect"
import { maxPageSize } from "../schema/Page.ts"
import { repositoryPath } from "../schema/Repository.ts"
import { described, integer, optional } from "../schema/Text.ts"

// Arguments that many tools share.

export const pageArgs = (fallback: number) => ({
  limit: optional(described(integer(1, maxPageSize), `Default ${fallback}.`)),
  cursor: optional(Schema.String.annotations({ description: "`next_cursor` of the page before." }))
})

export const repositoryArgs = repositoryPath
