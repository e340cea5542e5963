import { Advisories, type Finding, type ScanResult } from "../engine/index.ts"
import type { Priority } from "../schema/Observation.ts"
import { decisionLines } from "./decisionsText.ts"
import { findingBlock, findingLines } from "./findingText.ts"
import { type Paint, printable } from "./terminal.ts"
import { counted, grouped, wrapped } from "./terminalText.ts"

const priorities: ReadonlyArray<Priority> = ["P0", "P1", "P2", "P3"]

const headings: Record<Priority, string> = {
  P0: "fix now",
  P1: "fix soon",
  P2: "plan a fix",
  P3: "improve when you are there"
}

const colours: Record<Priority, "red" | "yellow" | "cyan" | "blue"> = {
  P0: "red",
  P1: "yellow",
  P2: "cyan",
  P3: "blue"
}

export interface ReportOptions {
  /** Columns of the terminal; null where nothing needs to be cut or wrapped. */
  readonly width: number | null
  readonly paint: Paint
  /** The moment from which the age of advisories is counted. */
  readonly now: number
  /** Whether to add how to get more than the table. */
  readonly hint: boolean
  /** Advisories in full, and each file that was left out. */
  readonly verbose: boolean
}

/** Of one priority: what is less sure must not bury what is sure. */
const MAX_UNSURE = 20

const inspected = (result: ScanResult, verbose: boolean): ReadonlyArray<string> => {
  const { inventory, left_out, suppressed, tools, reused_files, skipped, wall_ms } = result
  const speed = Math.round(inventory.lines / Math.max(0.001, wall_ms / 1000))
  const unfinished = tools.filter(({ status }) => status !== "completed").map(({ id }) => id)
  const hidden = suppressed.reduce((sum, { count }) => sum + count, 0)
  return [
    `${counted(inventory.files, "file")}, ${counted(inventory.lines, "line")}, ${counted(tools.length, "tool")} in ` +
      `${(wall_ms / 1000).toFixed(1)} s (${grouped(speed)} lines/s).`,
    ...(reused_files === 0 ? [] : [`${counted(reused_files, "file")} had not changed since the last audit.`]),
    ...left_out.map(
      ({ reason, explanation, files, examples }) =>
        `Left out: ${counted(files, "file")}, ${reason.replaceAll("_", " ")}, such as ${printable(examples[0] ?? "")}. ${explanation}`
    ),
    ...(verbose ? skipped.map(({ path, reason }) => `  ${printable(path)} (${reason.replaceAll("_", " ")})`) : []),
    ...(hidden === 0 ? [] : [`${counted(hidden, "more place")} reported together, each rule in one finding.`]),
    ...decisionLines(result, verbose),
    ...(unfinished.length === 0 ? [] : [`Did not finish: ${unfinished.join(", ")}. The result is incomplete.`])
  ]
}

/** The observations of one priority: findings in full, then what is less sure in short. */
const section = (found: ReadonlyArray<Finding>, { verbose, ...options }: ReportOptions): ReadonlyArray<string> => {
  if (verbose) return found.flatMap((finding) => findingBlock(finding, options))
  const sure = found.filter(({ kind }) => kind === "finding")
  const unsure = found.filter(({ kind }) => kind !== "finding")
  const hidden = unsure.length - MAX_UNSURE
  return [
    ...sure.flatMap((finding) => findingBlock(finding, options)),
    ...(unsure.length === 0 ? [] : [`  ${options.paint("bold", unsureHeading(unsure))}`, ""]),
    ...unsure.slice(0, MAX_UNSURE).flatMap((finding) => findingLines(finding, options)),
    ...(hidden > 0 ? [`  and ${hidden.toLocaleString("en")} more of these`] : []),
    ...(unsure.length === 0 ? [] : [""])
  ]
}

const unsureHeading = (unsure: ReadonlyArray<Finding>): string =>
  (["advisory", "suggestion"] as const)
    .flatMap((kind) => {
      const count = unsure.filter((finding) => finding.kind === kind).length
      const noun = count === 1 ? kind : kind === "advisory" ? "advisories" : "suggestions"
      return count === 0 ? [] : [`${grouped(count)} ${noun}`]
    })
    .join(", ")

/** What a person reads: findings by priority, then how many there are and what was looked at. */
export const renderReport = (result: ScanResult, options: ReportOptions): string => {
  const { width, paint, now, hint, verbose } = options
  const groups = priorities
    .map((priority) => ({ priority, found: result.findings.filter((finding) => finding.priority === priority) }))
    .filter(({ found }) => found.length > 0)
  const body = groups.flatMap(({ priority, found }) => [
    `${paint(["bold", colours[priority]], priority)}  ${paint("bold", headings[priority])}`,
    "",
    ...section(found, options)
  ])
  const counts = groups.map(({ priority, found }) => paint(colours[priority], `${found.length} ${priority}`))
  const total =
    groups.length === 0
      ? paint("bold", "No findings.")
      : `${paint("bold", counted(result.findings.length, "observation"))}: ${counts.join(", ")}.`
  const more =
    hint && groups.length > 0
      ? [
          "assay explain <rule> says why it matters and how to fix it; --verbose shows all;",
          "--sarif <file> and --json keep it for programs; --fix repairs what it can."
        ]
      : []
  const compared = result.advisories === undefined ? [] : Advisories.describeUse(result.advisories, now)
  const facts = [...inspected(result, verbose), ...compared].flatMap((text) =>
    width === null ? [text] : wrapped(text, width)
  )
  return [...body, total, ...facts.map((text) => paint("dim", text)), ...more].join("\n")
}

/** Whether something at this priority or above was found. */
export const reaches = (findings: ReadonlyArray<Finding>, threshold: Priority): boolean =>
  findings.some(({ kind, priority }) => kind === "finding" && priority <= threshold)
