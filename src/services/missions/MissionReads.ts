import { Effect, Option } from "effect"
import { InvalidPayload } from "../../schema/Errors.ts"
import {
  MissionNotFound,
  MissionNumber,
  type MissionSettings,
  type MissionsQuery,
  maxBudgetUsd,
  maxMissionSteps,
  missionRefOf,
  type ResolveMission
} from "../../schema/Mission.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { Caller, personOf } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { AgentRunner } from "../ports/AgentRunner.ts"
import { Projects } from "../projects/Projects.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { MissionReadsRepo, type MissionRow, type SummaryRow } from "./MissionReadsRepo.ts"
import { MissionsRepo, type StepRow } from "./MissionsRepo.ts"
import { missionOf, pullRequestOf, summaryOf } from "./missionRecords.ts"
import { triesPerStep } from "./transitions.ts"

/** What callers read of missions; a mission of a repository that the caller may not see is not found. */
export class MissionReads extends Effect.Service<MissionReads>()("MissionReads", {
  effect: Effect.gen(function* () {
    const repo = yield* MissionReadsRepo
    const missions = yield* MissionsRepo
    const repositories = yield* Repositories
    const projects = yield* Projects
    const cursors = yield* Cursors
    const runner = yield* AgentRunner

    const rowOf = Effect.fnUntraced(function* (number: MissionNumber) {
      const { workspace_id } = yield* Caller
      const found = yield* repo.find({ workspace_id, number })
      if (Option.isNone(found)) return yield* noMission(number)
      return { row: found.value, steps: yield* missions.steps({ workspace_id, id: found.value.id }) }
    })

    const shown = Effect.fnUntraced(function* ({
      row,
      steps
    }: {
      readonly row: MissionRow
      readonly steps: ReadonlyArray<StepRow>
    }) {
      const { workspace_id } = yield* Caller
      const linked = [...new Set(steps.flatMap(({ issues }) => issues))]
      const visible =
        linked.length === 0
          ? new Set<string>()
          : yield* repo.visibleIssues({
              workspace_id,
              numbers: linked.map((ref) => Number(ref.slice("ISS-".length))),
              hidden_levels: yield* projects.hiddenLevels()
            })
      return missionOf(row, steps, visible)
    })

    const get = Effect.fn("MissionReads.get")((number: MissionNumber) => Effect.flatMap(rowOf(number), shown))

    /** The same, addressed by its number below the path of its repository. */
    const getOfRepository = Effect.fn("MissionReads.getOfRepository")(function* (
      path: RepositoryPath,
      number: MissionNumber
    ) {
      const { workspace_id } = yield* Caller
      const { id: repository_id } = yield* repositories.find(path)
      if (!(yield* repo.isOfRepository({ workspace_id, repository_id, number }))) return yield* noMission(number)
      return yield* get(number)
    })

    const list = Effect.fn("MissionReads.list")(function* ({
      limit = defaultPageSize,
      cursor,
      ...filters
    }: MissionsQuery) {
      const { workspace_id } = yield* Caller
      const repository_id = filters.repo === undefined ? null : yield* repositories.resolveSlug(filters.repo)
      const after = yield* cursors.open("missions", filters, cursor)
      const rows = yield* repo.list({ workspace_id, repository_id, statuses: filters.status ?? null, after, limit })
      const page = yield* cursors.page("missions", filters, limit, rows, (row) => [row.number])
      return { ...page, data: page.data.map(summaryOf) }
    })

    /** Those on which the person behind the call is to decide, the longest wait first. */
    const waitingOnMe = Effect.fn("MissionReads.waitingOnMe")(function* ({
      limit = defaultPageSize,
      cursor
    }: PageRequest) {
      const caller = yield* Caller
      const { user_id } = personOf(caller)
      const after = yield* cursors.open("missions_waiting", { user_id }, cursor)
      const rows = yield* repo.waitingOn({ workspace_id: caller.workspace_id, user_id, after, limit })
      const page = yield* cursors.page("missions_waiting", { user_id }, limit, rows, (row: SummaryRow) => [
        row.waiting_since,
        row.number
      ])
      return { ...page, data: page.data.map(summaryOf) }
    })

    const countWaitingOnMe = Effect.fn("MissionReads.countWaitingOnMe")(function* () {
      const caller = yield* Caller
      return yield* repo.countWaitingOn({ workspace_id: caller.workspace_id, user_id: personOf(caller).user_id })
    })

    /** The mission that a repository with a number or a branch means, or the URL of a pull request. */
    const resolve = Effect.fn("MissionReads.resolve")(function* (request: ResolveMission) {
      const { workspace_id } = yield* Caller
      const { repository, number, branch, url } = yield* checkResolution(request)
      const repository_id = repository === undefined ? null : yield* repositories.resolveSlug(repository, "repository")
      if (number !== undefined) {
        const known = MissionNumber.make(number)
        const isThere =
          repository_id !== null && (yield* repo.isOfRepository({ workspace_id, repository_id, number: known }))
        if (!isThere) return yield* noMission(known)
        return resolvedOf((yield* rowOf(known)).row)
      }
      const found = yield* repo.resolve({ workspace_id, repository_id, branch: branch ?? null, url: url ?? null })
      if (Option.isNone(found))
        return yield* new MissionNotFound({ message: "No mission has this branch or pull request." })
      return resolvedOf(found.value)
    })

    const pullRequest = Effect.fn("MissionReads.pullRequest")((number: MissionNumber) =>
      Effect.map(rowOf(number), ({ row, steps }) => pullRequestOf(row, steps))
    )

    const events = Effect.fn("MissionReads.events")(function* (
      number: MissionNumber,
      { limit = defaultPageSize, cursor }: PageRequest
    ) {
      const { workspace_id } = yield* Caller
      const { row } = yield* rowOf(number)
      const filters = { mission: row.id }
      const after = yield* cursors.open("mission_events", filters, cursor)
      const rows = yield* repo.events({ workspace_id, id: row.id, after, limit })
      return yield* cursors.page("mission_events", filters, limit, rows, (event) => [event.id])
    })

    const settings: typeof MissionSettings.Type = {
      agent_runner: runner.configured,
      tries_per_step: triesPerStep,
      max_steps: maxMissionSteps,
      max_budget_usd: maxBudgetUsd,
      approval_roles: ["owner", "admin"]
    }

    return { get, getOfRepository, list, waitingOnMe, countWaitingOnMe, resolve, pullRequest, events, settings }
  })
}) {}

export const noMission = (number: MissionNumber) =>
  new MissionNotFound({ message: `No mission ${missionRefOf(number)}.` })

const resolvedOf = ({
  ref,
  number,
  title,
  status,
  repo_name
}: Pick<MissionRow, "ref" | "number" | "title" | "status" | "repo_name">) => ({
  ref,
  number,
  title,
  status,
  repo_name
})

/** Exactly one way to name a mission. */
const checkResolution = (request: ResolveMission): Effect.Effect<ResolveMission, InvalidPayload> => {
  const { repository, number, branch, url } = request
  const named = [number, branch, url].filter((value) => value !== undefined).length
  if (named !== 1) {
    return Effect.fail(new InvalidPayload({ message: "Send one of number, branch and url.", param: "number" }))
  }
  if (url === undefined && repository === undefined) {
    return Effect.fail(new InvalidPayload({ message: "A number or a branch needs repository.", param: "repository" }))
  }
  return Effect.succeed(request)
}
