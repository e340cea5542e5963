import { type CharSet, has, word } from "./CharSet.ts"
import { parseRegex, type RegexNode } from "./parseRegex.ts"

type Assertion = Extract<RegexNode, { type: "assert" }>["kind"]

type Instruction =
  | { readonly op: "set"; readonly set: CharSet; readonly next: number }
  | { readonly op: "fork"; readonly next: ReadonlyArray<number> }
  | { readonly op: "assert"; readonly kind: Assertion; readonly next: number }
  | { readonly op: "match" }

/** What lies on one side of a position. */
type Neighbour = "edge" | "word" | "other"

class Rejected extends Error {}

/** Bounded repetitions are written out: beyond this a pattern is rejected. */
const MAX_INSTRUCTIONS = 2_000
/** When there are more, they are forgotten and made again, so that memory stays bounded. */
const MAX_STATES = 1_000

/** What is not part of a regular language, in the words of people who write patterns. */
const beyondRegular: Partial<Record<RegexNode["type"], string>> = {
  look: "lookaround",
  reference: "backreferences",
  atomic: "atomic groups"
}

/** From the end to the beginning, so that every instruction knows the one after it. */
class Program {
  readonly instructions: Array<Instruction> = [{ op: "match" }]
  readonly start: number

  constructor(node: RegexNode) {
    this.start = this.add(node, 0)
  }

  private push(instruction: Instruction): number {
    if (this.instructions.length >= MAX_INSTRUCTIONS) throw new Rejected("it is too large")
    return this.instructions.push(instruction) - 1
  }

  private add(node: RegexNode, next: number): number {
    switch (node.type) {
      case "set":
        return this.push({ op: "set", set: node.set, next })
      case "sequence":
        return node.parts.reduceRight((after, part) => this.add(part, after), next)
      case "choice":
        return this.push({ op: "fork", next: node.parts.map((part) => this.add(part, next)) })
      case "capture":
        return this.add(node.body, next)
      case "assert":
        return this.push({ op: "assert", kind: node.kind, next })
      case "repeat":
        return this.repeat(node, next)
      default:
        throw new Rejected(`it uses ${beyondRegular[node.type]}`)
    }
  }

  private repeat({ body, min, max, possessive }: Extract<RegexNode, { type: "repeat" }>, next: number): number {
    if (possessive) throw new Rejected("it uses possessive repetitions")
    let at = next
    if (Number.isFinite(max)) {
      for (let i = min; i < max; i++) at = this.push({ op: "fork", next: [this.add(body, at), next] })
    } else {
      const exits = [next]
      const loop = this.push({ op: "fork", next: exits })
      exits.push(this.add(body, loop))
      at = loop
    }
    for (let i = 0; i < min; i++) at = this.add(body, at)
    return at
  }
}

const holds = (kind: Assertion, before: Neighbour, after: Neighbour): boolean => {
  switch (kind) {
    case "start":
    case "lineStart":
      return before === "edge"
    case "end":
    case "lineEnd":
      return after === "edge"
    default:
      return ((before === "word") !== (after === "word")) === (kind === "word")
  }
}

/** Where the pattern can be before a character is read. */
interface State {
  readonly kernel: ReadonlyArray<number>
  readonly before: Neighbour
  /** By class of the next character; null once the pattern has matched. */
  readonly next: Map<number, State | null>
  matchesAtEnd: boolean | undefined
}

/**
 * A regular expression that is matched in time linear in the text, whatever the pattern: all ways through it at once, as
 * a deterministic automaton that is built while it reads. It is tried on single lines, so `^` and `$` are their ends.
 */
export class LinearPattern {
  private readonly program: Program
  private readonly bounds: ReadonlyArray<number>
  private readonly asciiClasses: Uint16Array
  private states = new Map<string, State>()
  private readonly initial: ReadonlyArray<number>

  private constructor(program: Program) {
    this.program = program
    this.bounds = boundsOf(program.instructions)
    this.asciiClasses = Uint16Array.from({ length: 128 }, (_, unit) => this.search(unit))
    this.initial = [program.start]
  }

