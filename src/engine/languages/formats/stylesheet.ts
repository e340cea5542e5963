/** A block of declarations with the selector in front of it. Nested rules of SCSS come with their parents' selectors. */
export interface StyleRule {
  /** As written, comments left out, white space folded. */
  readonly selector: string
  /** Selector of the enclosing rule; null at the top and directly below an at-rule. */
  readonly parent: StyleRule | null
  readonly declarations: ReadonlyArray<Declaration>
  readonly start: number
}

export interface Declaration {
  readonly property: string
  readonly value: string
  readonly start: number
  readonly end: number
}

interface Open extends StyleRule {
  readonly declarations: Array<Declaration>
  readonly isAtRule: boolean
}

const MAX_SELECTOR = 2_000

/** Positions of what has a meaning; strings, comments and the insides of parentheses have none. */
class Reader {
  readonly found: Array<StyleRule> = []
  private readonly text: string
  private readonly lineComments: boolean
  private readonly stack: Array<Open> = []
  private readonly parts: Array<string> = []
  private from: number
  private at = 0

  constructor(text: string, lineComments: boolean) {
    this.text = text
    this.lineComments = lineComments
    this.from = 0
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one flat case per character, in a scanner's inner loop.
  run(): ReadonlyArray<StyleRule> {
    const { text } = this
    let kept = 0
    let parens = 0
    while (this.at < text.length) {
      const c = text[this.at]!
      if (c === "/" && this.comment(kept)) {
        kept = this.at
        continue
      }
      if (c === '"' || c === "'") this.quoted(c)
      else if (c === "(") parens++
      else if (c === ")") parens = Math.max(0, parens - 1)
      else if (c === "#" && text[this.at + 1] === "{") this.interpolation()
      else if (c === "{" || c === "}" || (c === ";" && parens === 0)) {
        this.parts.push(text.slice(kept, this.at))
        this.boundary(c)
        kept = this.at + 1
        parens = 0
      }
      this.at++
    }
    return this.found
  }

  private comment(kept: number): boolean {
    const { text, at } = this
    const isBlock = text[at + 1] === "*"
    const isLine = this.lineComments && text[at + 1] === "/" && text[at - 1] !== ":"
    if (!isBlock && !isLine) return false
    this.parts.push(text.slice(kept, at))
    const close = text.indexOf(isBlock ? "*/" : "\n", at + 2)
    this.at = close < 0 ? text.length : close + (isBlock ? 2 : 1)
    return true
  }

  private quoted(quote: string): void {
    const { text } = this
    for (this.at++; this.at < text.length; this.at++) {
      const c = text[this.at]
      if (c === "\\") this.at++
      else if (c === quote || c === "\n") return
    }
  }

  private interpolation(): void {
    const line = this.text.indexOf("}", this.at)
    if (line >= 0 && line - this.at < 200) this.at = line
  }

  private boundary(c: string): void {
    const written = this.parts.splice(0).join(" ")
    const start = this.from + (written.length - written.trimStart().length)
    this.from = this.at + 1
    if (c === "{") this.open(written, start)
    else {
      this.declare(written, start)
      if (c === "}") this.stack.pop()
    }
  }

  private open(written: string, start: number): void {
    const selector = written.slice(-MAX_SELECTOR).replace(/\s+/g, " ").trim()
    const isAtRule = selector.startsWith("@")
    const above = this.stack.findLast((rule) => !rule.isAtRule) ?? null
    const rule: Open = { selector, parent: above, declarations: [], start, isAtRule }
    this.stack.push(rule)
    if (!isAtRule) this.found.push(rule)
  }

  private declare(written: string, start: number): void {
    const rule = this.stack.findLast(({ isAtRule }) => !isAtRule)
    const colon = written.indexOf(":")
    const text = written.trim()
    if (rule === undefined || text === "") return
    const isMixin = text.startsWith("@")
    const property = isMixin ? (/^@[\w-]+/.exec(text)?.[0] ?? "@") : written.slice(0, Math.max(0, colon)).trim()
    const value = isMixin ? text.slice(property.length).trim() : written.slice(colon + 1).trim()
    rule.declarations.push({ property: property.toLowerCase(), value, start, end: this.at })
  }
}

/** Rules of a style sheet: CSS, SCSS and Less alike, since nothing but blocks, declarations and comments is read. */
export const styleRules = (text: string, lineComments: boolean): ReadonlyArray<StyleRule> =>
  new Reader(text, lineComments).run()
