import { Automaton } from "./Automaton.ts"
import { type Attack, exponentialAttacks, polynomialAttacks } from "./ambiguity.ts"
import { common, complement, has, setOf, word } from "./CharSet.ts"
import { Matcher } from "./Matcher.ts"
import { parseRegex, type RegexNode } from "./parseRegex.ts"

/** The text that makes a pattern slow: once `prefix`, `pump` over and over, then `suffix`. */
export interface SlowRegex extends Attack {
  readonly growth: "exponential" | "polynomial"
  /** The power of the length that the time grows with; infinite for exponential growth. */
  readonly degree: number
  readonly suffix: string
}

/** Two repetitions, at least, or one in the middle that a search starts again and again. */
const mayBeSlow = /[*+]|\{\d*,/

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
  const trial = new Trial(node, automaton, anchored)
  for (const attack of exponentialAttacks(automaton)) {
    const found = trial.exponential(attack)
    if (found !== null) return found
  }
  let worst: SlowRegex | null = null
  for (const attack of polynomialAttacks(automaton, anchored).flatMap((one) => variants(one, automaton, pattern))) {
    const found = trial.polynomial(attack)
    if (found !== null && found.degree > (worst?.degree ?? 0)) worst = found
    if (worst !== null && worst.degree > 2) break
  }
  return worst
}

/** An alternative may hold at the start of the text only; anchors of lines and words let a search begin again only where the text has lines and words. */
const variants = (attack: Attack, automaton: Automaton, pattern: string): ReadonlyArray<Attack> => {
  const { prefix, pump } = attack
  const others: Array<Attack> = []
  if (pattern.includes("^")) others.push({ prefix: `\u0000${prefix}`, pump })
  const unit = pump.charCodeAt(0)
  const loop = pump.length === 1 ? automaton.sets.find((set) => has(set, unit)) : undefined
  if (loop === undefined) return [attack, ...others]
  if (/[\^$]/.test(pattern) && unit !== 10 && has(loop, 10)) others.push({ prefix, pump: "\n" })
  if (/\\[bB]/.test(pattern)) {
    const other = common(loop, has(word, unit) ? complement(word) : word)
    if (other !== null) others.push({ prefix, pump: pump + String.fromCharCode(other) })
  }
  return [attack, ...others]
}

const LIMIT = 40_000
/** For repetitions with a bound, which only a longer text distinguishes from endless ones. */
const LONG_LIMIT = 700_000

/** Steps for all texts that are tried on one pattern. */
const MAX_STEPS = 800_000

/** Tries texts on a pattern. */
class Trial {
  private readonly matcher: Matcher
  private readonly anchored: boolean
  private readonly suffixes: ReadonlyArray<string>
  private readonly hasBounds: boolean
  private budget = MAX_STEPS

  constructor(node: RegexNode, automaton: Automaton, anchored: boolean) {
    this.matcher = new Matcher(node)
    this.anchored = anchored
    this.hasBounds = hasBounds(node)
    const foreign = complement(setOf(automaton.sets.flat()))
    const unit = common(foreign, foreign)
    const first = unit === null ? [] : [String.fromCharCode(unit)]
    this.suffixes = [...new Set([...first, "\u0000", "\n", "!", "a", "", " "])]
  }

  private get isExhausted(): boolean {
    return this.budget <= 0
  }

  exponential(attack: Attack): SlowRegex | null {
    for (const suffix of this.suffixes) {
      if (multiplies((times) => this.steps(attack, suffix, times, LIMIT))) {
        return { ...attack, growth: "exponential", degree: Number.POSITIVE_INFINITY, suffix }
      }
    }
    return null
  }

  polynomial(attack: Attack): SlowRegex | null {
    for (const suffix of this.suffixes) {
      const degree = this.degree(attack, suffix)
      if (degree >= 2) return { ...attack, growth: "polynomial", degree, suffix }
    }
    return null
  }

  private degree(attack: Attack, suffix: string): number {
    const at = (times: number): number => this.steps(attack, suffix, times, LIMIT)
    const [few, many] = [at(30), at(60)]
    if (many < LIMIT && (many < 1_000 || many / few < 2.8)) return 0
    const most = at(120)
    if (most < LIMIT && most / many < 3.3) return 0
    if (this.hasBounds && !this.staysSlow(attack, suffix)) return 0
    if (this.isExhausted) return 0
    return powerOf(many < LIMIT ? many / few : few < LIMIT ? few / at(15) : 10)
  }

  private staysSlow(attack: Attack, suffix: string): boolean {
    const long = this.steps(attack, suffix, 1_000, LONG_LIMIT)
    return long >= LONG_LIMIT || long / this.steps(attack, suffix, 500, LONG_LIMIT) > 3.3
  }

  private steps({ prefix, pump }: Attack, suffix: string, times: number, limit: number): number {
    if (this.isExhausted) return 0
    const steps = this.matcher.count(prefix + pump.repeat(times) + suffix, limit, this.anchored)
    this.budget -= steps
    return steps
  }
}

/** The power of the length, by what twice the length costs. */
const powerOf = (ratio: number): number => (ratio > 11 ? 4 : ratio > 5.6 ? 3 : 2)

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

/** A repetition of many, but not of any number. */
const hasBounds = (node: RegexNode): boolean => {
  switch (node.type) {
    case "repeat":
      return (node.max > 4 && Number.isFinite(node.max)) || hasBounds(node.body)
    case "sequence":
    case "choice":
      return node.parts.some(hasBounds)
    case "capture":
    case "atomic":
    case "look":
      return hasBounds(node.body)
    default:
      return false
  }
}
