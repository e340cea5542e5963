import { type Automaton, SEARCH } from "./Automaton.ts"

/** A text that may make a pattern slow: once `prefix`, then `pump` over and over. */
export interface Attack {
  readonly prefix: string
  readonly pump: string
}

const MAX_PAIRS = 12_000
/** Triples of states that are looked at for one pattern. */
const MAX_TRIPLES = 30_000
const MAX_WORD = 200
/** States of one loop that are tried: what holds for one mostly holds for its neighbours. */
const MAX_STATES = 8
const MAX_ATTACKS = 40

type Loop = ReadonlySet<number>

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

/** States from which a state can be reached again, with all states on the way; in the order of the pattern. */
const loopsOf = (automaton: Automaton): ReadonlyArray<Loop> => {
  const { edges } = automaton
  const back: Array<Array<number>> = edges.map(() => [])
  edges.forEach((targets, p) => {
    for (const q of targets.keys()) back[q]!.push(p)
  })
  const done = new Set<number>()
  const found: Array<Loop> = []
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

const charOf = (automaton: Automaton, p: number): string => String.fromCharCode(automaton.shared(p, p) ?? 0x61)

/** A text that leads to a state, the state's own character included. */
const wayTo = (automaton: Automaton, target: number): string | null => {
  if (target === SEARCH) return ""
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

type Origin = readonly [from: number, char: number]

const wordTo = (before: ReadonlyMap<number, Origin>, end: number, start: number): string => {
  let text = ""
  for (let at = end; text.length < MAX_WORD; ) {
    const [from, char] = before.get(at)!
    text = String.fromCharCode(char) + text
    if (from === start) break
    at = from
  }
  return text
}

interface Pair {
  readonly p: number
  readonly q: number
  /** Whether the ways to the two places have differed. */
  readonly differs: boolean
}

/** Pairs of places that one more character leads to, inside of a loop. */
const after = (
  automaton: Automaton,
  loop: Loop,
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
const ambiguousWord = (automaton: Automaton, loop: Loop): string | null => {
  const start = [...loop][0]!
  const size = automaton.sets.length
  const code = ({ p, q, differs }: Pair): number => (p * size + q) * 2 + (differs ? 1 : 0)
  const before = new Map<number, Origin>()
  const first: Pair = { p: start, q: start, differs: false }
  const open = [first]
  for (let i = 0; i < open.length && open.length < MAX_PAIRS; i++) {
    for (const next of after(automaton, loop, open[i]!)) {
      if (before.has(code(next))) continue
      before.set(code(next), [code(open[i]!), next.char])
      if (next.differs && next.p === start && next.q === start) return wordTo(before, code(next), code(first))
      open.push(next)
    }
  }
  return null
}

/** Loops that can take one text in two ways each time around: as many ways as two to the power of the rounds. */
export const exponentialAttacks = (automaton: Automaton): ReadonlyArray<Attack> =>
  loopsOf(automaton).flatMap((loop): ReadonlyArray<Attack> => {
    const pump = ambiguousWord(automaton, loop)
    const prefix = pump === null ? null : wayTo(automaton, [...loop][0]!)
    return pump === null || prefix === null ? [] : [{ prefix, pump }]
  })

/** Finds words that two loops share, within a number of steps for the whole pattern. */
class SharedWords {
  private budget = MAX_TRIPLES
  private readonly automaton: Automaton
  private readonly size: number

  constructor(automaton: Automaton) {
    this.automaton = automaton
    this.size = automaton.sets.length + 1
  }

  get isExhausted(): boolean {
    return this.budget <= 0
  }

  /** A word that leads from p back to p, from p to q, and from q back to q; null when there is none. */
  between(p: number, q: number, loopOfP: Loop, loopOfQ: Loop): string | null {
    const { automaton } = this
    const before = new Map<number, Origin>()
    const first = this.code(p, p, q)
    const goal = this.code(p, q, q)
    const open: Array<readonly [number, number, number]> = [[p, p, q]]
    for (let i = 0; i < open.length && this.budget > 0; i++) {
      const [a, b, c] = open[i]!
      for (const [a2, b2, c2] of this.steps(a, b, c, loopOfP, loopOfQ)) {
        const code = this.code(a2, b2, c2)
        if (before.has(code)) continue
        const char = this.charInto(automaton, a2, b2, c2)
        if (char === null) continue
        before.set(code, [this.code(a, b, c), char])
        if (code === goal) return wordTo(before, code, first)
        open.push([a2, b2, c2])
      }
    }
    return null
  }

  private charInto(automaton: Automaton, a: number, b: number, c: number): number | null {
    this.budget--
    return a === SEARCH ? automaton.shared(b, c) : automaton.shared(a, b, c)
  }

  private *steps(a: number, b: number, c: number, loopOfP: Loop, loopOfQ: Loop) {
    for (const a2 of this.automaton.next(a)) {
      if (!loopOfP.has(a2)) continue
      for (const c2 of this.automaton.next(c)) {
        if (!loopOfQ.has(c2)) continue
        for (const b2 of this.automaton.next(b)) yield [a2, b2, c2] as const
      }
    }
  }

  private code(a: number, b: number, c: number): number {
    return ((a + 1) * this.size + b + 1) * this.size + c + 1
  }
}

const searchLoop: Loop = new Set([SEARCH])

/**
 * Pairs of loops, one behind the other, that can take the same text: where the first ends and the second begins is
 * tried at every character. The search itself is the first loop of a pattern that is not anchored.
 */
export const polynomialAttacks = (automaton: Automaton, anchored: boolean): ReadonlyArray<Attack> => {
  const words = new SharedWords(automaton)
  const attacks: Array<Attack> = []
  for (const { p, q, loopOfP, loopOfQ } of pairsOf(loopsOf(automaton), anchored)) {
    if (attacks.length >= MAX_ATTACKS || words.isExhausted) break
    const pump = words.between(p, q, loopOfP, loopOfQ)
    const prefix = pump === null ? null : wayTo(automaton, p)
    if (pump !== null && prefix !== null) attacks.push({ prefix, pump })
  }
  return distinct(attacks)
}

interface LoopPair {
  readonly p: number
  readonly q: number
  readonly loopOfP: Loop
  readonly loopOfQ: Loop
}

/** States of an earlier and a later loop; the restart of the search comes last for each loop. */
const pairsOf = (loops: ReadonlyArray<Loop>, anchored: boolean): ReadonlyArray<LoopPair> => {
  const sources = (loop: Loop) => [...loop].slice(0, MAX_STATES).map((state) => ({ state, loop }))
  const earlier = [...loops.flatMap(sources), ...(anchored ? [] : [{ state: SEARCH, loop: searchLoop }])]
  return loops.flatMap((later) =>
    earlier.flatMap(({ state: p, loop }) =>
      sources(later)
        .filter(({ state }) => state !== p)
        .map(({ state: q }) => ({ p, q, loopOfP: loop, loopOfQ: later }))
    )
  )
}

const distinct = (attacks: ReadonlyArray<Attack>): ReadonlyArray<Attack> => [
  ...new Map(attacks.map((attack) => [`${attack.prefix}\u0000${attack.pump}`, attack])).values()
]
