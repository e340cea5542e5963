import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import { InvalidPayload } from "../schema/Errors.ts"
import type { Repositories } from "../services/repositories/Repositories.ts"
import { unstorableText } from "../services/support/storable.ts"
import { repositoryArgs } from "./args.ts"
import type { Params } from "./JsonRpc.ts"

// Every tool of a registered repository takes its slug in one argument, instead of owner, name and branch in three.

type InputSchema = ListedTool["inputSchema"]

const maxSlug = 400

/** The slug, or the three parts: an alternative that schemas without unions cannot state. */
export const withSlug = ({ properties, required = [], ...schema }: InputSchema): InputSchema => ({
  ...schema,
  properties: {
    repository: {
      type: "string",
      maxLength: maxSlug,
      description: "`owner/repo@branch` or `repo@branch`, instead of github_org, github_repo and github_base_branch."
    },
    ...properties
  },
  required: required.filter((name) => !Object.hasOwn(repositoryArgs, name))
})

/** The arguments with the three parts of a repository that they name by its slug. */
export const withRepositoryPath = (
  repositories: Repositories,
  { namesRepository }: { readonly namesRepository: boolean },
  args: Params
) => {
  if (!namesRepository) return Effect.succeed(args)
  const { repository, ...others } = args
  if (repository === undefined || repository === null) return Effect.succeed(others)
  if (typeof repository !== "string") return Effect.fail(invalid("must be a string"))
  if (repository.length > maxSlug) return Effect.fail(invalid(`must have at most ${maxSlug} characters`))
  const parts = Object.keys(repositoryArgs)
  if (parts.some((part) => Object.hasOwn(others, part))) {
    return Effect.fail(invalid(`must not be sent beside ${parts.join(", ")}`))
  }
  const problem = unstorableText({ repository })
  if (problem !== undefined) return Effect.fail(problem)
  return Effect.map(repositories.pathOfSlug(repository, "repository"), (path): Params => ({ ...others, ...path }))
}

const invalid = (msg: string) =>
  new InvalidPayload({
    message: `repository: ${msg}`,
    param: "repository",
    errors: [{ loc: ["repository"], msg, type: "value_error" }]
  })
