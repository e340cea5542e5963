import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Site } from "../../Observed.ts"

/** How such a command is declared. */
export const loadedShape = "name in the list of modules that a loop loads"

const MIN_NAMES = 3
/** The module is loaded by the first lines of the loop. */
const MAX_BODY = 400

/** A list of words, with a comma between each and the next. */
const list = /[[(]([\s\w"',-]{8,2000})[\])]/g

const wordsIn = (text: string): ReadonlyArray<string> => {
  const parts = text.split(",").map((part) => part.trim())
  const named = parts.filter((part) => /^(["'])[a-z][\w-]{0,40}\1$/.test(part)).map((part) => part.slice(1, -1))
  return named.length === parts.filter((part) => part !== "").length ? named : []
}

/** What is loaded is a module whose name the loop has: `require('./' + name)`, `import(…)`, `import_module(f"…")`. */
const loads = (variable: string): RegExp =>
  new RegExp(
    String.raw`(?:\brequire|\bimport|\bimport_module|\b__import__)\(\s*[^()\n]{0,80}(?<![\w$])${variable}(?![\w$])`
  )

const direct = /^\s*\.(?:forEach|map|reduce)\(\s*(?:async\s+)?(?:function\s*\w*\s*)?\(?\s*(\w{1,30})/

/** The variable of a loop that begins right behind the list, or of one over the list's name further on. */
const loopOf = (file: SourceFile, start: number, end: number): readonly [variable: string, from: number] | null => {
  const after = file.text.slice(end, end + 160)
  const before = file.text.slice(Math.max(0, start - 120), start)
  const chained = direct.exec(after)
  if (chained !== null) return [chained[1]!, end + chained[0].length]
  const inHead = /\bfor\s*\(?\s*(?:const\s+|let\s+|var\s+)?(\w{1,30})\s+(?:of|in)\s+$/.exec(before)
  if (inHead !== null) return [inHead[1]!, end]
  const name = /(?:^|[\s.])(\w{1,40})\s*(?::[^=\n]{1,60})?=\s*$/.exec(before)?.[1]
  if (name === undefined) return null
  const over = new RegExp(
    String.raw`\bfor\s*\(?\s*(?:const\s+|let\s+|var\s+)?(\w{1,30})\s+(?:of|in)\s+(?:\w+\.)?${name}\b|(?<!\w)${name}\s*\.(?:forEach|map|reduce)\(\s*(?:async\s+)?(?:function\s*\w*\s*)?\(?\s*(\w{1,30})`,
    "g"
  )
  over.lastIndex = end
  const found = over.exec(file.text)
  return found === null ? null : [(found[1] ?? found[2])!, found.index + found[0].length]
}

/** Modules that a loop loads by the names of a list; whether they are commands the file's or the list's name says. */
const isOfCommands = /command|cmd|\bcli\b|yargs|argparse|click|commander|sub_?parser|program/i

/** Commands whose modules a loop loads by their names: `['add', 'list'].forEach((name) => require('./' + name))`. */
export const loadedCommands = (file: SourceFile): ReadonlyArray<Site> => {
  if (!/^(?:typescript|javascript|python)$/.test(file.language)) return []
  if (!isOfCommands.test(file.text) || !/\b(?:require|import|import_module|__import__)\(/.test(file.text)) return []
  return [...file.text.matchAll(list)].flatMap((match): ReadonlyArray<Site> => {
    const named = wordsIn(match[1]!)
    if (named.length < MIN_NAMES) return []
    const loop = loopOf(file, match.index, match.index + match[0].length)
    if (loop === null || !loads(loop[0]).test(file.text.slice(loop[1], loop[1] + MAX_BODY))) return []
    let from = match.index
    return named.map((symbol): Site => {
      from = file.text.indexOf(symbol, from)
      const line = file.line(from)
      return { kind: "command", shape: loadedShape, line, end: line, symbol }
    })
  })
}
