import Table from "cli-table3"
import { Advisories, type Finding, type ScanResult } from "../engine/index.ts"
import type { Priority } from "../schema/Observation.ts"
import { type Paint, printable } from "./terminal.ts"

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
}

interface Row {
  readonly place: string
  readonly title: string
  readonly tool: string
}

interface Columns {
  readonly place: number
  readonly title: number
  /** 0 when there is no room for it. */
  readonly tool: number
}

const gap = 2
const roomForTools = 110
const noBorders = Object.fromEntries(
  ["top", "bottom", "left", "right"]
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .concat("mid", "mid-mid")
    .map((name) => [name, ""])
)

const rowOf = ({ locations: [first, ...more], title, tool, kind }: Finding): Row => ({
  place: `${printable(first.file_path)}:${first.line_start}${more.length === 0 ? "" : ` (+${more.length})`}`,
  title: `${printable(title)}${kind === "finding" ? "" : ` (${kind})`}`,
  tool
})

const widest = (texts: ReadonlyArray<string>) => texts.reduce((width, { length }) => Math.max(width, length), 0)

/** The title gets what is left: it is read first, and wraps; a place that is too long loses its beginning. */
const columnsFor = (rows: ReadonlyArray<Row>, width: number): Columns => {
  const tool = width < roomForTools ? 0 : widest(rows.map((row) => row.tool))
  const room = width - gap * (tool === 0 ? 2 : 3) - tool
  const fullTitle = widest(rows.map(({ title }) => title))
  const place = Math.min(widest(rows.map((row) => row.place)), Math.max(Math.floor(room * 0.45), room - fullTitle))
  return { place, title: Math.min(fullTitle, Math.max(20, room - place)), tool }
}

const keepEnd = (text: string, width: number): string =>
  text.length <= width ? text : `…${text.slice(-Math.max(1, width - 1))}`

const tableOf = (rows: ReadonlyArray<Row>, columns: Columns | null, paint: Paint): string => {
  const table = new Table({
    chars: { ...noBorders, left: " ".repeat(gap), middle: " ".repeat(gap) },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
    wordWrap: true,
    ...(columns === null
      ? {}
      : { colWidths: [columns.place, columns.title, ...(columns.tool === 0 ? [] : [columns.tool])] })
  })
  for (const { place, title, tool } of rows) {
    const shown = columns === null ? place : keepEnd(place, columns.place)
    table.push([shown, title, ...(columns?.tool === 0 ? [] : [paint("dim", tool)])])
  }
  return table.toString().replace(/[ ]+$/gm, "")
}

const count = (n: number, noun: string): string => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`

/** Who decided that something is not reported, in the order of the line. */
const deciders: Record<ScanResult["silenced"][number]["by"], string> = {
  comment: "by comments",
  configuration: "by .assay.yaml",
  foreign_mark: "by marks of other tools",
  workspace: "by the workspace",
  baseline: "by the baseline"
}

const listedPlaces = (places: ReadonlyArray<{ readonly path: string; readonly line: number | null }>): string => {
  const shown = places.slice(0, 3).map(({ path, line }) => `${printable(path)}${line === null ? "" : `:${line}`}`)
  return `${shown.join(", ")}${places.length > shown.length ? ", …" : ""}`
}

/** What is not reported because a person decided so, and what no one looked for. */
const decided = ({ silenced_counts, stale_ignores, warnings, languages_without_rules }: ScanResult) => {
  const by = Object.entries(deciders).flatMap(([key, words]) => {
    const silenced = silenced_counts[key] ?? 0
    return silenced === 0 ? [] : [`${silenced.toLocaleString("en")} ${words}`]
  })
  const unruled = languages_without_rules.map(
    ({ language, files, lines }) => `${language} (${count(files, "file")}, ${count(lines, "line")})`
  )
  return [
    ...(by.length === 0 ? [] : [`Silenced: ${by.join(", ")} (--json lists them).`]),
    ...(stale_ignores.length === 0
      ? []
      : [`Ignore comments that match nothing: ${listedPlaces(stale_ignores)}. Remove them.`]),
    ...warnings
      .slice(0, 10)
      .map(({ path, line, message }) => `Warning: ${listedPlaces([{ path, line }])}: ${printable(message)}`),
    ...(unruled.length === 0 ? [] : [`No rules for: ${unruled.join(", ")}.`])
  ]
}

const inspected = (result: ScanResult): ReadonlyArray<string> => {
  const { inventory, left_out, suppressed, tools, reused_files, wall_ms } = result
  const speed = Math.round(inventory.lines / Math.max(0.001, wall_ms / 1000))
  const unfinished = tools.filter(({ status }) => status !== "completed").map(({ id }) => id)
  const hidden = suppressed.reduce((sum, { count }) => sum + count, 0)
  return [
    `${count(inventory.files, "file")}, ${count(inventory.lines, "line")}, ${count(tools.length, "tool")} in ` +
      `${(wall_ms / 1000).toFixed(1)} s (${speed.toLocaleString("en")} lines/s).`,
    ...(reused_files === 0 ? [] : [`${count(reused_files, "file")} had not changed since the last audit.`]),
    ...left_out.map(
      ({ reason, explanation, files, examples }) =>
        `Left out: ${count(files, "file")}, ${reason.replaceAll("_", " ")}, such as ${printable(examples[0] ?? "")}. ${explanation}`
    ),
    ...(hidden === 0 ? [] : [`${count(hidden, "more place")} reported together, each rule in one finding.`]),
    ...decided(result),
    ...(unfinished.length === 0 ? [] : [`Did not finish: ${unfinished.join(", ")}. The result is incomplete.`])
  ]
}

/** What a person reads: findings by priority, then how many there are and what was looked at. */
export const renderReport = (result: ScanResult, { width, paint, now, hint }: ReportOptions): string => {
  const groups = priorities
    .map((priority) => ({ priority, found: result.findings.filter((finding) => finding.priority === priority) }))
    .filter(({ found }) => found.length > 0)
  // One layout for all groups, so that the eye can follow a column.
  const columns = width === null ? null : columnsFor(result.findings.map(rowOf), Math.max(60, width))
  const body = groups.flatMap(({ priority, found }) => [
    `${paint(["bold", colours[priority]], priority)}  ${paint("bold", headings[priority])}`,
    tableOf(found.map(rowOf), columns, paint),
    ""
  ])
  const counts = groups.map(({ priority, found }) => paint(colours[priority], `${found.length} ${priority}`))
  const total =
    groups.length === 0
      ? paint("bold", "No findings.")
      : `${paint("bold", count(result.findings.length, "observation"))}: ${counts.join(", ")}.`
  const more = hint && groups.length > 0 ? ["What to do about each: --json, or --sarif <file>."] : []
  const compared = result.advisories === undefined ? [] : Advisories.describeUse(result.advisories, now)
  return [...body, total, ...[...inspected(result), ...compared].map((text) => paint("dim", text)), ...more].join("\n")
}

/** Whether something at this priority or above was found. */
export const reaches = (findings: ReadonlyArray<Finding>, threshold: Priority): boolean =>
  findings.some(({ kind, priority }) => kind === "finding" && priority <= threshold)
