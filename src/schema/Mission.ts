import { Schema, Struct } from "effect"
import { conflict, notFound, unprocessable } from "./ApiError.ts"
import { AuditActor } from "./AuditLog.ts"
import { closed, record } from "./closed.ts"
import { GateResult } from "./Fix.ts"
import { JobId, MissionId, MissionStepId } from "./Ids.ts"
import { IssueNumberFromRef, IssueRef } from "./Issue.ts"
import { ObservationNumberFromRef, ObservationRef, observationFilters, observationFlags } from "./Observation.ts"
import { pageQuery } from "./Page.ts"
import { RepoName } from "./Repository.ts"
import {
  Amount,
  Count,
  described,
  field,
  Instant,
  integer,
  integerQuery,
  list,
  nullable,
  oneOf,
  optional,
  someOf,
  text
} from "./Text.ts"

/** Steps of one plan. */
export const maxMissionSteps = 100
/** Observations that one goal may name, or its filter match. */
export const maxGoalObservations = 500
export const maxGoalIssues = 100
export const maxBudgetUsd = 100_000

const refPattern = /^MSN-[1-9][0-9]{0,9}$/

/** `MSN-N` */
export const MissionRef = described(
  Schema.String.pipe(Schema.filter((s) => (refPattern.test(s) ? undefined : "must look like MSN-12"))).annotations({
    jsonSchema: { type: "string", pattern: refPattern.source }
  }),
  "Reference of a mission, such as `MSN-12`."
)

export const MissionNumber = Schema.Int.pipe(Schema.brand("MissionNumber"))
export type MissionNumber = typeof MissionNumber.Type

/** A reference that a client sends, decoded to its number; records carry the reference. */
export const MissionNumberFromRef = Schema.transform(MissionRef, MissionNumber, {
  decode: (ref) => Number(ref.slice("MSN-".length)),
  encode: (number) => `MSN-${number}`
})
/** The number alone, in a path. */
export const MissionNumberFromText = integerQuery(1, 2_147_483_647).pipe(Schema.brand("MissionNumber"))
export const missionRefOf = Schema.encodeSync(MissionNumberFromRef)

export const MissionPath = Schema.Struct({ ref: MissionNumberFromRef })

const stepId = field(MissionStepId, "ID of the step.")
export const MissionStepPath = Schema.Struct({ ref: MissionNumberFromRef, step_id: stepId })

export const missionStatuses = [
  "planning",
  "awaiting_approval",
  "running",
  "paused",
  "waiting_on_person",
  "completed",
  "failed",
  "cancelled"
] as const
export const MissionStatus = oneOf(...missionStatuses)
export type MissionStatus = typeof MissionStatus.Type

export const missionStepStatuses = ["pending", "running", "completed", "failed", "skipped"] as const
export const MissionStepStatus = oneOf(...missionStepStatuses)
export type MissionStepStatus = typeof MissionStepStatus.Type

export const WaitingKind = oneOf("plan", "budget", "step", "question")
export type WaitingKind = typeof WaitingKind.Type

export const MissionWaiting = record("MissionWaiting", {
  kind: field(
    WaitingKind,
    "`plan`: approve it or send it back; `budget`: raise it; `step`: retry it, skip it or cancel the mission; `question`: answer it."
  ),
  message: field(Schema.String, "What a person is asked."),
  since: field(Instant, "Since when it waits.")
})
export type MissionWaiting = typeof MissionWaiting.Type

export const MissionGate = record("MissionGate", {
  name: field(Schema.String, "Name of the gate."),
  result: field(GateResult, "Result of the gate."),
  reason: nullable(Schema.String, "Why the gate has this result; null where there is nothing to add.")
})
export type MissionGate = typeof MissionGate.Type

