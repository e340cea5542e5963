import { anything, type CharSet, common, intersection } from "./CharSet.ts"
import type { RegexNode } from "./parseRegex.ts"

const MAX_POSITIONS = 300
/** Copies of a bounded repetition; more are taken for endless, which the try-out puts right. */
const MAX_COPIES = 4

/** The state before the pattern: a search begins again at every character. */
export const SEARCH = -1

interface Part {
  readonly nullable: boolean
  readonly first: ReadonlyArray<number>
  readonly last: ReadonlyArray<number>
}

/**
 * One state per place of a character in the pattern (after Glushkov). An edge counts how many ways the pattern has to
 * go from one place to the next, so that `(a*)*` shows its two.
 */
export class Automaton {
  readonly sets: Array<CharSet> = []
  readonly edges: Array<Map<number, number>> = []
  readonly starts: ReadonlyArray<number>

  private constructor(node: RegexNode) {
    this.starts = this.part(node).first
  }

  /** Null when the pattern is too big. */
  static of(node: RegexNode): Automaton | null {
    try {
      return new Automaton(node)
    } catch (error) {
      if (error instanceof RangeError) return null
      throw error
    }
  }

  private connect(from: ReadonlyArray<number>, to: ReadonlyArray<number>): void {
    for (const p of from) {
      for (const q of to) this.edges[p]!.set(q, (this.edges[p]!.get(q) ?? 0) + 1)
    }
  }

  private part(node: RegexNode): Part {
    switch (node.type) {
      case "set": {
        if (this.sets.length >= MAX_POSITIONS) throw new RangeError("too many positions")
        const position = this.sets.push(node.set) - 1
        this.edges.push(new Map())
        return { nullable: false, first: [position], last: [position] }
      }
      case "sequence":
        return node.parts.reduce<Part>((left, part) => this.joined(left, this.part(part)), empty)
      case "choice": {
        const parts = node.parts.map((part) => this.part(part))
        return {
          nullable: parts.some(({ nullable }) => nullable),
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last)
        }
      }
      case "repeat":
        return this.repeat(node)
      case "capture":
      case "atomic":
        return this.part(node.body)
      // What is looked for takes time of its own, and takes nothing from the text.
      case "look":
        return { nullable: true, first: this.part(node.body).first, last: [] }
      default:
        return empty
    }
  }

  private joined(left: Part, right: Part): Part {
    this.connect(left.last, right.first)
    return {
      nullable: left.nullable && right.nullable,
      first: left.nullable ? [...left.first, ...right.first] : left.first,
      last: right.nullable ? [...right.last, ...left.last] : right.last
    }
  }

  private repeat({ body, min, max, possessive }: Extract<RegexNode, { type: "repeat" }>): Part {
    if (max === 0) return empty
    const isEndless = max > MAX_COPIES
    const copies = isEndless ? Math.min(Math.max(min, 1), MAX_COPIES) : max
    let whole = empty
    for (let i = 0; i < copies; i++) {
      const part = this.part(body)
      // What a possessive repetition has taken it never gives back: it cannot be in two ways.
      if (isEndless && i === copies - 1 && !possessive) this.connect(part.last, part.first)
      whole = this.joined(whole, i < min ? part : { ...part, nullable: true })
    }
    return whole
  }

  setOf(state: number): CharSet {
    return state === SEARCH ? anything : this.sets[state]!
  }

  next(state: number): Iterable<number> {
    return state === SEARCH ? [SEARCH, ...this.starts] : this.edges[state]!.keys()
  }

  /** A character that leads into all of these states; null when there is none. */
  shared(p: number, q: number, r: number = p): number | null {
    if (p === r || q === r) return common(this.setOf(p), this.setOf(q))
    return common(this.both(p, q), this.setOf(r))
  }

  private readonly pairs = new Map<number, CharSet>()

  private both(p: number, q: number): CharSet {
    const key = (p + 1) * (MAX_POSITIONS + 1) + q + 1
    const known = this.pairs.get(key)
    if (known !== undefined) return known
    const found = intersection(this.setOf(p), this.setOf(q))
    this.pairs.set(key, found)
    return found
  }
}

const empty: Part = { nullable: true, first: [], last: [] }
