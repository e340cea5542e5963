import { Effect, Schema } from "effect"
import { fixableRules } from "../../engine/index.ts"
import { type Issue, type IssueNumber, IssueNumberFromRef, issueRefOf } from "../../schema/Issue.ts"
import {
  GoalEmpty,
  GoalNeedsAgent,
  GoalTooLarge,
  type LeftOut,
  type MissionGoal,
  type MissionNumber,
  maxGoalObservations,
  maxMissionSteps
} from "../../schema/Mission.ts"
import { ObservationNumberFromRef, refOf } from "../../schema/Observation.ts"
import { fullSlugOf } from "../../schema/Repository.ts"
import { Caller } from "../access/Caller.ts"
import { rejectionOf } from "../fixes/fixTarget.ts"
import { Forecasts } from "../forecasts/Forecasts.ts"
import { Issues } from "../issues/Issues.ts"
import { ObservationListRepo } from "../observations/ObservationListRepo.ts"
import { ObservationQueries } from "../observations/ObservationQueries.ts"
import { AgentRunner } from "../ports/AgentRunner.ts"
import { limitsOf } from "./limits.ts"
import { type CandidateRow, MissionReadsRepo, type PlanRepository } from "./MissionReadsRepo.ts"
import { type Candidate, type IssueGoal, type PlannedStep, planOf } from "./planning.ts"

const numberOf = Schema.decodeSync(ObservationNumberFromRef)
const issueNumberOf = Schema.decodeSync(IssueNumberFromRef)

export interface PlanGoal {
  readonly goal: MissionGoal
  readonly limits_md: string | null
  /** The mission that is planned again, with the observations that its completed steps are about. */
  readonly again: { readonly number: MissionNumber; readonly done: ReadonlySet<string> } | null
}

export interface EstimatedStep extends PlannedStep {
  readonly estimate_usd: number
}

/** Makes the plan of a mission out of its goal: what it names, what of that can be fixed, in which order, at what cost. */
export class MissionPlanner extends Effect.Service<MissionPlanner>()("MissionPlanner", {
  effect: Effect.gen(function* () {
    const reads = yield* MissionReadsRepo
    const queries = yield* ObservationQueries
    const observationLists = yield* ObservationListRepo
    const issues = yield* Issues
    const forecasts = yield* Forecasts
    const runner = yield* AgentRunner

    /** Numbers of the open observations that the goal's filter matches. */
    const matching = Effect.fnUntraced(function* (repository: PlanRepository, { filter }: MissionGoal) {
      if (filter === undefined) return []
      const narrowed = yield* queries.narrowed({ ...filter, status: "new", repo: fullSlugOf(repository) })
      const numbers = yield* observationLists.numbers({ ...narrowed, limit: maxGoalObservations + 1 })
      if (numbers.length > maxGoalObservations) {
        return yield* new GoalTooLarge({
          message: `The filter matches more than ${maxGoalObservations} open observations; narrow it down.`,
          param: "goal.filter",
          details: { limit: maxGoalObservations }
        })
      }
      return numbers
    })

    /** The goal's issues; one that the caller may not see is not found. */
    const issuesOf = ({ issues: numbers = [] }: MissionGoal) =>
      Effect.forEach([...new Set(numbers)], (number) => issues.get(number))

    const plan = Effect.fn("MissionPlanner.plan")(function* (repository: PlanRepository, request: PlanGoal) {
      const { goal, limits_md, again } = request
      const { workspace_id } = yield* Caller
      const forecast = yield* forecasts.of({
        workflow: "fix",
        repository,
        commit_sha: repository.head_sha,
        params: null
      })
      const agent = runner.configured && forecast.agent_runner !== "rules"
      if (!agent && isOnlyText(goal)) return yield* goalNeedsAgent(runner.configured)
      const named = yield* issuesOf(goal)
      const filtered = yield* matching(repository, goal)
      const goals = named.map((issue) => issueGoalOf(issue, named, fullSlugOf(repository)))
      const workable = named.filter((_, index) => goals[index]?.rejection === null)
      const linked = workable.flatMap(({ observations }) => observations.map((ref) => numberOf(ref)))
      const numbers = [...new Set([...(goal.refs ?? []), ...filtered, ...linked])]
      const rows = yield* reads.candidates({
        workspace_id,
        repository_id: repository.id,
        numbers,
        mission_number: again?.number ?? null
      })
      const made = planOf({
        observations: rows.map((row) => candidateOf(row, { agent, workable, done: again?.done ?? new Set() })),
        issues: goals,
        text: goal.text ?? null,
        limits_md,
        limits: limitsOf(limits_md),
        agent
      })
      const left_out = [...absent(goal, rows, repository.repo_name), ...made.left_out]
      if (made.steps.length === 0) return yield* goalEmpty(left_out)
      if (made.steps.length > maxMissionSteps) {
        return yield* new GoalTooLarge({
          message: `The goal makes ${made.steps.length} steps; a plan has at most ${maxMissionSteps}. Make several missions of it.`,
          param: "goal",
          details: { limit: maxMissionSteps }
        })
      }
      const steps = made.steps.map(
        (step): EstimatedStep => ({
          ...step,
          estimate_usd: forecast.cost_mid * Math.max(1, step.observations.length)
        })
      )
      return { steps, left_out }
    })

    return { plan, agentConfigured: runner.configured }
  })
}) {}

