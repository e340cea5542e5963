import { Effect, Option } from "effect"
import { ChangeReviewInvalid, type StartChangeReview } from "../../schema/ChangeReview.ts"
import type { RepositoryId } from "../../schema/Ids.ts"
import { fullSlugOf, type Repository } from "../../schema/Repository.ts"
import { Uuid } from "../../schema/Text.ts"
import { Caller } from "../access/Caller.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { newId } from "../support/ids.ts"
import type { NewBranch } from "./ChangeReviewsRepo.ts"
import { LatestHeads } from "./LatestHeads.ts"

export type ChosenBranch = NewBranch

/** The branches that a review is started from. */
export class ChangeBranches extends Effect.Service<ChangeBranches>()("ChangeBranches", {
  effect: Effect.gen(function* () {
    const repositories = yield* Repositories
    const heads = yield* LatestHeads

    const registered = Effect.fnUntraced(function* (slug: string) {
      return yield* repositories.find(yield* repositories.pathOfSlug(slug, "branches"))
    })

    /** What each remote reports; `None` where it does not answer in time. */
    const headsOf = Effect.fnUntraced(function* (ids: Iterable<RepositoryId>) {
      const { workspace_id } = yield* Caller
      const asked = yield* Effect.forEach(
        new Set(ids),
        (repository_id) =>
          Effect.map(heads.of({ workspace_id, repository_id }), (answer) => [repository_id, answer] as const),
        { concurrency: 10 }
      )
      return new Map(asked)
    })

    /**
     * Each on a registered branch that the caller sees, and pushed: a remote that does not answer in time is asked again by
     * the job.
     */
    const choose = Effect.fn("ChangeBranches.choose")(function* (request: StartChangeReview["branches"]) {
      const named = yield* Effect.forEach(request, ({ repository, branch }) =>
        Effect.map(registered(repository), (found) => ({ repository: found, branch }))
      )
      const known = yield* headsOf(named.map(({ repository }) => repository.id))
      return yield* Effect.forEach(named, (one, index) =>
        Effect.gen(function* () {
          const { repository, branch } = one
          const answer = known.get(repository.id) ?? Option.none()
          const latest_sha = Option.getOrNull(Option.flatMapNullable(answer, (of) => of.get(branch)))
          const isUnpushed = Option.isSome(answer) && latest_sha === null
          const problem = isUnpushed ? unpushed(one) : problemOf(one, named.slice(0, index))
          if (problem !== null) {
            return yield* new ChangeReviewInvalid({ message: problem, param: `branches.${index}.branch` })
          }
          return { id: yield* newId(Uuid), repository_id: repository.id, branch, latest_sha } satisfies ChosenBranch
        })
      )
    })

    return { choose }
  })
}) {}

interface NamedBranch {
  readonly repository: Repository
  readonly branch: string
}

const unpushed = ({ repository, branch }: NamedBranch): string =>
  `${fullSlugOf(repository)} has no pushed branch ${branch}; push it first.`

const problemOf = ({ repository, branch }: NamedBranch, others: ReadonlyArray<NamedBranch>): string | null => {
  if (branch === repository.github_base_branch) {
    return `${branch} is the branch that changes are compared with; name the one with the change.`
  }
  return others.some((other) => other.repository.id === repository.id && other.branch === branch)
    ? `The branch ${branch} of ${fullSlugOf(repository)} is named twice.`
    : null
}