export const MissionStep = record("MissionStep", {
  id: stepId,
  position: field(Count, "Place in the order of the steps, from 1."),
  title: field(Schema.String, "What the step is about."),
  brief_md: field(Schema.String, "What the step is to do, in Markdown."),
  status: field(MissionStepStatus, "State of the step."),
  observations: field(Schema.Array(ObservationRef), "References of the observations that it is about."),
  issues: field(Schema.Array(IssueRef), "References of the issues that it is about."),
  estimate_usd: field(Amount, "Forecast of its cost in US dollars, when it was planned."),
  cost_usd: field(Amount, "What it has cost, in US dollars; every try counts."),
  job_id: nullable(JobId, "ID of the job of its newest try; null before the first one."),
  commits: field(Schema.Array(Schema.String), "Commits that it made on the mission's branch."),
  gates: field(Schema.Array(MissionGate), "Gates of its newest try, in order."),
  attempts: field(Count, "How often it was tried."),
  failure: nullable(Schema.String, "Why its newest try failed, or why it was skipped; null otherwise.")
})
export type MissionStep = typeof MissionStep.Type

export const LeftOut = record("MissionLeftOut", {
  ref: field(Schema.String, "Reference of the observation or issue."),
  reason: field(Schema.String, "Why no step is about it.")
})
export type LeftOut = typeof LeftOut.Type

export const SentBack = record("MissionSentBack", {
  reason: field(Schema.String, "What is wrong with the plan."),
  by: field(AuditActor, "Who sent it back."),
  at: field(Instant, "When.")
})

export const MissionStepCounts = record("MissionStepCounts", {
  pending: field(Count, "Steps that have not begun."),
  running: field(Count, "Steps under way."),
  completed: field(Count, "Steps that are done."),
  failed: field(Count, "Steps whose newest try failed."),
  skipped: field(Count, "Steps that a person skipped.")
})

const head = {
  ref: MissionRef,
  number: field(Count, "The N of `MSN-N`."),
  id: field(MissionId, "ID of the mission."),
  title: field(Schema.String, "Title of the mission."),
  status: field(
    MissionStatus,
    "State of the mission; `completed`, `failed` and `cancelled` are final until it is resubmitted."
  ),
  repo_name: RepoName,
  budget_usd: field(Amount, "What it may cost, in US dollars."),
  spent_usd: field(Amount, "What its steps have cost, in US dollars."),
  reserved_usd: field(Amount, "What the step under way may still cost, in US dollars."),
  branch: nullable(Schema.String, "Branch of its commits; null before the first one."),
  pr_url: nullable(Schema.String, "URL of its pull request; null while there is none."),
  waiting: nullable(MissionWaiting, "What it waits on a person for; null while it does not."),
  plan_version: field(Count, "Number of the plan, from 1; each resubmission makes the next one.")
}
const tail = {
  created_by: field(AuditActor, "Who submitted it."),
  created_at: field(Instant, "When it was submitted."),
  updated_at: field(Instant, "When it, or one of its steps, last changed."),
  finished_at: nullable(Instant, "When it ended; null until then."),
  etag: field(Schema.String, "Changes with every change of the mission or of its steps.")
}

export const exampleMission = {
  ref: "MSN-4",
  number: 4,
  id: MissionId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578da4"),
  title: "No weak hashes",
  status: "awaiting_approval",
  repo_name: "shop@main",
  budget_usd: 5,
  spent_usd: 0,
  reserved_usd: 0,
  branch: null,
  pr_url: null,
  waiting: {
    kind: "plan",
    message: "Approve the plan of 1 step, estimated at 0.01 USD, or send it back.",
    since: "2026-11-20T09:30:00.120Z"
  },
  plan_version: 1,
  created_by: { kind: "user", user_id: null, api_key: null, label: "ada@example.com" },
  created_at: "2026-11-20T09:30:00.120Z",
  updated_at: "2026-11-20T09:30:00.120Z",
  finished_at: null,
  etag: "01a1f84d-c1ea-70a9-a51e-fdfa95578da4:2"
} as const

