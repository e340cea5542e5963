import { Context, Effect, Option } from "effect"
import type { Forecast, ForecastBatch } from "../../schema/Forecast.ts"
import { type RepositoryId } from "../../schema/Ids.ts"
import { type Workflow, workflows } from "../../schema/Job.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import type { JsonObject } from "../../schema/Text.ts"
import { Caller } from "../access/Caller.ts"
import { Workflows } from "../ports/Workflows.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { ForecastsRepo } from "./ForecastsRepo.ts"
import { climb } from "./ladder.ts"

/** What one CPU second of a job costs. */
export class CpuRate extends Context.Reference<CpuRate>()("CpuRate", { defaultValue: () => 0.00005 }) {}

/** What decides the forecast of a job: its workflow, and of the rest what is known. */
export interface ForecastInput {
  readonly workflow: Workflow
  readonly repository: { readonly id: RepositoryId; readonly repo_name: string } | null
  readonly commit_sha: string | null
  /** As the workflow's schema writes them; null: unknown. */
  readonly params: JsonObject | null
}

/** What a workflow is likely to cost and to take, from what the workspace's jobs cost and took. */
export class Forecasts extends Effect.Service<Forecasts>()("Forecasts", {
  effect: Effect.gen(function* () {
    const repo = yield* ForecastsRepo
    const repositories = yield* Repositories
    const served = yield* Workflows
    const cpuSecondUsd = yield* CpuRate

    const of = Effect.fn("Forecasts.of")(function* (input: ForecastInput) {
      const { workspace_id } = yield* Caller
      const { workflow, repository, commit_sha, params } = input
      const edits = workflow === "fix" || workflow === "mission_step"
      const agent_runner = edits ? yield* repo.fixRunner(workspace_id) : null
      const repository_id = repository?.id ?? null
      const historyOf = (of: Workflow) =>
        repo.history({ workspace_id, workflow: of, repository_id, commit_sha, params })
      const own = yield* historyOf(workflow)
      // A step of a mission does what a fix does, and costs as much.
      const history = workflow === "mission_step" && own.length === 0 ? yield* historyOf("fix") : own
      const lines =
        repository_id === null ? null : Option.getOrNull(yield* repo.linesOf({ workspace_id, repository_id }))
      const stages = served.get(workflow)?.stages.map(({ name }) => name) ?? null
      const estimate = climb({ workflow, agent_runner, stages, lines, cpuSecondUsd }, history)
      return { workflow, ...estimate, agent_runner, repo_name: repository?.repo_name ?? null } satisfies Forecast
    })

    /** Of every workflow on a repository, as it stands now. */
    const ofRepository = Effect.fn("Forecasts.ofRepository")(function* (path: RepositoryPath) {
      const repository = yield* repositories.find(path)
      const forecasts = yield* Effect.forEach(workflows, (workflow) =>
        of({ workflow, repository, commit_sha: repository.head_sha, params: null })
      )
      return { forecasts, repo_name: repository.repo_name } satisfies ForecastBatch
    })

    /** Of one workflow, on the repository of a slug or on any of the workspace. */
    const lookup = Effect.fn("Forecasts.lookup")(function* (request: {
      readonly workflow: Workflow
      readonly repo_name?: string | undefined
    }) {
      const { workspace_id } = yield* Caller
      const { repo_name } = request
      const id = repo_name === undefined ? null : yield* repositories.resolveSlug(repo_name, "repo_name")
      const repository = id === null ? null : Option.getOrNull(yield* repo.repository({ workspace_id, id }))
      return yield* of({
        workflow: request.workflow,
        repository,
        commit_sha: repository?.head_sha ?? null,
        params: null
      })
    })

    return { of, ofRepository, lookup }
  })
}) {}
