import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Site } from "../../Observed.ts"

/** A map of Go from names to commands, by the type of its values: `script.Commands(map[string]script.Cmd{`; the first group is what it is called. */
const head =
  /(?:(?<![\w.])(\w{1,40})[ \t]*:?=[ \t]*)?\bmap\[string\]\*?((?:\w{1,30}\.)?\w{0,30}(?:Cmd|Command)(?:Func|Fn|Handler|Factory)?)\{[ \t]*$/gm

/** A map of another name has what one of the commands takes. */
const isOfCommands = /c(?:omman|m)d|verb|builtin/i

const entry = /^\s*"([A-Za-z][\w/. -]{0,40})":\s*(?:&?[A-Za-z_][\w.]{1,60}[,({]|func\b|\{)/

const MIN_ENTRIES = 3
const MAX_ENTRIES = 400

const entriesBelow = (file: SourceFile, type: string, first: number): ReadonlyArray<Site> => {
  const indent = Math.max(0, file.lineText(first).search(/\S/))
  const found: Array<Site> = []
  let depth = -1
  for (let line = first + 1; line <= Math.min(first + MAX_ENTRIES, file.lineCount); line++) {
    const text = file.lineText(line)
    const at = text.search(/\S/)
    if (/^\s*\}/.test(text) && at <= indent) break
    const symbol = entry.exec(text)?.[1]
    if (symbol === undefined || (depth >= 0 && at !== depth)) continue
    depth = at
    found.push({ kind: "command", shape: `row of \`map[string]${type}\``, line, end: line, symbol })
  }
  return found.length < MIN_ENTRIES ? [] : found
}

/** Commands that are entries of a map, wherever it is made, whose values have a type for commands. */
export const typedMaps = (file: SourceFile): ReadonlyArray<Site> =>
  file.language === "go"
    ? [...file.text.matchAll(head)].flatMap((match) => {
        const [whole, name, type] = match
        const first = file.line(match.index + whole.trimEnd().length - 1)
        return name !== undefined && !isOfCommands.test(name) ? [] : entriesBelow(file, type!, first)
      })
    : []
