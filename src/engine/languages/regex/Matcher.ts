import { has, word } from "./CharSet.ts"
import type { RegexNode } from "./parseRegex.ts"

type Then = (at: number) => boolean
type Step = (at: number, then: Then) => boolean

class OutOfSteps extends Error {}

/** Matches by going back and trying again, as the engines of these languages do, and counts. */
export class Matcher {
  private text = ""
  private steps = 0
  private limit = 0
  private captures: Array<readonly [number, number] | undefined> = []
  private readonly run: Step

  constructor(node: RegexNode) {
    this.run = this.compile(node)
  }

  /** Steps of a search through a text, or the limit when it takes more. */
  count(text: string, limit: number, anchored = false): number {
    this.search(text, limit, anchored)
    return this.steps
  }

  /** Whether a search finds something within the limit of steps. */
  finds(text: string, limit: number): boolean {
    return this.search(text, limit, false)
  }

  private search(text: string, limit: number, anchored: boolean): boolean {
    this.text = text
    this.steps = 0
    this.limit = limit
    try {
      for (let start = 0; start <= (anchored ? 0 : text.length); start++) {
        this.captures = []
        if (this.run(start, () => true)) return true
      }
    } catch (error) {
      if (!(error instanceof OutOfSteps) && !(error instanceof RangeError)) throw error
      this.steps = limit
    }
    return false
  }

  private tick(): void {
    if (++this.steps >= this.limit) throw new OutOfSteps()
  }

  private compile(node: RegexNode): Step {
    switch (node.type) {
      case "set":
        return (at, then) => {
          this.tick()
          return at < this.text.length && has(node.set, this.text.charCodeAt(at)) && then(at + 1)
        }
      case "sequence":
        return node.parts
          .map((part) => this.compile(part))
          .reduceRight<Step>(
            (rest, step) => (at, then) => step(at, (next) => rest(next, then)),
            (at, then) => then(at)
          )
      case "choice": {
        const steps = node.parts.map((part) => this.compile(part))
        return (at, then) => steps.some((step) => step(at, then))
      }
      case "repeat":
        return this.repeat(node)
      case "capture": {
        const step = this.compile(node.body)
        return (at, then) => {
          const before = this.captures[node.index]
          const done = step(at, (end) => {
            const inner = this.captures[node.index]
            this.captures[node.index] = [at, end]
            if (then(end)) return true
            this.captures[node.index] = inner
            return false
          })
          if (!done) this.captures[node.index] = before
          return done
        }
      }
      case "atomic":
        return this.once(this.compile(node.body))
      case "look":
        return this.look(node)
      case "reference":
        return (at, then) => {
          this.tick()
          const [from, to] = this.captures[node.index] ?? [0, 0]
          const captured = this.text.slice(from, to)
          return this.text.startsWith(captured, at) && then(at + captured.length)
        }
      case "assert":
        return (at, then) => this.holds(node.kind, at) && then(at)
    }
  }

  /** What is matched first stays. */
  private once(step: Step): Step {
    return (at, then) => {
      let end = -1
      return (
        step(at, (next) => {
          end = next
          return true
        }) && then(end)
      )
    }
  }

  private repeat({ body, min, max, lazy, possessive }: Extract<RegexNode, { type: "repeat" }>): Step {
    const step = this.compile(body)
    const from = (at: number, count: number, then: Then): boolean => {
      this.tick()
      const more = (): boolean =>
        count < max && step(at, (next) => (next === at && count >= min ? false : from(next, count + 1, then)))
      if (count < min) return more()
      return lazy ? then(at) || more() : more() || then(at)
    }
    const whole: Step = (at, then) => from(at, 0, then)
    return possessive ? this.once(whole) : whole
  }

  private look({ body, negated, behind }: Extract<RegexNode, { type: "look" }>): Step {
    const step = this.compile(body)
    const isThere = (at: number): boolean => {
      if (!behind) return step(at, () => true)
      for (let start = at; start >= Math.max(0, at - 50); start--) if (step(start, (end) => end === at)) return true
      return false
    }
    return (at, then) => isThere(at) !== negated && then(at)
  }

  private holds(kind: Extract<RegexNode, { type: "assert" }>["kind"], at: number): boolean {
    switch (kind) {
      case "start":
        return at === 0
      case "end":
        return at === this.text.length
      case "lineStart":
        return at === 0 || this.text[at - 1] === "\n"
      case "lineEnd":
        return at === this.text.length || this.text[at] === "\n"
      default: {
        const isWord = (i: number): boolean => i >= 0 && i < this.text.length && has(word, this.text.charCodeAt(i))
        return (isWord(at - 1) !== isWord(at)) === (kind === "word")
      }
    }
  }
}