const isOnlyText = ({ refs, issues, filter }: MissionGoal) =>
  refs === undefined && issues === undefined && filter === undefined

const goalNeedsAgent = (configured: boolean) =>
  new GoalNeedsAgent({
    message: configured
      ? "A goal in words needs an agent: set the workspace setting fix_runner to agent or rules_then_agent, or name refs, issues or a filter."
      : "A goal in words needs an agent runner, and this installation has none (ASSAY_AGENT_COMMAND); name refs, issues or a filter.",
    param: "goal.text"
  })

const shownReasons = 10

const goalEmpty = (left_out: ReadonlyArray<LeftOut>) => {
  const shown = left_out.slice(0, shownReasons).map(({ ref, reason }) => `${ref}: ${reason}`)
  return new GoalEmpty({
    message: `No step comes of this goal. ${shown.length === 0 ? "Nothing open matches it." : shown.join(" ")}`,
    param: "goal",
    details: { left_out: left_out.slice(0, 100) }
  })
}

/** What the goal names and the repository does not have. Whether another one has it stays unsaid. */
const absent = (goal: MissionGoal, rows: ReadonlyArray<CandidateRow>, repo_name: string): ReadonlyArray<LeftOut> => {
  const known = new Set<number>(rows.map(({ number }) => number))
  return [...new Set(goal.refs ?? [])]
    .filter((number) => !known.has(number))
    .map((number) => ({ ref: refOf(number), reason: `${repo_name} has no such observation.` }))
}

interface Surroundings {
  readonly agent: boolean
  /** Issues of the goal that can be resolved. */
  readonly workable: ReadonlyArray<Issue>
  readonly done: ReadonlySet<string>
}

const candidateOf = (row: CandidateRow, { agent, workable, done }: Surroundings): Candidate => ({
  number: row.number,
  ref: row.ref,
  priority: row.priority,
  rule_id: row.rule_id,
  title: row.title,
  description: row.description,
  file_path: row.file_path,
  locations: row.locations,
  rejection: rejectionIn(row, { agent, done }),
  issues: workable.flatMap(({ ref, observations }) => (observations.includes(row.ref) ? [issueNumberOf(ref)] : []))
})

const rejectionIn = (row: CandidateRow, { agent, done }: Pick<Surroundings, "agent" | "done">): string | null => {
  if (done.has(row.ref)) return "A completed step of this mission is about it."
  if (row.other_mission !== null) return `${row.other_mission} is about it already.`
  // A person approves the plan, so that a further attempt at a fix is requested.
  const rejection = rejectionOf(row, true)
  if (rejection !== null) return rejection.message
  return agent || fixableRules.has(row.rule_id)
    ? null
    : `There is no fixer for the rule ${row.rule_id}, and no agent runner that could try.`
}

const issueGoalOf = (issue: Issue, named: ReadonlyArray<Issue>, slug: string): IssueGoal => {
  const refs = new Set(named.map(({ ref }) => ref))
  const blocking = issue.blocked_by.filter((ref) => refs.has(ref))
  return {
    number: issueNumberOf(issue.ref),
    ref: issue.ref,
    priority: issue.priority,
    title: issue.title,
    body_md: issue.body_md,
    rejection: rejectionOfIssue(issue, { slug, blockers: issue.blocked_by.filter((ref) => !refs.has(ref)) }),
    blocked_by: blocking.map((ref) => issueNumberOf(ref))
  }
}

const rejectionOfIssue = (
  { closed_at, close_reason, repos }: Issue,
  { slug, blockers }: { readonly slug: string; readonly blockers: ReadonlyArray<string> }
): string | null => {
  if (closed_at !== null) return `It is closed (${close_reason}).`
  if (repos.length > 0 && !repos.includes(slug)) return `It is not about ${slug}.`
  return blockers.length === 0 ? null : `${blockers.join(", ")} blocks it and is not part of the goal.`
}

/** The goal in words, for people. */
export const goalInWords = ({ refs, issues = [], filter, text }: MissionGoal): string => {
  const observations = [...new Set(refs ?? [])].map((number) => refOf(number))
  const parts = [
    ...(text === undefined ? [] : [text]),
    ...(observations.length === 0 ? [] : [`Fix ${observations.join(", ")}.`]),
    ...(issues.length === 0
      ? []
      : [`Resolve ${[...new Set(issues)].map((number: IssueNumber) => issueRefOf(number)).join(", ")}.`]),
    ...(filter === undefined ? [] : [`Fix the open observations ${filterInWords(filter)}.`])
  ]
  return parts.join("\n\n")
}

const filterInWords = (filter: NonNullable<MissionGoal["filter"]>): string => {
  const entries = Object.entries(filter).map(([name, value]) => `\`${name}\` ${[value].flat().join(", ")}`)
  return entries.length === 0 ? "of the repository" : `with ${entries.join(" and ")}`
}