export const Mission = record(
  "Mission",
  {
    ...head,
    goal_md: field(Schema.String, "What it is to reach, in Markdown."),
    limits_md: nullable(Schema.String, "What it is to leave alone, in Markdown; null if nothing was named."),
    left_out: field(Schema.Array(LeftOut), "What the goal names and no step is about."),
    sent_back: nullable(SentBack, "Why its plan was sent back; null unless it waits for a new one."),
    ended_because: nullable(Schema.String, "Why it failed or was cancelled; null otherwise."),
    steps: field(Schema.Array(MissionStep), "Its steps, in order."),
    ...tail
  },
  {
    ...exampleMission,
    goal_md: "Fix OBS-3.",
    limits_md: null,
    left_out: [],
    sent_back: null,
    ended_because: null,
    steps: [
      {
        id: MissionStepId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578da5"),
        position: 1,
        title: "Weak hash function: MD5 in src/app.ts",
        brief_md: "Fix OBS-3 in `src/app.ts`.",
        status: "pending",
        observations: ["OBS-3"],
        issues: [],
        estimate_usd: 0.01,
        cost_usd: 0,
        job_id: null,
        commits: [],
        gates: [],
        attempts: 0,
        failure: null
      }
    ]
  }
)
export type Mission = typeof Mission.Type

/** A mission in a list. */
export const MissionSummary = record(
  "MissionSummary",
  { ...head, step_counts: field(MissionStepCounts, "How many of its steps are in which state."), ...tail },
  { ...exampleMission, step_counts: { pending: 1, running: 0, completed: 0, failed: 0, skipped: 0 } }
)
export type MissionSummary = typeof MissionSummary.Type

export const MissionEvent = record("MissionEvent", {
  id: field(Count, "Number of the event; later ones have greater numbers."),
  event: field(Schema.String, "What happened."),
  actor: field(AuditActor, "Who acted."),
  at: field(Instant, "When it happened."),
  from_status: nullable(MissionStatus, "State of the mission before; null for its first event."),
  to_status: field(MissionStatus, "State of the mission after."),
  step_id: nullable(MissionStepId, "ID of the step that it is about; null where it is about none."),
  note: nullable(Schema.String, "The reason, the answer or the failure; null where there is none.")
})
export type MissionEvent = typeof MissionEvent.Type

/** Those filters of the list of observations that name a concern. */
export const GoalFilter = closed({
  ...Struct.pick(observationFilters, "priority", "category", "domain", "tool", "rule"),
  easy_wins: observationFlags(Schema.Boolean).easy_wins
})
export type GoalFilter = typeof GoalFilter.Type

export const goalFields = {
  refs: optional(
    list(ObservationNumberFromRef, 1, maxGoalObservations),
    `Observations to fix, at most ${maxGoalObservations}.`
  ),
  issues: optional(list(IssueNumberFromRef, 1, maxGoalIssues), `Issues to resolve, at most ${maxGoalIssues}.`),
  filter: optional(
    GoalFilter,
    "The open observations of the repository that match all of these filters of the list; an empty object means all of them."
  ),
  text: optional(text(1, 16_384), "The goal in words; needs an agent runner unless it comes with the others.")
}
/** What a mission is to reach: any of these, together. */
export const MissionGoal = closed(goalFields)
export type MissionGoal = typeof MissionGoal.Type

const limits = optional(text(1, 16_384), "What the mission is to leave alone, in Markdown.")
const goal = "What to reach: observations (`refs`, `filter`), `issues` or `text`."

/** US dollars; what the ledger counts in has nine decimals. */
export const Budget = Schema.Number.pipe(
  Schema.filter((n) =>
    n >= 0.000001 && n <= maxBudgetUsd ? undefined : `must be more than 0 and at most ${maxBudgetUsd}`
  )
).annotations({ jsonSchema: { type: "number", exclusiveMinimum: 0, maximum: maxBudgetUsd } })

export const newMission = {
  repository: field(text(1, 400), "Repository: `repo@branch`, or `owner/repo@branch` where two owners share a name."),
  title: field(text(1, 200), "Title, at most 200 characters."),
  goal: field(MissionGoal, goal),
  budget_usd: field(Budget, "What the mission may cost at most, in US dollars."),
  limits_md: limits
}
export const CreateMission = closed(newMission, "CreateMissionRequest", {
  repository: "shop@main",
  title: "No weak hashes",
  goal: { refs: [ObservationNumberFromRef.to.make(3)] },
  budget_usd: 5
})
export type CreateMission = typeof CreateMission.Type

export const missionChanges = { goal: optional(MissionGoal, `${goal} The last one if left out.`), limits_md: limits }
export const ResubmitMission = closed(missionChanges, "ResubmitMissionRequest", {
  limits_md: "Leave the public API as it is."
})
export type ResubmitMission = typeof ResubmitMission.Type

