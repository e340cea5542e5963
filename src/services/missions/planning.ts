import { Array } from "effect"
import { type LeftOut, maxMissionSteps } from "../../schema/Mission.ts"
import type { Location, Priority } from "../../schema/Observation.ts"
import { type Limits, limitOn } from "./limits.ts"

/** An observation that a goal names. */
export interface Candidate {
  readonly number: number
  readonly ref: string
  readonly priority: Priority
  readonly rule_id: string
  readonly title: string
  readonly description: string
  readonly file_path: string
  readonly locations: ReadonlyArray<Location>
  /** Why it cannot be fixed; null where it can. */
  readonly rejection: string | null
  /** Numbers of the goal's issues that it belongs to. */
  readonly issues: ReadonlyArray<number>
}

/** An issue that a goal names. */
export interface IssueGoal {
  readonly number: number
  readonly ref: string
  readonly priority: Priority
  readonly title: string
  readonly body_md: string
  /** Why no step can be about it; null where one can. */
  readonly rejection: string | null
  /** Numbers of those of the goal's issues that have to come first. */
  readonly blocked_by: ReadonlyArray<number>
}

export interface PlanRequest {
  readonly observations: ReadonlyArray<Candidate>
  readonly issues: ReadonlyArray<IssueGoal>
  /** The goal in words; null for none. */
  readonly text: string | null
  readonly limits_md: string | null
  readonly limits: Limits
  /** Whether a step can be given in words alone. */
  readonly agent: boolean
}

export interface PlannedStep {
  readonly title: string
  readonly brief_md: string
  readonly observations: ReadonlyArray<number>
  readonly issues: ReadonlyArray<number>
}

export interface MissionPlan {
  readonly steps: ReadonlyArray<PlannedStep>
  readonly left_out: ReadonlyArray<LeftOut>
}

/** One step before it is put in order. */
interface Concern {
  /** Distinguishes concerns, and orders those that nothing else does. */
  readonly key: string
  readonly priority: Priority
  readonly title: string
  readonly body: string
  /** Files that it is about first of all, and all files that it follows from. */
  readonly files: ReadonlySet<string>
  readonly touches: ReadonlySet<string>
  readonly observations: ReadonlyArray<number>
  readonly issues: ReadonlyArray<number>
  /** Numbers of issues that have to be resolved before. */
  readonly after: ReadonlyArray<number>
}

/**
 * The ordered steps of a goal, one concern each: findings of one rule in one file, an issue, or a part of the text. What is
 * left out is named with the reason. The same goal gives the same plan.
 */
export const planOf = (request: PlanRequest): MissionPlan => {
  const { observations, issues, limits, agent } = request
  const checked = observations.map((candidate) => ({ candidate, reason: rejectionOf(candidate, limits) }))
  const usable = checked.flatMap(({ candidate, reason }) => (reason === null ? [candidate] : []))
  const covered = new Set(usable.flatMap((candidate) => candidate.issues))
  const apart = issues.filter(({ number }) => !covered.has(number))
  const checkedIssues = apart.map((issue) => ({ issue, reason: issue.rejection ?? (agent ? null : needsAgent) }))
  const concerns = [
    ...groups(usable, issues),
    ...checkedIssues.flatMap(({ issue, reason }) => (reason === null ? [concernOfIssue(issue)] : [])),
    ...(agent ? concernsOfText(request) : [])
  ]
  return {
    steps: inOrder(concerns).map((concern) => stepOf(concern, request)),
    left_out: [
      ...checked.flatMap(({ candidate: { ref }, reason }) => (reason === null ? [] : [{ ref, reason }])),
      ...checkedIssues.flatMap(({ issue: { ref }, reason }) => (reason === null ? [] : [{ ref, reason }]))
    ]
  }
}

const needsAgent =
  "No observation that can be fixed belongs to it, and there is no agent runner to work from its words."

