import { escape as escapeRegExp } from "effect/RegExp"
import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Transition } from "../../Observed.ts"

const programs = /^(?:typescript|tsx|javascript|python|go|java|ruby|php|csharp|rust|kotlin|scala|swift|c|cpp)$/
/** A field that holds a state by its name. */
export const stateField = String.raw`\w{0,40}(?:status|state|phase|stage)`

const LOOK_BACK = 40
const MAX_LINE = 300
const GUARD_LINES = 4

/** A text, a symbol, a constant of an enumeration: not what is computed or read from somewhere. */
const value = String.raw`(?:["'][\w .-]{1,40}["']|:[a-z_]\w*|\w+(?:(?:\.|::)\w+)*(?:\.|::)[A-Z]\w*|\w+::\w+|[A-Z]\w{2,60})`
const assignment = new RegExp(
  String.raw`(?:\.|->|@)(?:(${stateField})\s*=|set(${stateField})\()\s*(${value})\s*\)?\s*(?=[;,})]|$|if\b|#|//)`,
  "gi"
)
const receiver = /(?:@|[A-Za-z_$][\w$]*(?:\(\))?(?:(?:\.|->|::)[A-Za-z_$][\w$]*){0,3})$/
const exits = /\b(?:throw|return|raise|panic|continue|abort|exit|fail|bail|Err)\b/

const plain = (written: string): string =>
  written
    .replace(/["']/g, "")
    .replace(/^:/, "")
    .replace(/^.*(?:\.|::)/, "")

const indentOf = (line: string): number => line.search(/\S/)

interface Test {
  readonly values: ReadonlyArray<string>
  readonly isNegative: boolean
}

/** What a line compares the field with. */
const testsFor = (owner: string, field: string): ((line: string) => Test | null) => {
  const base = owner === "@" ? "@" : `(?:${escapeRegExp(owner)}(?:\\.|->))${/^(?:self|this)$/.test(owner) ? "?" : ""}`
  const read = `(?<![\\w.])${base}(?:get)?${field}(?:\\(\\))?`
  const compared = new RegExp(
    String.raw`${read}\s*(===?|!==?|is not|is|\.equals\()\s*(${value})|(${value})\s*(===?|!==?)\s*${read}`,
    "gi"
  )
  const listed = new RegExp(
    String.raw`${read}\s+(not\s+)?in\s*[[({]([^\])}]{2,200})[\])}]|(!?)(?:%w)?\[([^\]]{2,200})\]\.inclu\w+\??\(\s*${read}`,
    "i"
  )
  return (line) => {
    if (line.length > MAX_LINE) return null
    const found = [...line.matchAll(compared)]
    if (found.length > 0) {
      const [first] = found
      return {
        values: found.map((match) => plain(match[2] ?? match[3]!)),
        isNegative: /!|not/.test(first![1] ?? first![4]!) || /!\s*$/.test(line.slice(0, first!.index))
      }
    }
    const list = listed.exec(line)
    if (list === null) return null
    const values = (list[2] ?? list[4]!).split(list[0].startsWith("%w") ? /\s+/ : ",").map((one) => plain(one.trim()))
    return { values: values.filter((one) => /^\w[\w .-]*$/.test(one)), isNegative: Boolean(list[1] ?? list[3]) }
  }
}

const opens = /^\s*(?:[})]\s*)?(?:else\s*if|elif|elsif|if|when)\b/
const isFunction =
  /^\s*(?:(?:export|public|private|protected|static|async|pub)\s+)*(?:function|def|func|fn|class|fun)\b/

interface Before {
  readonly from: ReadonlyArray<string>
  readonly line: number
}

const labelled = new RegExp(`^\\s*case\\s+(${value})\\s*:`)

const labelOf = (line: string, at: number): Before | null => {
  const label = labelled.exec(line)?.[1]
  return label === undefined ? null : { from: [plain(label)], line: at }
}

/**
 * Looks up from an assignment for the test that it stands behind: around it, or a guard before it that leaves when the
 * state is another. Blocks are known by their indentation, which all of these languages are written with.
 */
