import { type Finding, Secrets } from "../../engine/index.ts"
import { type ObservationNumber, refOf } from "../../schema/Observation.ts"
import { descriptionParts } from "../observations/descriptionParts.ts"
import type { Gate } from "./gates.ts"

/** What the texts of a pull request are made of. */
export interface FixDescription {
  readonly ref: string
  readonly title: string
  readonly description: string
  readonly rule_id: string
  readonly cwe: ReadonlyArray<number>
  readonly file_path: string
  readonly line_start: number
  readonly snippet: string
  readonly evidence: ReadonlyArray<string>
  /** Why the change is right, in the runner's words. */
  readonly summary: string
  readonly runner: string
  readonly gates: ReadonlyArray<Gate>
}

/** What is said of the fix of a finding. */
export const describeFix = (
  number: ObservationNumber,
  finding: Finding,
  { summary, runner, gates }: Pick<FixDescription, "summary" | "runner" | "gates">
): FixDescription => {
  const { title, description, rule_id, cwe, locations, snippet, steps } = finding
  const { file_path, line_start } = locations[0]
  return {
    ref: refOf(number),
    title,
    description,
    rule_id,
    cwe,
    file_path,
    line_start,
    snippet,
    evidence: steps.map(({ file_path, line, note }) => `\`${file_path}${line === null ? "" : `:${line}`}\` ${note}`),
    summary,
    runner,
    gates
  }
}

const MAX_TITLE = 100
const MAX_SUMMARY = 2_000
const MAX_SNIPPET = 1_500

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim()

const limited = (text: string, limit: number) =>
  text.length <= limit ? text : `${text.slice(0, limit - 1).trimEnd()}…`

/** A fence longer than any in the code, so that code cannot end it. */
const fenced = (code: string) => {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}\n${code}\n${fence}`
}

/** As it reads within a sentence; an acronym stays one. */
const inSentence = (title: string) =>
  /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title

const subjectOf = ({ title }: FixDescription) => limited(oneLine(`Fix ${inSentence(title)}`), MAX_TITLE)

const width = 72

/** As commit messages are read: lines of limited width. */
const wrapped = (text: string) => {
  const lines: Array<string> = []
  let line = ""
  for (const word of oneLine(text).split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line].join("\n")
}

const sentence = (text: string) => (/[.!?`)\]]$/.test(text) ? text : `${text}.`)

const weaknesses = (cwe: ReadonlyArray<number>) =>
  cwe.length === 0 ? "" : ` (${cwe.map((id) => `CWE-${id}`).join(", ")})`

const summaryOf = ({ summary }: Pick<FixDescription, "summary">) =>
  sentence(limited(Secrets.redactSecrets(summary.trim()), MAX_SUMMARY))

export const pullRequestTitle = (fix: FixDescription): string => `${subjectOf(fix)} (${fix.ref})`

/** The last lines name what the commit belongs to. */
const commitText = (subject: string, paragraphs: ReadonlyArray<string>, trailers: ReadonlyArray<string>): string =>
  [subject, "", ...paragraphs.flatMap((text) => [wrapped(text), ""]), ...trailers, ""].join("\n")

const observationTrailer = ({ ref }: FixDescription) => `Observation: ${ref}`
const ruleTrailer = ({ rule_id, cwe }: FixDescription) => `Rule: ${rule_id}${weaknesses(cwe)}`
const whatOf = ({ description }: FixDescription) => descriptionParts(description).what

export const commitMessage = (fix: FixDescription): string =>
  commitText(subjectOf(fix), [whatOf(fix), summaryOf(fix)], [observationTrailer(fix), ruleTrailer(fix)])

/** What the commit of a mission's step is made of. */
export interface StepDescription {
  readonly mission: string
  readonly title: string
  readonly job_id: string
  /** The findings that it fixes. */
  readonly fixes: ReadonlyArray<FixDescription>
  readonly summary: string
}

/** That of a fix where the step fixes one finding; and always with the mission and the job. */
export const stepCommitMessage = ({ mission, title, job_id, fixes, summary }: StepDescription): string => {
  const [fix, ...others] = fixes
  const trailers = [
    ...fixes.map(observationTrailer),
    ...new Set(fixes.map(ruleTrailer)),
    `Mission: ${mission}`,
    `Assay-Job: ${job_id}`
  ]
  return fix !== undefined && others.length === 0
    ? commitText(subjectOf(fix), [whatOf(fix), summaryOf(fix)], trailers)
    : commitText(limited(oneLine(title), MAX_TITLE), [summaryOf({ summary })], trailers)
}

/** A step of a mission, as its pull request lists it. */
export interface ListedStep {
  readonly title: string
  readonly refs: ReadonlyArray<string>
  readonly commit: string | null
  /** Why it was left out; null where it was not. */
  readonly skipped: string | null
}

export interface MissionDescription {
  readonly ref: string
  readonly title: string
  readonly goal: string
  readonly steps: ReadonlyArray<ListedStep>
}

const MAX_GOAL = 4_000

export const missionPullRequestTitle = ({ title, ref }: MissionDescription): string =>
  `${limited(oneLine(title), MAX_TITLE)} (${ref})`

const listedStep = ({ title, refs, commit, skipped }: ListedStep, index: number): string => {
  const about = refs.length === 0 ? "" : ` (${refs.join(", ")})`
  const end =
    skipped !== null ? `skipped: ${oneLine(skipped)}` : commit === null ? "nothing was left to do" : commit.slice(0, 12)
  return `${index + 1}. ${skipped === null ? "[x]" : "[ ]"} ${limited(oneLine(title), MAX_TITLE)}${about}: ${end}`
}

/** The goal, the steps in order with their commits, and how to contest it. */
export const missionPullRequestBody = (mission: MissionDescription): string =>
  [
    "**Goal.**",
    "",
    limited(Secrets.redactSecrets(mission.goal.trim()), MAX_GOAL),
    "",
    "**Steps.**",
    "",
    ...mission.steps.map(listedStep),
    "",
    "Each step is one commit, which passed the gates of a fix and names its job.",
    "",
    `**To contest it.** Close this pull request: what ${mission.ref} fixes is open again then. Push to its branch where a change should be another one.`,
    ""
  ].join("\n")

/** What was wrong, why the change is right, the evidence, the gates, and how to contest it. */
export const pullRequestBody = (fix: FixDescription): string => {
  const { what, why } = descriptionParts(fix.description.trim())
  return [
    `**What was wrong.** ${what}`,
    "",
    ...(why === null ? [] : [why, ""]),
    `Reported as ${fix.ref} by \`${fix.rule_id}\`${weaknesses(fix.cwe)} at \`${fix.file_path}:${fix.line_start}\`:`,
    "",
    fenced(limited(Secrets.redactSecrets(fix.snippet.trimEnd()), MAX_SNIPPET)),
    "",
    `**Why this change.** ${summaryOf(fix)}`,
    "",
    ...(fix.evidence.length === 0
      ? []
      : ["**Evidence.**", "", ...fix.evidence.map((line) => `- ${oneLine(line)}`), ""]),
    "**Gates.**",
    "",
    ...fix.gates
      .filter(({ result }) => result !== "skipped")
      .map(({ name, result, reason }) => `- \`${name}\` ${result}: ${oneLine(reason)}`),
    "",
    `**To contest it.** Close this pull request: ${fix.ref} is open again then. Dismiss ${fix.ref} where the report is wrong, ` +
      "with the reason, and it stays closed. Request a revision where the change should be another one.",
    ""
  ].join("\n")
}
