import { DateTime, Effect } from "effect"
import { startOf } from "../../schema/characters.ts"
import { failureKinds } from "../../schema/Job.ts"
import type { Scope } from "../../schema/Key.ts"
import { type TodoItem, type TodoList, todoKinds } from "../../schema/Overview.ts"
import { Caller, holds } from "../access/Caller.ts"
import { Projects } from "../projects/Projects.ts"
import { type FailedJob, type GraveObservation, type OpenFixPr, type Proposal, TodoRepo } from "./TodoRepo.ts"

const perKind = 10

/** What each kind shows is read with its own permission, too: a list of everything is no way around scopes. */
const needed: Readonly<Record<TodoItem["kind"], Scope>> = {
  observation: "view_observations",
  failed_job: "view_jobs",
  context_entry: "view_context",
  fix_pr: "view_repositories"
}

/** What a person should look at next. */
export class Todo extends Effect.Service<Todo>()("Todo", {
  effect: Effect.gen(function* () {
    const repo = yield* TodoRepo
    const projects = yield* Projects

    const list = Effect.fn("Todo.list")(function* () {
      const { workspace_id, permissions } = yield* Caller
      const request = { workspace_id, limit: perKind }
      const since = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { days: 7 }))
      const allowed = <A>(kind: TodoItem["kind"], rows: Effect.Effect<ReadonlyArray<A>>) =>
        holds(permissions, needed[kind]) ? rows : Effect.succeed([])
      const observations = yield* allowed("observation", repo.graveObservations(request))
      const jobs = yield* allowed("failed_job", repo.failedJobs({ ...request, since }))
      const hiddenLevels = yield* projects.hiddenLevels()
      const proposals = yield* allowed("context_entry", repo.proposals({ ...request, hiddenLevels }))
      const fixPrs = yield* allowed("fix_pr", repo.openFixPrs(request))
      return {
        items: [
          ...observations.filter(({ priority }) => priority === "P0").map(observationItem),
          ...fixPrs.map(fixPrItem),
          ...jobs.map(jobItem),
          ...observations.filter(({ priority }) => priority !== "P0").map(observationItem),
          ...proposals.map(proposalItem)
        ],
        totals: {
          observation: observations[0]?.total ?? 0,
          failed_job: jobs[0]?.total ?? 0,
          context_entry: proposals[0]?.total ?? 0,
          fix_pr: fixPrs[0]?.total ?? 0
        },
        not_shown: todoKinds.map((kind) => needed[kind]).filter((scope) => !holds(permissions, scope))
      } satisfies TodoList
    })

    return { list }
  })
}) {}

const nothing = { repo_name: null, ref: null, job_id: null, context_key: null, project: null, url: null }

const observationItem = (row: GraveObservation): TodoItem => ({
  ...nothing,
  kind: "observation",
  title: row.title,
  why: `An open ${row.kind} of priority ${row.priority} in ${row.file_path}${row.easy_win === 1 ? "; quick and safe to fix" : ""}.`,
  repo_name: row.repo_name,
  ref: row.ref,
  at: row.at
})

const fixPrItem = (row: OpenFixPr): TodoItem => ({
  ...nothing,
  kind: "fix_pr",
  title: row.title,
  why:
    row.status === "needs_attention"
      ? "Its fix pull request needs attention."
      : "Its fix pull request waits for a review.",
  repo_name: row.repo_name,
  ref: row.ref,
  url: row.url,
  at: row.at
})

const jobItem = (row: FailedJob): TodoItem => ({
  ...nothing,
  kind: "failed_job",
  title: `${row.workflow} failed: ${startOf(row.error ?? row.failure_kind ?? "no reason was given", 300)}`,
  why:
    row.failure_kind !== null && failureKinds[row.failure_kind]
      ? "Running it again may help."
      : "Something must change before running it again helps.",
  repo_name: row.repo_name,
  job_id: row.job_id,
  at: row.at
})

const proposalItem = (row: Proposal): TodoItem => ({
  ...nothing,
  kind: "context_entry",
  title: startOf(row.title, 200),
  why: row.is_corroborated
    ? "A proposed entry that another key corroborated; a person confirms it or disables it."
    : "A proposed entry; a person confirms it or disables it.",
  context_key: row.context_key,
  project: row.project,
  at: row.at
})
