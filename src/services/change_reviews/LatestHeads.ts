import { DateTime, Duration, Effect, Option } from "effect"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { CodeHost } from "../ports/CodeHost.ts"
import { RepositoriesRepo } from "../repositories/RepositoriesRepo.ts"
import { now } from "../support/now.ts"
import { ChangeReviewsRepo, type ReviewRow } from "./ChangeReviewsRepo.ts"

/** A slow remote must not delay a reader more than this. */
const patience = Duration.seconds(3)
/** A remote is not asked again for as long, however many read; a push that a code host reports ends it. */
const freshness = Duration.seconds(15)

/** The newest commits of branches, as remotes report them. */
export class LatestHeads extends Effect.Service<LatestHeads>()("LatestHeads", {
  effect: Effect.gen(function* () {
    const host = yield* CodeHost
    const repositories = yield* RepositoriesRepo
    const repo = yield* ChangeReviewsRepo

    /** By branch name; `None` where the remote does not answer in time. */
    const of = Effect.fn("LatestHeads.of")(function* (at: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
    }) {
      const source = yield* repositories.sourceOf({ workspace_id: at.workspace_id, id: at.repository_id })
      if (Option.isNone(source)) return Option.none()
      const { clone_url, access_mode } = source.value
      const remote = { url: clone_url, access: { ...at, access_mode } }
      const heads = yield* host.inspect(remote).pipe(Effect.timeout(patience), Effect.option)
      return Option.map(heads, (found) => found.heads)
    })

    /** Asks for these branches, whenever they were asked for. */
    const ask = Effect.fn("LatestHeads.ask")(function* (workspace_id: WorkspaceId, branches: ReviewRow["branches"]) {
      const at = yield* now
      yield* Effect.forEach(
        new Set(branches.map(({ repository_id }) => repository_id)),
        (repository_id) =>
          Effect.flatMap(of({ workspace_id, repository_id }), (heads) =>
            Effect.forEach(
              branches.filter((one) => one.repository_id === repository_id),
              ({ id, branch }) =>
                repo.recordLatest({
                  workspace_id,
                  id,
                  latest_sha: Option.getOrNull(Option.flatMapNullable(heads, (known) => known.get(branch))),
                  at
                })
            )
          ),
        { concurrency: 10, discard: true }
      )
    })

    /** Asks for what was not asked for a moment ago. Returns whether anything was asked. */
    const refresh = Effect.fn("LatestHeads.refresh")(function* (
      workspace_id: WorkspaceId,
      { branches }: Pick<ReviewRow, "branches">
    ) {
      const since = DateTime.formatIso(DateTime.subtractDuration(yield* DateTime.now, freshness))
      const old = branches.filter(({ checked_at }) => checked_at === null || checked_at < since)
      yield* ask(workspace_id, old)
      return old.length > 0
    })

    return { of, ask, refresh }
  })
}) {}
