import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { clip, type ObservedRoute } from "../../Observed.ts"

/** Such a table declares routes only where a server of the repository reads it, which another file may say. */
export const keyedFramework = "table of addresses"

const MIN_ROWS = 3
const MAX_ROWS = 300

/** What a table is called that leads from addresses to what answers them. */
const name = String.raw`((?:\w{0,30}(?:[rR]out|ROUT|[hH]andler|HANDLER|[eE]ndpoint|ENDPOINT|[uU]rl|URL|[aA]pi|API|[rR]eq(?:uest)?s?(?![a-z])|REQUEST|[dD]ispatch|[cC]ontroller|[pP]aths?(?![a-z])|PATHS?|[vV]iews?(?![a-z])|VIEWS?|[rR]esource|[sS]ervlet))\w{0,30}|(?:on|do)?_?(?:[gG]et|GET|[pP]ost|POST|[pP]ut|PUT|[pP]atch|PATCH|[dD]elete|DELETE)s?)`

/** The address itself, with a method or not, or a constant that is named for one: `API.cookies`, `USERS_PATH`. */
const key = String.raw`(?:(?:\(\s{0,4}["'](?<verb>[A-Z]{3,7})["']\s{0,4},\s{0,4})?r?["'\x60](?:(?<method>[A-Z]{3,7})\s{1,4})?(?<path>\/[^"'\x60\n]{0,160})["'\x60]\s{0,4}\)?|\[?(?<constant>\w{0,30}(?:[aA]pi|API|[rR]outes?|ROUTES?|[pP]aths?|PATHS?|[uU]rls?|URLS?|[eE]ndpoints?|ENDPOINTS?)\.\w{1,40}|[A-Z\d_]{0,30}(?:API|ROUTE|PATH|URL|URI|ENDPOINT)[A-Z\d_]{0,30})\]?)`

/** A function by its name, or as it is written; neither a text or a number, nor a class that stands for a page. */
const answering = (first: string): string =>
  String.raw`(?:(?<handler>(?:[\w$]{1,40}\.){0,4}(?!(?:true|false|null|undefined|async|function|func|lambda|new|require|await)\b)${first}[\w$]{1,60})(?=\s*(?:[,}\])]|$))|(?:async|function|lambda)\b|func\s*\(|\([\w\s,:{}]{0,80}\)\s*=>|\w{1,30}\s*=>)`

interface TableForm {
  readonly languages: RegExp
  /** Begins a table, with its name, and ends its line. */
  readonly head: RegExp
  readonly row: RegExp
}

const script = /^(?:typescript|tsx|javascript)$/
const declared = String.raw`^[ \t]*(?:export\s+)?(?:(?:const|let|var|readonly|static|private|public)\s+|this\.|(?:module\.)?exports\.)?`

const forms: ReadonlyArray<TableForm> = [
  {
    languages: script,
    head: new RegExp(
      String.raw`${declared}${name}\s*(?::[^=\n]{1,120})?=\s*new Map(?:<[^()\n]{1,120}>)?\(\[[ \t]*$`,
      "gm"
    ),
    row: new RegExp(String.raw`^\s*\[\s*${key}\s*,\s*${answering("[a-z_$]")}`)
  },
  {
    languages: script,
    head: new RegExp(String.raw`${declared}${name}\s*(?::[^=\n{]{1,120}=|[=:])\s*(?:Object\.freeze\()?\{[ \t]*$`, "gm"),
    row: new RegExp(String.raw`^\s*${key}\s*:\s*${answering("[a-z_$]")}`)
  },
  {
    languages: /^python$/,
    head: new RegExp(String.raw`^[ \t]*(?:self\.|cls\.)?${name}\s*(?::[^=\n]{1,120})?=\s*\{[ \t]*(?:#.*)?$`, "gm"),
    row: new RegExp(String.raw`^\s*${key}\s*:\s*${answering("[A-Za-z_]")}`)
  },
  {
    languages: /^python$/,
    head: new RegExp(String.raw`^[ \t]*(?:self\.|cls\.)?${name}\s*(?::[^=\n]{1,120})?=\s*[[(][ \t]*(?:#.*)?$`, "gm"),
    row: new RegExp(String.raw`^\s*\(\s*r?["']\^?(?<path>\/[^"'\n]{0,160})["']\s*,\s*${answering("[A-Za-z_]")}`)
  },
  {
    languages: /^go$/,
    // The type says what such a map of a function without a name is for.
    head: /^[ \t]*return\s()map\[string\](?:http\.Handler(?:Func)?|\w{1,12}\.HandlerFunc|func\(\w{0,20}[ ]?http\.ResponseWriter[^()\n]{0,60}\))\{[ \t]*$/gm,
    row: new RegExp(String.raw`^\s*${key}\s*:\s*${answering("[A-Za-z_]")}`)
  },
  {
    languages: /^go$/,
    head: new RegExp(
      String.raw`^[ \t]*(?:var\s+)?(?:\w{1,20}\.)?${name}\s*:?=\s*map\[string\][^{}\n]{1,160}\{[ \t]*(?:\/\/.*)?$`,
      "gm"
    ),
    row: new RegExp(String.raw`^\s*${key}\s*:\s*${answering("[A-Za-z_]")}`)
  }
]

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const

/** The method that the key or the name of its table says. */
const methodOf = (written: string | undefined, table: string): ObservedRoute["method"] =>
  methods.find((method) =>
    written === undefined
      ? new RegExp(`(?:^|_|on|do|[a-z])(?:${method[0]}${method.slice(1).toLowerCase()})(?![a-z])`).test(
          table.replace(/^[a-z]/, (first) => first.toUpperCase())
        ) || new RegExp(`(?:^|_)${method}(?:_|S?$)`).test(table)
      : method === written
  ) ?? "ANY"

const routeOf = ({ groups = {} }: RegExpExecArray, table: string, line: number): ObservedRoute => ({
  framework: keyedFramework,
  method: methodOf(groups.verb ?? groups.method, table),
  path: groups.path?.replace(/\$$/, "") ?? `{${groups.constant}}`,
  handler: groups.handler === undefined ? null : clip(groups.handler, 100),
  guards: [],
  line,
  end: line
})

/** Rows of one table; what is indented further belongs to the function of a row. */
const rowsBelow = (file: SourceFile, { row }: TableForm, table: string, head: number): ReadonlyArray<ObservedRoute> => {
  const indent = Math.max(0, file.lineText(head).search(/\S/))
  const found: Array<ObservedRoute> = []
  let depth = -1
  for (let line = head + 1; line <= Math.min(head + MAX_ROWS, file.lineCount); line++) {
    const text = file.lineText(line)
    const at = text.search(/\S/)
    if (at >= 0 && at <= indent) break
    // What answers may stand on the next line.
    const match = row.exec(/[,:]\s*$/.test(text) ? `${text}\n${file.lineText(line + 1)}` : text)
    if (match === null || (depth >= 0 && at !== depth)) continue
    depth = at
    found.push(routeOf(match, table, line))
  }
  return found.length < MIN_ROWS ? [] : found
}

/** Addresses, or constants that hold them, that a table leads to functions, where no framework has routes declared. */
export const keyedRoutes = (file: SourceFile): ReadonlyArray<ObservedRoute> =>
  forms.flatMap((form) =>
    form.languages.test(file.language)
      ? [...file.text.matchAll(form.head)].flatMap((head) =>
          rowsBelow(file, form, head[1]!, file.line(head.index + head[0].trimEnd().length - 1))
        )
      : []
  )
