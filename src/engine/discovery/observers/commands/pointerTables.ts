import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Site } from "../../Observed.ts"

/** Where a table of C begins: `static const verb_t verbs[] = {`. The last word of its type, and its name. */
const head =
  /^[ \t]{0,20}(?:(?:static|const|constexpr|struct|public)[ \t]+){0,4}([A-Za-z_][\w:]{0,60})[ \t*]+(?:const[ \t]+)?(?:\w{1,40}::){0,2}([A-Za-z_]\w{0,60})\[\w{0,40}\][ \t]*=\s{0,20}\{[ \t]*(?:\/[/*][^\n]*)?$/gm

/** A name that says that commands are what the table has. */
const isOfCommands = /(?:^|_|[a-z](?=C))(?:[cC]ommand|CMD|[cC]md|[vV]erb)s?(?![a-z])/

/** What was typed is compared with the names of the table. */
const isTyped = /(?:[cC]ommand|[cC]md|[vV]erb|argv|[iI]nput|[tT]oken|[tT]yped)/

const MIN_ROWS = 4
const MAX_ROWS = 400
const LINES_TO_COMPARE = 8

interface Row {
  readonly symbol: string
  readonly line: number
  /** Names of the row that may be of functions, by their place. */
  readonly names: ReadonlyArray<string>
}

const rowOf = (text: string, line: number): Row | null => {
  const body = /^\s*\{(.{3,400})$/.exec(text)?.[1]
  const symbol = body === undefined ? undefined : /^[^"]{0,120}"([A-Za-z][\w-]*)"/.exec(body)?.[1]
  if (body === undefined || symbol === undefined) return null
  const parts = body
    .replace(/"[^"\n]{0,200}"/g, '""')
    .replace(/\}.*$/, "")
    .split(",")
  const names = parts.map((part) => /^\s*&?(?:\w{1,40}::){0,2}([a-z_]\w*)\s*$/.exec(part)?.[1] ?? "")
  return { symbol, line, names }
}

const rowsBelow = (file: SourceFile, first: number): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  for (let line = first + 1; line <= Math.min(first + MAX_ROWS, file.lineCount); line++) {
    const text = file.lineText(line)
    if (/^\s*\}\s*;/.test(text)) break
    const row = rowOf(text, line)
    if (row !== null) rows.push(row)
  }
  return rows
}

/** One column has a function of its own for nearly each row. */
const haveFunctions = (rows: ReadonlyArray<Row>, declared: ReadonlySet<string>): boolean => {
  const width = Math.max(...rows.map(({ names }) => names.length))
  return Array.from({ length: width }, (_, column) => rows.map(({ names }) => names[column] ?? "")).some(
    (column) => new Set(column.filter((name) => declared.has(name))).size >= 0.7 * rows.length
  )
}

const declaration = /^[ \t]{0,8}[A-Za-z][^\n;(){}="]{1,120}?(?<!\w)([a-z_]\w{0,60})\s?\(/gm

const declaredIn = (file: SourceFile): ReadonlySet<string> =>
  new Set([...file.text.matchAll(declaration)].map((match) => match[1]!))

/** Whether the names of a table are compared with what was typed, there or by what points to its rows. */
const isCompared = (file: SourceFile, table: string): boolean => {
  const named = new RegExp(String.raw`\b${table}\b`)
  let since = LINES_TO_COMPARE
  for (let line = 1; line <= file.lineCount; line++) {
    const text = file.lineText(line)
    since = named.test(text) ? 0 : since + 1
    if (since < LINES_TO_COMPARE && /\bstr(?:case)?n?(?:case)?i?cmp\s*\(/.test(text) && isTyped.test(text)) return true
  }
  return false
}

/** Commands that are rows of a table of C with a pointer to the function of each, whatever the table is called. */
export const pointerTables = (file: SourceFile): ReadonlyArray<Site> => {
  if (!/^(?:c|cpp)$/.test(file.language)) return []
  let declared: ReadonlySet<string> | null = null
  return [...file.text.matchAll(head)].flatMap((match): ReadonlyArray<Site> => {
    const [whole, type, name] = match
    const rows = rowsBelow(file, file.line(match.index + whole.trimEnd().length - 1))
    if (new Set(rows.map(({ symbol }) => symbol)).size < MIN_ROWS) return []
    declared ??= declaredIn(file)
    if (!haveFunctions(rows, declared)) return []
    if (!isOfCommands.test(name!) && !isOfCommands.test(type!) && !isCompared(file, name!)) return []
    return rows.map(({ symbol, line }) => ({ kind: "command", shape: `row of \`${name}\``, line, end: line, symbol }))
  })
}
