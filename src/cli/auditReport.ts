import Table from "cli-table3"
import type { Priority } from "../schema/Observation.ts"
import type { Finding, ScanResult } from "../services/audit/ScanResult.ts"

const priorities: ReadonlyArray<Priority> = ["P0", "P1", "P2", "P3"]

const headings: Record<Priority, string> = {
  P0: "P0  fix now",
  P1: "P1  fix soon",
  P2: "P2  plan a fix",
  P3: "P3  improve when you are there"
}

/** Text of a repository must not steer the terminal. */
export const printable = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd")

const shorten = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(1, width - 1))}…`

const keepEnd = (text: string, width: number): string =>
  text.length <= width ? text : `…${text.slice(-Math.max(1, width - 1))}`

const table = (findings: ReadonlyArray<Finding>, width: number): string => {
  const whereWidth = Math.min(50, Math.max(20, Math.floor(width * 0.4)))
  const ruleWidth = Math.min(40, Math.max(20, Math.floor(width * 0.28)))
  const whatWidth = Math.max(20, width - whereWidth - ruleWidth - 8)
  const rows = new Table({
    chars: {
      top: "",
      "top-mid": "",
      "top-left": "",
      "top-right": "",
      bottom: "",
      "bottom-mid": "",
      "bottom-left": "",
      "bottom-right": "",
      left: "  ",
      "left-mid": "",
      mid: "",
      "mid-mid": "",
      right: "",
      "right-mid": "",
      middle: "  "
    },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] }
  })
  for (const finding of findings) {
    const [first, ...more] = finding.locations
    const where = `${printable(first.file_path)}:${first.line_start}`
    const also = more.length === 0 ? "" : ` (+${more.length})`
    rows.push([
      keepEnd(where, whereWidth - also.length) + also,
      shorten(printable(finding.title), whatWidth),
      shorten(finding.rule_id, ruleWidth)
    ])
  }
  return rows.toString()
}

const count = (n: number, noun: string): string => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`

const summary = (result: ScanResult): ReadonlyArray<string> => {
  const { inventory, skipped_counts, suppressed, tools } = result
  const speed = Math.round(inventory.lines / Math.max(0.001, result.wall_ms / 1000))
  const skipped = Object.entries(skipped_counts).map(([reason, n]) => `${n} ${reason}`)
  const unfinished = tools.filter(({ status }) => status !== "completed").map(({ id }) => id)
  const hidden = suppressed.reduce((sum, { count }) => sum + count, 0)
  return [
    `${count(inventory.files, "file")}, ${count(inventory.lines, "line")} in ${(result.wall_ms / 1000).toFixed(1)} s ` +
      `(${speed.toLocaleString("en")} lines/s), ${tools.length} tools.`,
    ...(skipped.length === 0 ? [] : [`Not inspected: ${skipped.join("; ")}.`]),
    ...(hidden === 0
      ? []
      : [`${count(hidden, "more place")} of rules that reached their cap; --json names the rules.`]),
    ...(unfinished.length === 0 ? [] : [`Did not finish: ${unfinished.join(", ")}. The result is incomplete.`])
  ]
}

/** What a person reads: findings by priority, then what was looked at. */
export const renderReport = (result: ScanResult, width: number): string => {
  const groups = priorities
    .map((priority) => ({ priority, found: result.findings.filter((finding) => finding.priority === priority) }))
    .filter(({ found }) => found.length > 0)
  const body =
    groups.length === 0
      ? ["No findings."]
      : groups.flatMap(({ priority, found }) => [`${headings[priority]} (${found.length})`, table(found, width), ""])
  return [...body, ...summary(result)].join("\n")
}

/** Whether something at this priority or above was found. */
export const reaches = (findings: ReadonlyArray<Finding>, threshold: Priority): boolean =>
  findings.some(({ kind, priority }) => kind === "finding" && priority <= threshold)
