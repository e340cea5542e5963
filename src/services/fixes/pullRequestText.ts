import { Secrets } from "../../engine/index.ts"
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

const summaryOf = ({ summary }: FixDescription) => sentence(limited(Secrets.redactSecrets(summary.trim()), MAX_SUMMARY))

export const pullRequestTitle = (fix: FixDescription): string => `${subjectOf(fix)} (${fix.ref})`

export const commitMessage = (fix: FixDescription): string =>
  [
    subjectOf(fix),
    "",
    wrapped(descriptionParts(fix.description).what),
    "",
    wrapped(summaryOf(fix)),
    "",
    `Observation: ${fix.ref}`,
    `Rule: ${fix.rule_id}${weaknesses(fix.cwe)}`,
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
