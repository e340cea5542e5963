import { Effect, Option } from "effect"
import type { KeyId, RepositoryId, UserId } from "../../schema/Ids.ts"
import type { Issue } from "../../schema/Issue.ts"
import { MemberNotFound } from "../../schema/Project.ts"
import { Caller } from "../access/Caller.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { IssueFilingRepo } from "./IssueFilingRepo.ts"

/** Who is to do an issue: a person, a key or no one. */
export interface Assignee {
  readonly assignee_user_id: UserId | null
  readonly assignee_key_id: KeyId | null
}

/** With the name that events show. */
export interface NamedAssignee extends Assignee {
  readonly shown: string | null
}

const noOne: NamedAssignee = { assignee_user_id: null, assignee_key_id: null, shown: null }

/** What requests name by words: people and repositories. */
export class IssueNames extends Effect.Service<IssueNames>()("IssueNames", {
  effect: Effect.gen(function* () {
    const repo = yield* IssueFilingRepo
    const repositories = yield* Repositories

    /** `me` is the caller: the key itself, or the person who is signed in. */
    const assignee = Effect.fn("IssueNames.assignee")(function* (name: string | null) {
      const { workspace_id, credential, actor } = yield* Caller
      if (name === null) return noOne
      if (name === "me") {
        return credential.kind === "api_key"
          ? { ...noOne, assignee_key_id: credential.id, shown: shownKey(credential) }
          : { ...noOne, assignee_user_id: credential.user_id, shown: actor.label }
      }
      const found = yield* repo.memberByEmail({ workspace_id, email: name })
      if (Option.isNone(found)) {
        return yield* new MemberNotFound({ message: `${name} is not a member of this workspace.`, param: "assignee" })
      }
      return { ...noOne, assignee_user_id: found.value, shown: name.toLowerCase() }
    })

    /** IDs of repositories by their slugs, each once and in order. */
    const repositoryIds = Effect.fn("IssueNames.repositoryIds")(function* (slugs: ReadonlyArray<string>) {
      return inOrder(yield* Effect.forEach(slugs, (slug, index) => repositories.resolveSlug(slug, `repos.${index}`)))
    })

    return { assignee, repositoryIds, repositoryId: repositories.resolveSlug }
  })
}) {}

const shownKey = ({ name, prefix }: { readonly name: string; readonly prefix: string }) => `${name} (${prefix})`

/** Who is to do an issue, as its events show it. */
export const shownAssignee = ({ assignee }: Issue): string | null =>
  assignee === null ? null : assignee.api_key === null ? assignee.email : shownKey(assignee.api_key)

export const inOrder = (ids: Iterable<RepositoryId>): ReadonlyArray<RepositoryId> => [...new Set(ids)].sort()
