import { Automaton } from "./Automaton.ts"
import { common, has } from "./CharSet.ts"
import { Matcher } from "./Matcher.ts"
import { parseRegex, type RegexNode } from "./parseRegex.ts"

export interface SlowRegex {
  readonly growth: "exponential" | "polynomial"
  /** The text that makes it slow: once `prefix`, `pump` over and over, then `suffix`. */
  readonly prefix: string
  readonly pump: string
  readonly suffix: string
}

/** Two repetitions, at least, or one in the middle that a search starts again and again. */
const mayBeSlow = /[*+]|\{\d*,/

const suffixes = ["\u0000", "\n", "!", "a", ""]
const MAX_PAIRS = 12_000
const MAX_KNOWN = 5_000
const known = new Map<string, SlowRegex | null>()

/**
 * Whether a pattern takes time out of proportion to the text, with the text that shows it. Ambiguous loops are found in
 * the pattern's automaton and tried on a matcher that counts its steps, so the answer depends on nothing but the pattern.
 */
export const slowRegex = (pattern: string, flags: string, anchored = false): SlowRegex | null => {
  if (!mayBeSlow.test(pattern)) return null
  const key = `${anchored ? "^" : ""}${flags}/${pattern}`
  const before = known.get(key)
  if (before !== undefined) return before
  if (known.size > MAX_KNOWN) known.clear()
  const found = judge(pattern, flags, anchored)
  known.set(key, found)
  return found
}

const judge = (pattern: string, flags: string, anchored: boolean): SlowRegex | null => {
  const node = parseRegex(pattern, flags)
  const automaton = node === null ? null : Automaton.of(node)
  if (node === null || automaton === null || automaton.sets.length === 0) return null
  return exponential(node, automaton, anchored) ?? polynomial(node, automaton, anchored)
}

/** States from which a state can be reached again, with all states on the way; smallest first. */
const loops = (automaton: Automaton): ReadonlyArray<ReadonlySet<number>> => {
  const { edges } = automaton
  const reach = (from: number, next: (p: number) => Iterable<number>): Set<number> => {
    const seen = new Set<number>()
    const open = [from]
    for (let p = open.pop(); p !== undefined; p = open.pop()) {
      for (const q of next(p)) {
        if (seen.has(q)) continue
        seen.add(q)
        open.push(q)
      }
    }
    return seen
  }
  const back: Array<Array<number>> = edges.map(() => [])
  edges.forEach((targets, p) => {
    for (const q of targets.keys()) back[q]!.push(p)
  })
  const done = new Set<number>()
  const found: Array<ReadonlySet<number>> = []
  for (let p = 0; p < edges.length; p++) {
    if (done.has(p)) continue
    const ahead = reach(p, (at) => edges[at]!.keys())
    if (!ahead.has(p)) continue
    const behind = reach(p, (at) => back[at]!)
    const loop = new Set([...ahead].filter((q) => behind.has(q)))
    for (const q of loop) done.add(q)
    found.push(loop)
  }
  return found
}

/** A text that leads to a state, the state's own character included. */
const wayTo = (automaton: Automaton, target: number): string | null => {
  const before = new Map<number, number>()
  const open = [...automaton.starts]
  for (const p of open) before.set(p, -1)
  for (let i = 0; i < open.length; i++) {
    const p = open[i]!
    if (p === target) {
      let text = ""
      for (let at = p; at >= 0; at = before.get(at)!) text = charOf(automaton, at) + text
      return text
    }
    for (const q of automaton.edges[p]!.keys()) {
      if (before.has(q)) continue
      before.set(q, p)
      open.push(q)
    }
  }
  return null
}

const charOf = (automaton: Automaton, p: number): string => String.fromCharCode(automaton.shared(p, p) ?? 0x61)

interface Pair {
  readonly p: number
  readonly q: number
  /** Whether the ways to the two places have differed. */
  readonly differs: boolean
}

/** Pairs of places that one more character leads to, inside of a loop. */
const after = (
  automaton: Automaton,
  loop: ReadonlySet<number>,
  { p, q, differs }: Pair
): ReadonlyArray<Pair & { readonly char: number }> => {
  const others = [...automaton.edges[q]!.keys()].filter((to) => loop.has(to))
  return [...automaton.edges[p]!].flatMap(([one, ways]) =>
    !loop.has(one)
      ? []
      : others.flatMap((other) => {
          const char = automaton.shared(one, other)
          if (char === null) return []
          return [{ p: one, q: other, differs: differs || one !== other || (p === q && ways > 1), char }]
        })
  )
}

/** A word on which two different ways lead from a state of the loop back to it; null when there is none. */
const ambiguousWord = (
  automaton: Automaton,
  loop: ReadonlySet<number>
): readonly [start: number, word: string] | null => {
  const start = [...loop][0]!
  const size = automaton.sets.length
  const code = ({ p, q, differs }: Pair): number => (p * size + q) * 2 + (differs ? 1 : 0)
  const before = new Map<number, readonly [from: number, char: number]>()
  const first: Pair = { p: start, q: start, differs: false }
  const open = [first]
  for (let i = 0; i < open.length && open.length < MAX_PAIRS; i++) {
    for (const next of after(automaton, loop, open[i]!)) {
      if (before.has(code(next))) continue
      before.set(code(next), [code(open[i]!), next.char])
      if (next.differs && next.p === start && next.q === start) return [start, wordTo(before, code(next), code(first))]
      open.push(next)
    }
  }
  return null
}

const wordTo = (before: ReadonlyMap<number, readonly [number, number]>, end: number, start: number): string => {
  let text = ""
  for (let at = end; text.length < 200; ) {
    const [from, char] = before.get(at)!
    text = String.fromCharCode(char) + text
    if (from === start) break
    at = from
  }
  return text
}

const exponential = (node: RegexNode, automaton: Automaton, anchored: boolean): SlowRegex | null => {
  for (const loop of loops(automaton)) {
    const found = ambiguousWord(automaton, loop)
    const prefix = found === null ? null : wayTo(automaton, found[0])
    if (found === null || prefix === null) continue
    const pump = found[1]
    const matcher = new Matcher(node)
    for (const suffix of suffixes) {
      const steps = (times: number): number => matcher.count(prefix + pump.repeat(times) + suffix, LIMIT, anchored)
      if (multiplies(steps)) return { growth: "exponential", prefix, pump, suffix }
    }
  }
  return null
}

const LIMIT = 60_000

/** Two more of the same take as many times longer, again and again; powers of the length grow less and less. */
const multiplies = (steps: (times: number) => number): boolean => {
  let before = steps(4)
  let growing = 0
  for (let times = 6; times <= 16; times += 2) {
    const now = steps(times)
    if (now >= LIMIT) return growing >= 2 || times <= 8
    growing = now >= 2.2 * before ? growing + 1 : 0
    if (now < 8 * times) return false
    before = now
  }
  return growing >= 4
}

const MAX_PUMPS = 8

/** Characters at which two loops of the pattern can both go on, most frequent first. */
const pumpsOf = (automaton: Automaton, looping: ReadonlyArray<number>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const p of looping.slice(0, 12)) {
    for (const q of looping.slice(0, 12)) {
      const char = common(automaton.sets[p]!, automaton.sets[q]!)
      if (char !== null) counts.set(String.fromCharCode(char), (counts.get(String.fromCharCode(char)) ?? 0) + 1)
    }
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_PUMPS)
    .map(([pump]) => pump)
}

