import { fence } from "../documentSections.ts"

const isPrompted = /^\s*\$\s+\S/
/** Only leads to where the commands are typed that follow, for some without a prompt. */
const isLead = /^\s*\$\s+(?:git clone|cd|mkdir|pushd)\s/
/** A comment, or what the administrator types. */
const isMarked = /^\s*[#%>]/

/** Of a block whose first line has a prompt, the lines that have none and go on with no other: what the commands print. */
const outputsOf = (lines: ReadonlyArray<string>, from: number, to: number): ReadonlyArray<number> => {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index)
  const first = numbers.find((at) => lines[at]!.trim() !== "" && !/^\s*#/.test(lines[at]!))
  if (first === undefined || !isPrompted.test(lines[first]!)) return []
  if (!numbers.some((at) => isPrompted.test(lines[at]!) && !isLead.test(lines[at]!))) return []
  return numbers.filter(
    (at) => at > first && !isPrompted.test(lines[at]!) && !isMarked.test(lines[at]!) && !lines[at - 1]!.endsWith("\\")
  )
}

/** Lines of a document, by their index, that show what the commands of their block print. */
export const outputLines = (lines: ReadonlyArray<string>): ReadonlySet<number> => {
  const found = new Set<number>()
  let start: number | null = null
  for (const [index, line] of lines.entries()) {
    if (!fence.test(line)) continue
    if (start !== null) for (const at of outputsOf(lines, start, index)) found.add(at)
    start = start === null ? index + 1 : null
  }
  return found
}
