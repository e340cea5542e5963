import { Schema } from "effect"
import { maxPageSize, pageQuery } from "../schema/Page.ts"
import { repositoryPath } from "../schema/Repository.ts"
import { field, integer, optional } from "../schema/Text.ts"

// Arguments that many tools share.

/** Pages are smaller than those of the REST API: a model reads all of them. */
export const pageArgs = (fallback: number) => ({
  limit: optional(integer(1, maxPageSize), `Items per page; default ${fallback}.`),
  cursor: pageQuery.cursor
})

export const repositoryArgs = {
  ...repositoryPath,
  github_base_branch: field(Schema.String, "Registered branch.")
}
