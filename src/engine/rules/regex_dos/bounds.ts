import type { SourceFile } from "../../core/files/SourceFile.ts"
import { Matcher } from "../../languages/regex/Matcher.ts"
import { parseRegex } from "../../languages/regex/parseRegex.ts"
import type { SlowRegex } from "../../languages/regex/slowRegex.ts"
import { type FunctionInfo, functions } from "../../languages/syntax/vocabulary.ts"

const escaped = (name: string): string => name.replaceAll("$", "\\$")

/** More characters than these give any pattern time to be slow. */
const MANY = 10_000

/** `text.length > 2000`, `len(text) < MAX_LENGTH` */
const comparesLength = (text: string, name: string): boolean => {
  if (!/^[\w$]+$/.test(name)) return false
  const own = escaped(name)
  const length = `(?:${own}(?:\\?)?\\.(?:length|size|Length|count)(?:\\(\\))?|(?:len|strlen|mb_strlen|count)\\(${own}\\))`
  return [...text.matchAll(new RegExp(`${length}\\s*[<>]=?\\s*([\\w.$]+)`, "g"))].some(
    ([, limit]) => /max|limit/i.test(limit!) || (Number(limit) > 1 && Number(limit) <= MANY)
  )
}

const computeLimits = (file: SourceFile): ReadonlySet<string> =>
  new Set(
    functions(file).flatMap(({ name, node, parameters: [first] }) =>
      name !== null && first !== undefined && comparesLength(file.tree!.textOf(node).slice(0, MAX_CHECK), first.name)
        ? [name.split(".").at(-1)!]
        : []
    )
  )

/** A function that only checks a text is no longer than this. */
const MAX_CHECK = 1_000

/** `if (!isHeader(text)) return`, where that function of the file compares the length with a limit. */
const isCheckedByHelper = (file: SourceFile, text: string, name: string): boolean =>
  [
    ...text.matchAll(
      new RegExp(`\\b(?:if|assert\\w*)\\s*\\(\\s*!?\\s*(?:[\\w$]+\\.)?([\\w$]+)\\(\\s*${escaped(name)}\\s*[,)]`, "g")
    )
  ].some(([, helper]) => file.memo(computeLimits, computeLimits).has(helper!))

/** The function compares the length of a text with a limit, or asks for its type, before it matches the text. */
export const isBounded = (file: SourceFile, info: FunctionInfo, name: string, before: number): boolean => {
  const text = file.text.slice(file.tree!.start(info.node), file.tree!.start(before))
  if (comparesLength(text, name) || isCheckedByHelper(file, text, name)) return true
  const own = escaped(name)
  return new RegExp(`typeof ${own}\\s*={2,3}\\s*["'](?:number|function|boolean)["']\\s*\\)?\\s*\\{[^{}]*$`).test(text)
}

const MAX_STEPS = 20_000

/** Whether the text that makes a pattern slow holds what the text was split at, so that it never comes here whole. */
export const isSplitUp = ({ pump }: SlowRegex, separators: ReadonlyArray<string>): boolean =>
  separators.some((separator) => {
    const pattern = /^\/([\s\S]*)\/([a-z]*)$/.exec(separator)
    if (pattern === null) return separator !== "" && pump.repeat(separator.length).includes(separator)
    const node = parseRegex(pattern[1]!, pattern[2]!)
    return node !== null && new Matcher(node).finds(pump.repeat(3), MAX_STEPS)
  })