export const missionFilters = {
  status: optional(someOf(missionStatuses), "Only this status, or several, separated by commas."),
  repo: observationFilters.repo
}
export const MissionsQuery = closed({ ...missionFilters, ...pageQuery })
export type MissionsQuery = typeof MissionsQuery.Type
export const MissionsWaitingQuery = closed(pageQuery)
export const MissionEventsQuery = closed(pageQuery)

const resolution = {
  repository: optional(text(1, 400), "With `number` or `branch`: `repo@branch`, or `owner/repo@branch`."),
  branch: optional(text(1, 255), "Branch of the mission, instead of its number; needs `repository`."),
  url: optional(text(1, 2000), "URL of its pull request, instead of all others.")
}
export const resolveFields = { ...resolution, number: optional(integer(1, 2_147_483_647), "Number of the mission.") }
export const ResolveQuery = closed({
  ...resolution,
  number: optional(integerQuery(1, 2_147_483_647), "Number of the mission.")
})
export type ResolveMission = typeof ResolveQuery.Type
export const ResolvedMission = record(
  "ResolvedMission",
  { ref: MissionRef, number: head.number, title: head.title, status: head.status, repo_name: RepoName },
  { ref: "MSN-4", number: 4, title: "No weak hashes", status: "running", repo_name: "shop@main" }
)

export const MissionPullRequest = record(
  "MissionPullRequest",
  {
    ref: MissionRef,
    branch: head.branch,
    pr_url: head.pr_url,
    pr_number: nullable(Count, "Number of the pull request; null while there is none, and on hosts that number none."),
    commits: field(Schema.Array(Schema.String), "Commits of its steps, in order.")
  },
  { ref: "MSN-4", branch: null, pr_url: null, pr_number: null, commits: [] }
)

export const MissionSettings = record("MissionSettings", {
  agent_runner: field(Schema.Boolean, "Whether an agent runner is there: goals in words need one."),
  tries_per_step: field(Count, "How often a step is tried before it waits on a person."),
  max_steps: field(Count, "Steps that one plan may have."),
  max_budget_usd: field(Amount, "The highest budget, in US dollars."),
  approval_roles: field(Schema.Array(Schema.String), "Roles of the workspace that may approve plans.")
})

export const SendBackMission = closed(
  { reason: field(text(1, 2000), "What is wrong with the plan, 1 to 2000 characters.") },
  "SendBackMissionRequest",
  { reason: "Leave the migrations out." }
)
export type SendBackMission = typeof SendBackMission.Type
export const RaiseMissionBudget = closed(
  { budget_usd: field(Budget, "The new budget in US dollars; more than the present one.") },
  "RaiseMissionBudgetRequest",
  { budget_usd: 10 }
)
export type RaiseMissionBudget = typeof RaiseMissionBudget.Type
export const SkipMissionStep = closed(
  { reason: field(text(1, 2000), "Why it is skipped, 1 to 2000 characters.") },
  "SkipMissionStepRequest",
  { reason: "Fixed by hand." }
)
export type SkipMissionStep = typeof SkipMissionStep.Type
export const AnswerMission = closed(
  { text: field(text(1, 8000), "The answer, 1 to 8000 characters.") },
  "AnswerMissionRequest",
  { text: "Keep the old name exported." }
)
export type AnswerMission = typeof AnswerMission.Type

export class MissionNotFound extends notFound("MissionNotFound", "not_found") {}
export class MissionStepNotFound extends notFound("MissionStepNotFound", "not_found") {}
/** `details` has `from`, `to` and what is `allowed`. */
export class MissionTransitionRejected extends conflict("MissionTransitionRejected", "illegal_transition") {}
export class GoalNeedsAgent extends unprocessable("GoalNeedsAgent", "goal_needs_agent") {}
/** Nothing of the goal can be fixed; `details.left_out` says why. */
export class GoalEmpty extends unprocessable("GoalEmpty", "goal_empty") {}
export class GoalTooLarge extends unprocessable("GoalTooLarge", "too_many") {}
export class BudgetNotRaised extends unprocessable("BudgetNotRaised", "budget_not_raised") {}
