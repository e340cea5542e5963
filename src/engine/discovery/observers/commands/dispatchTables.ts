import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Site } from "../../Observed.ts"
import { languageName } from "../languageName.ts"

const languages = /^(?:typescript|javascript|python|go|ruby|php|perl|lua)$/

/** What was typed: an argument of the program, or a variable that is named for a command. */
const key = String.raw`(?:sys\.argv\[1\]|process\.argv\[2\]|argv\._\[0\]|(?:os\.Args|args|argv|ARGV)\[[01]\]|\$ARGV\[0\]|\$argv\[1\]|arg\[1\]|ARGV\.(?:shift|first)|\$?(?:(?:(?:\w{1,20}_)?args|opts|options|argv|ns|namespace)(?:\.|->))(?:sub_?)?(?:command|cmd|verb|action|mode|parser)(?:_name)?|\$?(?:sub_?)?(?:command|cmd|verb)(?:_?[nN]ame)?)`

/** A table that what was typed picks a row of: `table[sys.argv[1]]`, `table.get(args.command)`, `$table{$command}`. */
const lookup = new RegExp(
  String.raw`(?<![\w.])[$@%]?(?:(?:this|self)\.)?([A-Za-z_]\w{1,40})(?:->)?(?:\[|\{|\.get\(|\.fetch\()[ \t]*${key}[ \t]*[\]}),]`,
  "g"
)

/** Says something of each command rather than doing it. */
const isOfWords =
  /desc|help|usage|alias|text|label|title|opt(?:ion)?s?(?![a-z])|perm|colou?r|icon|message|types?(?![a-z])|schema|arg|doc|summary|count|stat/i

/** A row leads from the command's name to what does it: a function, a name of one, or a module. */
const row =
  /^\s*(?:\[\s*)?(?:["']([A-Za-z][\w-]{0,40})["']|:?([A-Za-z][\w-]{0,40}))(?:\s*\])?\s*(?:=>|:|=)\s*(?:\\&|&)?(?:(?:async\s+)?(?:function\b|func\b|sub\b|lambda\b|fn\b|\([\w\s,={}]{0,80}\)\s*=>|\w{1,30}\s*=>)|(?:lazy|method|require|import)\s*\(?|->|[a-z_][\w.]{1,60}\s*(?:,|$)|[A-Z][a-z]\w{0,60}(?:\.\w{1,40})?\s*(?:,|$))/

const MIN_ROWS = 3
const MAX_TABLE = 400

const headOf = (names: ReadonlyArray<string>): RegExp =>
  new RegExp(
    String.raw`^[ \t]*(?:[\w.]+[ \t]+){0,3}[$@%]?(?:(?:this|self)\.)?(${names.join("|")})[ \t]*(?::[^=\n]{1,80})?:?=[ \t]*(?:\w{1,20}\()?(?:map\[string\][^\n{]{0,80})?[[{(][ \t]*$`,
    "gm"
  )

const rowsBelow = (file: SourceFile, name: string, head: number): ReadonlyArray<Site> => {
  const indent = file.lineText(head).search(/\S/)
  const found: Array<Site> = []
  let depth = -1
  for (let line = head + 1; line <= Math.min(head + MAX_TABLE, file.lineCount); line++) {
    const text = file.lineText(line)
    const at = text.search(/\S/)
    if (at >= 0 && at <= indent && /[\]})]/.test(text[at]!)) break
    const match = row.exec(text)
    const symbol = match?.[1] ?? match?.[2]
    if (symbol === undefined || (depth >= 0 && at !== depth)) continue
    depth = at
    found.push({ kind: "command", shape: `row of \`${name}\``, line, end: line, symbol })
  }
  return found.length < MIN_ROWS ? [] : found
}

/** A table on one line: `table = dict(add=Add, list=List)`, `table = {"add": add, "list": show}`. */
const lineHead = (names: ReadonlyArray<string>): RegExp =>
  new RegExp(
    String.raw`^[ \t]*(?:(?:const|let|var|my|our)[ \t]+)?[$%@]?(${names.join("|")})[ \t]*(?::[^=\n]{1,80})?=[ \t]*(?:dict\(|\{|\()([^\n]{10,600}?)[)}];?[ \t]*$`,
    "gm"
  )

const pair = /^\s*(?:["']([A-Za-z][\w-]{0,40})["']|([A-Za-z]\w{0,40}))\s*(?:=>|:|=)\s*\\?&?[A-Za-z_][\w.]{0,60}\s*$/

const pairsIn = ([, name, body]: RegExpExecArray, line: number): ReadonlyArray<Site> => {
  const parts = body!.split(",").filter((part) => part.trim() !== "")
  const symbols = parts.map((part) =>
    pair
      .exec(part)
      ?.slice(1)
      .find((one) => one !== undefined)
  )
  return symbols.length < MIN_ROWS || symbols.includes(undefined)
    ? []
    : symbols.map((symbol) => ({ kind: "command", shape: `row of \`${name}\``, line, end: line, symbol: symbol! }))
}

const MAX_TABLES = 8

/** Commands that are rows of a table, whatever it is called, where what was typed picks one of them. */
export const dispatchTables = (file: SourceFile): ReadonlyArray<Site> => {
  const language = languageName(file)?.toLowerCase() ?? ""
  if (!languages.test(language)) return []
  const names = new Set<string>()
  for (const [, name] of file.text.matchAll(lookup))
    if (names.size < MAX_TABLES && !isOfWords.test(name!)) names.add(name!)
  if (names.size === 0) return []
  const written = [...file.text.matchAll(headOf([...names]))].slice(0, MAX_TABLES)
  const onOneLine = [...file.text.matchAll(lineHead([...names]))].slice(0, MAX_TABLES)
  const lineOf = ({ index, 0: text }: RegExpExecArray) => file.line(index + text.search(/\S/))
  return [
    ...written.flatMap((match) => rowsBelow(file, match[1]!, lineOf(match))),
    ...onOneLine.flatMap((match) => pairsIn(match, lineOf(match)))
  ]
}