const rejectionOf = (candidate: Candidate, limits: Limits): string | null => {
  if (candidate.rejection !== null) return candidate.rejection
  const limit = limitOn(limits, { rule_id: candidate.rule_id, paths: [candidate.file_path] })
  return limit === null ? null : `The limits leave \`${limit}\` alone.`
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")))

/** From the finest grouping to the coarsest: the first that gives no more steps than a plan may have. */
const groupings: ReadonlyArray<(candidate: Candidate) => string> = [
  ({ rule_id, file_path }) => JSON.stringify([rule_id, file_path]),
  ({ rule_id, file_path }) => JSON.stringify([rule_id, folderOf(file_path)]),
  ({ rule_id }) => JSON.stringify([rule_id])
]

const groups = (usable: ReadonlyArray<Candidate>, issues: ReadonlyArray<IssueGoal>): ReadonlyArray<Concern> => {
  const grouped = groupings.map((keyOf) => Object.entries(Array.groupBy(usable, keyOf)))
  const chosen = grouped.find(({ length }) => length <= maxMissionSteps) ?? grouped.at(-1) ?? []
  return chosen.map(([key, members]) => concernOf(key, members, issues))
}

const concernOf = (key: string, members: ReadonlyArray<Candidate>, issues: ReadonlyArray<IssueGoal>): Concern => {
  const sorted = [...members].sort((a, b) => rank(a.priority) - rank(b.priority) || a.number - b.number)
  const [worst] = sorted
  const linked = [...new Set(sorted.flatMap((candidate) => candidate.issues))].sort((a, b) => a - b)
  return {
    key,
    priority: worst?.priority ?? "P3",
    title: titleOf(sorted),
    body: bodyOf(sorted),
    files: new Set(sorted.map(({ file_path }) => file_path)),
    touches: new Set(sorted.flatMap(({ locations }) => locations.map(({ file_path }) => file_path))),
    observations: sorted.map(({ number }) => number),
    issues: linked,
    after: issues.filter(({ number }) => linked.includes(number)).flatMap(({ blocked_by }) => blocked_by)
  }
}

const concernOfIssue = ({ number, ref, priority, title, body_md, blocked_by }: IssueGoal): Concern => ({
  key: ref,
  priority,
  title,
  body: `Resolve ${ref}: ${title}\n\n${body_md}`.trim(),
  files: new Set(),
  touches: new Set(),
  observations: [],
  issues: [number],
  after: blocked_by
})

const listItem = /^(?:[-*+]|\d{1,3}[.)])\s+(.+)$/

/** A list gives one step for each of its items, any other text one step. Beside findings and issues the text explains those. */
const concernsOfText = ({ text, observations, issues }: PlanRequest): ReadonlyArray<Concern> => {
  if (text === null || observations.length > 0 || issues.length > 0) return []
  const lines = text.split("\n").flatMap((line) => {
    const trimmed = line.trim()
    return trimmed === "" ? [] : [trimmed]
  })
  const items = lines.flatMap((line) => listItem.exec(line)?.[1] ?? [])
  const parts = items.length > 1 && items.length === lines.length ? items : [text.trim()]
  return parts.map((part, index) => ({
    key: `text/${String(index).padStart(3, "0")}`,
    priority: "P3",
    title: shortened(part.split("\n")[0] ?? part),
    body: part,
    files: new Set<string>(),
    touches: new Set<string>(),
    observations: [],
    issues: [],
    after: []
  }))
}

const maxTitle = 200
const shortened = (text: string) => (text.length <= maxTitle ? text : `${text.slice(0, maxTitle - 1)}…`)

/** What findings of one rule are called, before the specific case. */
const kindOf = ({ title }: Candidate) => title.split(": ")[0] ?? title

const titleOf = (members: ReadonlyArray<Candidate>): string => {
  const [first] = members
  if (first === undefined) return ""
  const paths = new Set(members.map(({ file_path }) => file_path))
  const where = paths.size === 1 ? first.file_path : `${paths.size} files`
  return shortened(
    members.length === 1 ? `${first.title} in ${where}` : `${kindOf(first)}: ${members.length} findings in ${where}`
  )
}

const maxDescription = 1500

const bodyOf = (members: ReadonlyArray<Candidate>): string => {
  const [first] = members
  if (first === undefined) return ""
  const lines = members.map(({ ref, priority, title, file_path, locations }) => {
    const [at] = locations
    const line = at === undefined ? file_path : `${at.file_path}:${at.line_start}`
    return `- ${ref} (${priority}) in \`${line}\`: ${title}`
  })
  return `Fix what the rule \`${first.rule_id}\` reports:\n\n${lines.join("\n")}\n\n${first.description.slice(0, maxDescription)}`
}

const stepOf = ({ title, body, observations, issues }: Concern, request: PlanRequest): PlannedStep => {
  const goal = observations.length > 0 || issues.length > 0 ? request.text : null
  const parts = [
    body,
    ...(goal === null ? [] : [`Goal of the mission:\n\n${goal}`]),
    ...(request.limits_md === null ? [] : [`Leave alone:\n\n${request.limits_md}`])
  ]
  return { title, brief_md: parts.join("\n\n"), observations, issues }
}

const rank = (priority: Priority): number => Number(priority.slice(1))

/** The most severe first, then by file, so that neighbours follow each other. */
const before = (a: Concern, b: Concern): number =>
  rank(a.priority) - rank(b.priority) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

const dependsOn = (concern: Concern, other: Concern): boolean =>
  other.issues.some((number) => concern.after.includes(number) && !concern.issues.includes(number)) ||
  // A finding that passes through a file follows from what is there: what is wrong there is fixed before.
  [...other.files].some((file) => !concern.files.has(file) && concern.touches.has(file))

/** By priority, and before each what it depends on; of a circle the most severe comes last. */
const inOrder = (concerns: ReadonlyArray<Concern>): ReadonlyArray<Concern> => {
  const sorted = [...concerns].sort(before)
  const ordered = new Set<Concern>()
  const entered = new Set<Concern>()
  const add = (concern: Concern) => {
    if (entered.has(concern)) return
    entered.add(concern)
    for (const other of sorted) if (other !== concern && dependsOn(concern, other)) add(other)
    ordered.add(concern)
  }
  for (const concern of sorted) add(concern)
  return [...ordered]
}
