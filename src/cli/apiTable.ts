import Table from "cli-table3"
import { isRecord } from "../services/support/isRecord.ts"
import { type Paint, printable } from "./terminal.ts"

interface Options {
  /** Columns of the terminal; null where nothing has to fit. */
  readonly width: number | null
  readonly paint: Paint
}

type Json = Readonly<Record<string, unknown>>

/** What people look for first, in this order; other fields follow while there is room. */
const first = ["ref", "id", "priority", "status", "workflow", "title", "name", "repo_name", "tool", "created_at"]
const unasked = ["description", "snippet", "suggested_change"]
const mostColumns = 7
const widestCell = 60
const defaultWidth = 120
const gap = 2

const text = (value: unknown): string =>
  value === null || value === undefined ? "" : printable(typeof value === "string" ? value : JSON.stringify(value))

const cut = (line: string, width: number) => (line.length <= width ? line : `${line.slice(0, Math.max(1, width - 1))}…`)

const oneLine = (value: unknown) => text(typeof value === "string" ? value.replace(/\s+/g, " ") : value)

const isCell = (value: unknown) => value === null || typeof value !== "object"

const widthOf = (rows: ReadonlyArray<Json>, name: string) =>
  Math.min(widestCell, Math.max(name.length, ...rows.map((row) => oneLine(row[name]).length)))

/** A column that is cut to less says nothing. */
const narrowestCut = 20

interface Column {
  readonly name: string
  readonly width: number
}

/** Fields that all rows can show in a cell and that say something, as many as the width has room for. */
const columnsFor = (rows: ReadonlyArray<Json>, width: number): ReadonlyArray<Column> => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) => !unasked.includes(name) && rows.every((row) => isCell(row[name])) && rows.some((row) => text(row[name]))
  )
  // What has a reference is addressed by it.
  const known = first.filter((name) => names.includes(name) && !(name === "id" && names.includes("ref")))
  const others = names.filter((name) => !first.includes(name))
  const chosen: Array<Column> = []
  let room = width
  for (const name of [...known, ...others].slice(0, mostColumns)) {
    const natural = widthOf(rows, name)
    const fits = natural <= room || (room >= narrowestCut && natural > narrowestCut) || chosen.length === 0
    if (!fits) break
    chosen.push({ name, width: Math.min(natural, Math.max(room, narrowestCut)) })
    room -= natural + gap
  }
  return chosen
}

const withoutBorders = Object.fromEntries(
  ["top", "bottom", "left", "right"]
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .concat("mid", "mid-mid")
    .map((name) => [name, ""])
)

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>, paint: Paint): string => {
  const out = new Table({
    chars: { ...withoutBorders, middle: " ".repeat(gap) },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] }
  })
  out.push(
    head.map((name) => paint("bold", name)),
    ...rows.map((row) => [...row])
  )
  return out.toString().replace(/[ ]+$/gm, "")
}

const list = (rows: ReadonlyArray<Json>, { width, paint }: Options): string => {
  const columns = columnsFor(rows, width ?? defaultWidth)
  const cells = rows.map((row) => columns.map(({ name, width }) => cut(oneLine(row[name]), width)))
  return table(
    columns.map(({ name }) => name),
    cells,
    paint
  )
}

const record = (value: Json, { paint }: Options): string => {
  const column = Math.max(0, ...Object.keys(value).map((name) => name.length)) + gap
  const indent = `\n${" ".repeat(column)}`
  return Object.entries(value)
    .filter(([, field]) => text(field) !== "")
    .map(([name, field]) => {
      const shown = typeof field === "string" ? field.split("\n").map(printable).join(indent) : text(field)
      return `${paint("bold", name)}${" ".repeat(column - name.length)}${shown}`
    })
    .join("\n")
}

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** A response for a person: a list as a table, a record line by line, anything else as it is. */
export const renderResponse = (body: string, options: Options): string => {
  const value = parsed(body)
  if (!isRecord(value)) return body.split("\n").map(printable).join("\n")
  const { data } = value
  if (!Array.isArray(data) || !data.every(isRecord)) return record(isRecord(value.error) ? value.error : value, options)
  if (data.length === 0) return "Nothing."
  const more =
    typeof value.next_cursor === "string" ? [`More: add cursor=${encodeURIComponent(value.next_cursor)}`] : []
  return [list(data, options), ...more].join("\n")
}