class LookUp {
  private readonly lines: ReadonlyArray<string>
  private readonly testOf: ReturnType<typeof testsFor>
  private readonly again: RegExp
  private depth = 0
  /** Of a `case` around the assignment whose `switch` comes further up. */
  private label: Before | null = null

  constructor(lines: ReadonlyArray<string>, testOf: ReturnType<typeof testsFor>, again: RegExp) {
    this.lines = lines
    this.testOf = testOf
    this.again = again
  }

  from(at: number): Before | null {
    const line = this.lines[at]!
    const own = /\bif\b/.test(line) ? this.testOf(line) : null
    if (own !== null) return own.isNegative ? null : { from: own.values, line: at }
    this.depth = indentOf(line)
    for (let i = at - 1; i >= Math.max(0, at - LOOK_BACK); i--) {
      const found = this.at(i)
      if (found !== undefined) return found
    }
    return null
  }

  /** Undefined where the search goes on, null where it ends without a test. */
  private at(i: number): Before | null | undefined {
    const line = this.lines[i]!
    const indent = indentOf(line)
    if (indent < 0 || indent > this.depth) return undefined
    const isAround = indent < this.depth
    if (!isAround && this.again.test(line)) return null
    this.depth = indent
    const test = opens.test(line) ? this.testOf(line) : null
    const isBehind = test !== null && (isAround ? !test.isNegative : test.isNegative && leaves(this.lines, i))
    if (isBehind) return { from: test.values, line: i }
    if (isAround) this.label ??= labelOf(line, i)
    if (this.label !== null && /^\s*(?:switch|match)\b/.test(line)) return this.isOf(line) ? this.label : null
    return isFunction.test(line) ? null : undefined
  }

  /** Whether a `switch` is over the field. */
  private isOf(line: string): boolean {
    return this.testOf(`${line.replace(/[){:\s]+$/, "")} == Any`) !== null
  }
}

const leaves = (lines: ReadonlyArray<string>, at: number): boolean => {
  if (exits.test(lines[at]!)) return true
  for (let i = at + 1; i <= at + GUARD_LINES && i < lines.length; i++) {
    if (indentOf(lines[i]!) >= 0 && indentOf(lines[i]!) <= indentOf(lines[at]!)) return false
    if (exits.test(lines[i]!)) return true
  }
  return false
}

/** `if (order.status === "draft") order.status = "placed"`, in whatever language. */
export const guardedAssignments = (file: SourceFile): ReadonlyArray<Transition> => {
  if (!programs.test(file.language)) return []
  const lines = file.text.split("\n")
  return [...file.text.matchAll(assignment)].flatMap((match): ReadonlyArray<Transition> => {
    const line = file.line(match.index)
    const text = lines[line - 1]!
    const column = match.index - file.lineStarts[line - 1]!
    const owner = match[0].startsWith("@") ? "@" : receiver.exec(text.slice(0, column).trimStart())?.[0]
    if (owner === undefined || text.length > MAX_LINE || /^\s*(?:\/\/|#|\*)/.test(text)) return []
    // The pattern ignores case, for fields; what begins with a small letter is a variable.
    if (/^(?:[a-z_]\w*\.)*[a-z_]\w*$/.test(match[3]!)) return []
    const field = (match[1] ?? match[2])!
    const again = new RegExp(`${escapeRegExp(owner)}(?:\\.|->)?(?:set)?${field}(?:\\s*=(?!=)|\\()`, "i")
    const before = new LookUp(lines, testsFor(owner, field), again).from(line - 1)
    const to = plain(match[3]!)
    // Beside constants, what begins with a small letter holds one.
    const isHeld = (one: string): boolean => /^[A-Z\d_]+$/.test(to) && /^[a-z]\w*$/.test(one)
    const from = [...new Set(before?.from ?? [])].filter((one) => one !== to && !isHeld(one))
    if (before === null || from.length === 0) return []
    const of = owner.replace(/\(\)$/, "").replace(/^.*(?:\.|->|::)/, "")
    return [{ of, field: field[0]!.toLowerCase() + field.slice(1), from, to, line: before.line + 1, end: line }]
  })
}