/** Twice as many of the same take more than three times as long, or longer than is measured. */
const isPolynomial = (steps: (times: number) => number): boolean => {
  const [a, b] = [steps(40), steps(80)]
  return (b > 2_000 && b / a > 3.3) || a >= LIMIT / 2
}

const polynomial = (node: RegexNode, automaton: Automaton, anchored: boolean): SlowRegex | null => {
  const looping = automaton.sets.flatMap((_, p) => (automaton.edges[p]!.has(p) ? [p] : []))
  const matcher = new Matcher(node)
  for (const pump of pumpsOf(automaton, looping)) {
    const target = looping.find((p) => has(automaton.sets[p]!, pump.charCodeAt(0)))!
    const way = wayTo(automaton, target) ?? ""
    const tries: ReadonlyArray<readonly [string, string]> = [
      ["", pump],
      [way, pump],
      // A search begins again at every place that looks like a beginning.
      ["", way.length > 1 && way.length < 12 ? way : pump]
    ]
    for (const [prefix, unit] of tries) {
      for (const suffix of suffixes.slice(0, 3)) {
        const steps = (times: number): number => matcher.count(prefix + unit.repeat(times) + suffix, LIMIT, anchored)
        if (isPolynomial(steps)) return { growth: "polynomial", prefix, pump: unit, suffix }
      }
    }
  }
  return null
}
