import { Effect } from "effect"
import type { RepositoryId } from "../../schema/Ids.ts"
import type { RepositoryScores } from "../../schema/Overview.ts"
import type { PageRequest } from "../../schema/Page.ts"
import { Caller } from "../access/Caller.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { type Coverage, changeOf, coverageOf, domains, scoresOf } from "./benchmark.ts"
import { type AuditRow, type Moment, ScoresRepo } from "./ScoresRepo.ts"

/** The scores of repositories, and what they were right after the audit before the newest one. */
export class Scores extends Effect.Service<Scores>()("Scores", {
  effect: Effect.gen(function* () {
    const repo = yield* ScoresRepo
    const repositories = yield* Repositories

    const auditsOf = Effect.fnUntraced(function* (repository_ids: ReadonlyArray<RepositoryId>) {
      const { workspace_id } = yield* Caller
      return grouped(yield* repo.audits({ workspace_id, repository_ids }))
    })

    const previousOf = Effect.fnUntraced(function* (audits: ReadonlyMap<RepositoryId, ReadonlyArray<AuditRow>>) {
      const { workspace_id } = yield* Caller
      const moments = [...audits].flatMap(
        ([repository_id, [, previous]]): ReadonlyArray<Moment> =>
          previous === undefined ? [] : [{ repository_id, at: previous.finished_at }]
      )
      const weights = grouped(moments.length === 0 ? [] : yield* repo.openAt({ workspace_id, moments }))
      return new Map(
        moments.map(({ repository_id }) => [
          repository_id,
          scoresOf(weights.get(repository_id) ?? [], coverageUpTo(audits.get(repository_id)?.slice(1) ?? []))
        ])
      )
    })

    /** What has run on a repository, and its scores right after its previous audit; null where it has no two. */
    const baseline = Effect.fn("Scores.baseline")(function* (repository_id: RepositoryId) {
      const audits = yield* auditsOf([repository_id])
      const previous = yield* previousOf(audits)
      const rows = audits.get(repository_id) ?? []
      return {
        lines: linesOf(rows),
        coverage: coverageUpTo(rows),
        previous: previous.get(repository_id) ?? null
      }
    })

    const list = Effect.fn("Scores.list")(function* (request: PageRequest) {
      const { workspace_id } = yield* Caller
      const page = yield* repositories.list(request, "repository_scores")
      const repository_ids = page.data.map(({ id }) => id)
      const audits = yield* auditsOf(repository_ids)
      const weights = grouped(yield* repo.openNow({ workspace_id, repository_ids }))
      const previous = yield* previousOf(audits)
      const data = page.data.map(({ id, github_org, github_repo, github_base_branch, repo_name }): RepositoryScores => {
        const now = scoresOf(weights.get(id) ?? [], coverageUpTo(audits.get(id) ?? []))
        return {
          github_org,
          github_repo,
          github_base_branch,
          repo_name,
          scores: domains.map((domain) => ({
            domain,
            score: now[domain],
            change: changeOf(now[domain], previous.get(id)?.[domain])
          }))
        }
      })
      return { ...page, data }
    })

    return { baseline, list }
  })
}) {}

const grouped = <Row extends { readonly repository_id: RepositoryId }>(rows: ReadonlyArray<Row>) => {
  const groups = new Map<RepositoryId, Array<Row>>()
  for (const row of rows) {
    const group = groups.get(row.repository_id)
    if (group === undefined) groups.set(row.repository_id, [row])
    else group.push(row)
  }
  return groups
}

/** Of audits, the newest first: the lines that the newest one which counted them has counted. */
const linesOf = (audits: ReadonlyArray<AuditRow>) => audits.find(({ lines }) => lines !== null)?.lines ?? null

/** What the newest audit of each kind has looked at. */
const coverageUpTo = (audits: ReadonlyArray<AuditRow>): Coverage => {
  const newest = audits.filter(
    ({ workflow }, index) => audits.findIndex((other) => other.workflow === workflow) === index
  )
  return coverageOf(
    linesOf(newest),
    newest.map((audit) => audit.domains ?? {})
  )
}
