import type { Language } from "../../core/files/Language.ts"

/**
 * C and C++ as one compilation would see them. The branches of `#if` are alternatives: parsed one after the other they
 * give unbalanced braces and code that frees twice. So each condition is taken to hold or not, everywhere the same and
 * such that most code remains, and the directives and the lines left out become spaces: offsets stay.
 */
export const oneConfiguration = (text: string, language: Language): string => {
  if (!/^[ \t]*#[ \t]*if/m.test(text)) return text
  const groups = groupsOf(text)
  if (groups.length === 0) return text
  const decided = decide(groups, new Map([...constants(language), ...comparisons(text, groups)]))
  return blanked(text, droppedRanges(groups, decided))
}

interface Branch {
  /** The condition, or null for `#else`. */
  readonly key: string | null
  /** False where the branch is read when the condition does not hold. */
  readonly holds: boolean
  /** Offsets of the directive's line and of the lines below it. */
  readonly start: number
  readonly from: number
  to: number
}

interface Group {
  readonly branches: Array<Branch>
  /** Start and end of the line of `#endif`. */
  readonly end: readonly [number, number]
}

interface OpenGroup {
  readonly branches: Array<Branch>
}

const directive = /^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|elifdef|elifndef|else|endif)\b(.*)$/
const MAX_DEPTH = 200

/** Groups of branches, those inside before those around them; what is not closed is left alone. */
const groupsOf = (text: string): ReadonlyArray<Group> => {
  const groups: Array<Group> = []
  const open: Array<OpenGroup> = []
  for (const { name, condition, start, end, isGuard } of directivesOf(text)) {
    if (name.startsWith("if")) {
      open.push({ branches: [branchOf(name, isGuard ? "1" : condition, start, end)] })
      continue
    }
    const current = open.at(-1)
    if (current === undefined) continue
    current.branches.at(-1)!.to = start
    if (name !== "endif") current.branches.push(branchOf(name, condition, start, end))
    else {
      open.pop()
      if (open.length < MAX_DEPTH) groups.push({ branches: current.branches, end: [start, end] })
    }
  }
  return groups
}

interface Directive {
  readonly name: string
  readonly condition: string
  readonly start: number
  readonly end: number
  /** `#ifndef X` with `#define X` below it: the guard of a header, which holds when it is first read. */
  readonly isGuard: boolean
}

const directivesOf = (text: string): ReadonlyArray<Directive> => {
  const found: Array<Directive> = []
  let isComment = false
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start)
    const line = text.slice(start, end)
    const match = isComment ? null : directive.exec(line.replace(/\\\r?\n/g, " "))
    if (match !== null) {
      const [, name = "", rest = ""] = match
      const condition = rest.replace(/\/\*.*?(?:\*\/|$)|\/\/.*$/g, "").trim()
      found.push({ name, condition, start, end, isGuard: isGuarded(text, name, condition, end) })
    }
    isComment = endsInComment(line, isComment)
    start = end + 1
  }
  return found
}

const isGuarded = (text: string, name: string, condition: string, end: number): boolean => {
  const macro = name === "ifndef" ? condition : /^!\s*defined\s*\(?\s*(\w+)\s*\)?$/.exec(condition)?.[1]
  if (name !== "ifndef" && name !== "if") return false
  const next = /^\s*#[ \t]*define[ \t]+(\w+)/.exec(text.slice(end, end + 400))
  return macro !== undefined && next?.[1] === macro
}

/** The end of a line, through continuations. */
const endOfLine = (text: string, start: number): number => {
  let end = start
  for (;;) {
    const next = text.indexOf("\n", end)
    if (next < 0) return text.length
    const isContinued = text[next - 1] === "\\" || (text[next - 1] === "\r" && text[next - 2] === "\\")
    if (!isContinued) return next
    end = next + 1
  }
}

const endsInComment = (line: string, isComment: boolean): boolean => {
  let inside = isComment
  for (let at = 0; at < line.length; ) {
    if (inside) {
      const close = line.indexOf("*/", at)
      if (close < 0) return true
      inside = false
      at = close + 2
      continue
    }
    const opening = /\/\*|\/\/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/.exec(line.slice(at, at + 20_000))
    if (opening === null || opening[0] === "//") return false
    inside = opening[0] === "/*"
    at += opening.index + opening[0].length
  }
  return inside
}

