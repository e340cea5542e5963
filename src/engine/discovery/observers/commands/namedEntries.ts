import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Site } from "../../Observed.ts"

interface MapForm {
  readonly languages: RegExp
  /** The first group is what the map is called. */
  readonly head: RegExp
  /** A name, and the constructor, the class or the function that it stands for. */
  readonly entry: RegExp
}

const script = /^(?:typescript|tsx|javascript)$/

/** A class, what makes one, or a value of one that needs nothing. */
const ofScript = String.raw`(?:new\s+)?([A-Z]\w{2,60}(?:\.[A-Z]\w{1,60})?)(?:\(\))?\s*\]?\s*,?\s*(?:\/\/.*)?$`

const forms: ReadonlyArray<MapForm> = [
  {
    languages: /^go$/,
    head: /^(?:var[ \t]+|\t)?(\w{3,40})[ \t]*=[ \t]*map\[string\]\*?(?:(?:\w{1,30}\.)?[A-Z]\w{1,40}|(?:\w{1,30}\.)?[a-z]\w{0,40}[A-Z]\w{1,30}|func\([^\n]{0,120}?)[ \t]*\{[ \t]*$/gm,
    entry:
      /^\s*"([A-Za-z][\w./ -]{0,40})":\s*(?:&?((?:\w{1,30}\.)?[A-Za-z]\w{1,60})(?:\{\}|\(\))?|(func)\([^\n]{0,160}),?\s*(?:\/\/.*|\{)?$/
  },
  {
    languages: /^python$/,
    head: /^([A-Za-z_]{3,40})[ \t]*(?::[^=\n]{1,80})?=[ \t]*\{[ \t]*$/gm,
    entry: /^\s*["']([A-Za-z][\w./ -]{0,40})["']\s*:\s*((?:\w{1,40}\.){0,3}[A-Z]\w*[a-z]\w*)(?:\(\))?\s*,?\s*(?:#.*)?$/
  },
  {
    languages: script,
    head: /^(?:export[ \t]+)?(?:const|let|var)[ \t]+(\w{3,40})[ \t]*(?::[^=\n]{1,120})?=[ \t]*(?:new Map(?:<[^\n]{1,80}>)?\(\[|\{)[ \t]*$/gm,
    entry: new RegExp(String.raw`^\s*(?:\[\s*)?(?:["']([A-Za-z][\w./ -]{0,40})["']|[a-z]\w{0,40})\s*[:,]\s*${ofScript}`)
  }
]

/** What such maps lead to that is no part of a program that people add to. */
const isOfOther =
  /(?:type|kind|option|setting|flag|name|value|default|command|cmd|route|handler|header|test|case|colou?r|message|error|exception|code|level|field|column|table|key|icon|label|alias|extension|func|function|map|metric|unit|fixture|mock|schema|permission|role|scope|state|statu|event|view|page|component|model|param|arg|argument|constant|enum|dependencie|import|module|cla|prop|attr|attribute|helper|util|global|local|style|theme|cache|address|resource|url|path|link|file|class|entrie|item|element|tag|table|token|keyword|operator|node|builtin|expected|input|output)s$/i

const MIN_ENTRIES = 4
const MAX_ENTRIES = 300

/** The last word of the name of a map, where that is a plural. */
export const nounOfMap = (name: string): string | null => {
  const last = /(?:^|_|[a-z\d](?=[A-Z]))([A-Za-z][a-z]{2,24}s|[A-Z]{3,24}S)$/.exec(name)?.[1]
  return last === undefined || /(?:ss|us|is)$/i.test(last) || isOfOther.test(last)
    ? null
    : last
        .toLowerCase()
        .replace(/(?<=[a-z]{2})ies$/, "y")
        .replace(/s$/, "")
}

interface Line {
  readonly text: string
  readonly line: number
}

/** Lines of a map that begin an entry, without comments and what goes on with an entry. */
const linesBelow = (file: SourceFile, first: number): ReadonlyArray<Line> => {
  const indent = Math.max(0, file.lineText(first).search(/\S/))
  const lines: Array<Line> = []
  let depth = -1
  for (let line = first + 1; line <= Math.min(first + MAX_ENTRIES, file.lineCount); line++) {
    const text = file.lineText(line)
    const at = text.search(/\S/)
    const isEnd = /^\s*[\]})]/.test(text)
    if (isEnd && at <= indent) break
    if (at < 0 || isEnd || /^\s*(?:\/\/|#|\*|\/\*)/.test(text)) continue
    if (depth < 0) depth = at
    if (at === depth) lines.push({ text, line })
  }
  return lines
}

/** Entries of a map, where nearly all of its lines have one, each with a value of its own. */
const entriesBelow = (file: SourceFile, { entry }: MapForm, first: number): ReadonlyArray<Site> => {
  const lines = linesBelow(file, first)
  const values = new Set<string>()
  const found = lines.flatMap(({ text, line }): ReadonlyArray<Site> => {
    const value = entry.exec(text)?.findLast((part) => part !== undefined)
    if (value === undefined) return []
    values.add(value === "func" ? `func ${line}` : value)
    const symbol = /^\s*\[?\s*["']?([\w./ -]{1,41})/.exec(text)![1]!.trim()
    return [{ kind: "named_entry", shape: "", line, end: line, symbol }]
  })
  const areEntries = found.length >= MIN_ENTRIES && found.length >= 0.8 * lines.length
  return areEntries && values.size >= 0.8 * found.length ? found : []
}

/** Parts of a program that stand by their names in a map of their constructors, classes or functions; the shape is the map's name. */
export const namedEntries = (file: SourceFile): ReadonlyArray<Site> =>
  forms
    .filter(({ languages }) => languages.test(file.language))
    .flatMap((form) =>
      [...file.text.matchAll(form.head)].flatMap((match) => {
        const name = match[1]!
        if (nounOfMap(name) === null) return []
        const first = file.line(match.index + match[0].trimEnd().length - 1)
        return entriesBelow(file, form, first).map((site) => ({ ...site, shape: name }))
      })
    )
