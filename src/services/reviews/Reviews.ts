import { Effect } from "effect"
import type { Job } from "../../schema/Job.ts"
import type { PageRequest } from "../../schema/Page.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import type { Review } from "../../schema/Review.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { Submissions } from "../jobs/Submissions.ts"

/** What a review is requested of: exactly one of them. */
export type Reviewable = { readonly branch: string } | { readonly pull_request: number }

/** Reviews of what is to be merged into a repository's branch. */
export class Reviews extends Effect.Service<Reviews>()("Reviews", {
  effect: Effect.gen(function* () {
    const jobs = yield* Jobs
    const submissions = yield* Submissions

    const request = Effect.fn("Reviews.request")(function* (path: RepositoryPath, params: Reviewable) {
      return (yield* submissions.submit({ path, workflow: "review", params })).job
    })

    const list = Effect.fn("Reviews.list")(function* (path: RepositoryPath, page: PageRequest) {
      const found = yield* jobs.listOfRepository({ path, workflow: "review", ...page })
      return { ...found, data: found.data.map(reviewOf) }
    })

    return { request, list }
  })
}) {}

const reviewOf = ({ id, status, params, result, created_at, finished_at, error }: Job): Review => {
  const values = { ...params, ...result }
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : null)
  const count = (name: string) => (typeof values[name] === "number" ? values[name] : null)
  return {
    job_id: id,
    status,
    pull_request: count("pull_request"),
    branch: text("branch"),
    commit: text("commit"),
    base_sha: text("base_sha"),
    head_sha: text("head_sha"),
    introduced_count: count("introduced_count"),
    resolved_count: count("resolved_count"),
    comments_count: count("comments_count"),
    created_at,
    finished_at,
    error
  }
}