const branchOf = (name: string, condition: string, start: number, end: number): Branch => {
  const at = { start, from: end, to: end }
  if (name === "else") return { key: null, holds: true, ...at }
  if (name.endsWith("def") && condition !== "1")
    return { key: macroOf(condition), holds: !name.endsWith("ndef"), ...at }
  const isDefined = /^(!?)\s*defined\s*\(?\s*(\w+)\s*\)?$/.exec(condition)
  if (isDefined !== null) return { key: isDefined[2]!, holds: isDefined[1] !== "!", ...at }
  const isNot = /^!\s*(\w+)$/.exec(condition)
  if (isNot !== null) return { key: isNot[1]!, holds: false, ...at }
  return { key: condition.replace(/\s+/g, " "), holds: true, ...at }
}

const macroOf = (condition: string): string => /^\w+/.exec(condition)?.[0] ?? condition

/** Platforms and compilers of the minority of code, and tools that read it, so that a file's parts fit together. */
const foreign =
  /^(?:_*WIN(?:32|64|DOWS|CE|NT)?(?:32|64)?_*|_MSC_VER|__BORLANDC__|__CYGWIN__|__MINGW(?:32|64)__|__VMS|VMS|__OS2__|OS2|__DJGPP__|MSDOS|__MSDOS__|AMIGA|__riscos__|__COVERITY__|__clang_analyzer__|__CPPCHECK__|_*lint_*|S_SPLINT_S)$/

const constants = (language: Language): ReadonlyMap<string, boolean> =>
  new Map([
    ["0", false],
    ["1", true],
    ["__cplusplus", language === "cpp"]
  ])

const compared = /^\(*\s*(\w+)\s*==\s*(\d{1,9})\s*\)*$/

/** Conditions on a number that the file defines itself, with the same value wherever it does: `ROWS == 8` of `#define ROWS 4`. */
const comparisons = (text: string, groups: ReadonlyArray<Group>): ReadonlyMap<string, boolean> => {
  const asked = new Set(groups.flatMap(({ branches }) => branches.flatMap(({ key }) => key ?? [])))
  const found = new Map<string, boolean>()
  let values: ReadonlyMap<string, ReadonlySet<string>> | undefined
  for (const key of asked) {
    const [, name, number] = compared.exec(key) ?? []
    if (name === undefined || number === undefined) continue
    values ??= definedNumbers(text)
    const [value, ...others] = values.get(name) ?? []
    if (value !== undefined && others.length === 0) found.set(key, value === number)
  }
  return found
}

/** What `#define` gives each macro; a text that is no number is one of the values, too. */
const definedNumbers = (text: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const values = new Map<string, Set<string>>()
  for (const [, name = "", value = ""] of text.matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\s/]+)/gm))
    values.set(name, (values.get(name) ?? new Set()).add(value))
  return values
}

/** Whether each condition is taken to hold. */
const decide = (groups: ReadonlyArray<Group>, known: ReadonlyMap<string, boolean>): ReadonlyMap<string, boolean> => {
  const gain = new Map<string, number>()
  for (const { branches } of groups) {
    const first = branches[0]!
    const others = branches.slice(1).reduce((most, { from, to }) => Math.max(most, to - from), 0)
    const sign = first.holds ? 1 : -1
    if (first.key !== null) {
      gain.set(first.key, (gain.get(first.key) ?? 0) + sign * (first.to - first.from + 1 - others))
    }
  }
  const decided = new Map<string, boolean>()
  for (const [key, value] of gain) decided.set(key, known.get(key) ?? (!foreign.test(key) && value > 0))
  for (const [key, value] of known) decided.set(key, value)
  return decided
}

type Span = readonly [number, number]

const droppedRanges = (groups: ReadonlyArray<Group>, decided: ReadonlyMap<string, boolean>): ReadonlyArray<Span> => {
  const dropped: Array<Span> = []
  for (const { branches, end } of groups) {
    let isTaken = false
    for (const { key, holds, start, from, to } of branches) {
      const isRead: boolean = !isTaken && (key === null || (decided.get(key) ?? true) === holds)
      isTaken ||= isRead
      dropped.push([start, isRead ? from : to])
    }
    dropped.push(end)
  }
  return dropped.sort((a, b) => a[0] - b[0])
}

const blanked = (text: string, dropped: ReadonlyArray<Span>): string => {
  const parts: Array<string> = []
  let at = 0
  for (const [start, end] of dropped) {
    if (end <= at) continue
    const from = Math.max(start, at)
    parts.push(text.slice(at, from), text.slice(from, end).replace(/[^\r\n]/g, " "))
    at = end
  }
  parts.push(text.slice(at))
  return parts.join("")
}