  /** The pattern, or why it is not accepted as the end of a sentence. */
  static of(pattern: string): LinearPattern | { readonly problem: string } {
    // Sets of characters beyond ASCII are modelled roughly, which is not good enough to match by.
    if (/\\[pP]|\\[ux]\{/.test(pattern)) return { problem: "it uses classes of characters by property or code point" }
    if (/\(\?(?:[imsxu]*-|[imsxu]+:)/.test(pattern)) return { problem: "it switches options for a part of it" }
    const node = parseRegex(pattern, "")
    if (node === null) return { problem: "it is no regular expression, or uses what is not supported" }
    try {
      return new LinearPattern(new Program(node))
    } catch (error) {
      if (error instanceof Rejected) return { problem: error.message }
      throw error
    }
  }

  /** Whether some part of a text without line breaks matches. */
  test(text: string, start = 0, end = text.length): boolean {
    let state = this.stateOf(this.initial, "edge")
    for (let at = start; at < end; at++) {
      const unit = text.charCodeAt(at)
      const charClass = unit < 128 ? this.asciiClasses[unit]! : this.search(unit)
      const known = state.next.get(charClass)
      const next = known === undefined ? this.step(state, charClass) : known
      if (next === null) return true
      state = next
    }
    state.matchesAtEnd ??= this.closure(state, "edge") === null
    return state.matchesAtEnd
  }

  /** Numbers of the lines that match, from 1, and no more than `most` of them. */
  lines(text: string, most: number): ReadonlyArray<number> {
    const found: Array<number> = []
    for (let line = 1, start = 0; start <= text.length && found.length < most; line++) {
      const newline = text.indexOf("\n", start)
      const end = newline < 0 ? text.length : newline
      if (this.test(text, start, end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end)) found.push(line)
      start = end + 1
    }
    return found
  }

  /** The characters between two bounds are alike to every set of the pattern. */
  private search(unit: number): number {
    let low = 0
    let high = this.bounds.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.bounds[middle]! <= unit) low = middle
      else high = middle
    }
    return low
  }

  private stateOf(kernel: ReadonlyArray<number>, before: Neighbour): State {
    const key = `${before} ${kernel.join(" ")}`
    const known = this.states.get(key)
    if (known !== undefined) return known
    if (this.states.size >= MAX_STATES) this.states = new Map()
    const state: State = { kernel, before, next: new Map(), matchesAtEnd: undefined }
    this.states.set(key, state)
    return state
  }

  private step(state: State, charClass: number): State | null {
    const unit = this.bounds[charClass]!
    const neighbour = has(word, unit) ? "word" : "other"
    const reached = this.closure(state, neighbour)
    const next = reached === null ? null : this.stateOf(this.after(reached, unit), neighbour)
    state.next.set(charClass, next)
    return next
  }

  private after(reached: ReadonlyArray<number>, unit: number): ReadonlyArray<number> {
    const next = new Set(this.initial)
    for (const at of reached) {
      const instruction = this.program.instructions[at]!
      if (instruction.op === "set" && has(instruction.set, unit)) next.add(instruction.next)
    }
    return [...next].sort((a, b) => a - b)
  }

  /** Instructions that wait for a character; null when the pattern has matched. */
  private closure({ kernel, before }: State, after: Neighbour): ReadonlyArray<number> | null {
    const seen = new Set<number>()
    const open = [...kernel]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      const instruction = this.program.instructions[at]!
      if (instruction.op === "match") return null
      if (instruction.op === "fork") open.push(...instruction.next)
      if (instruction.op === "assert" && holds(instruction.kind, before, after)) open.push(instruction.next)
    }
    return [...seen]
  }
}

const boundsOf = (instructions: ReadonlyArray<Instruction>): ReadonlyArray<number> => {
  const sets = instructions.flatMap((instruction) => (instruction.op === "set" ? [instruction.set] : []))
  const bounds = new Set([0])
  for (const [low, high] of [word, ...sets].flat()) bounds.add(low).add(high + 1)
  return [...bounds].filter((bound) => bound <= 0xffff).sort((a, b) => a - b)
}
