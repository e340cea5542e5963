/** A `${{ … }}` in a text, with the contexts whose value can become (part of) its own. */
export interface Expression {
  /** Offsets into the text that was given, marks included. */
  readonly start: number
  readonly end: number
  /** `github.event.issue.title`, in lower case; an index or filter becomes `.*`. */
  readonly contexts: ReadonlyArray<string>
}

const MAX_EXPRESSION = 4_000

/** Functions whose result is a yes, a no, a number or a digest, whatever they are given. */
const opaque = new Set(["contains", "startswith", "endswith", "hashfiles", "always", "success", "failure", "cancelled"])

type Token = { readonly kind: "name" | "string" | "number" | "mark"; readonly text: string }

const token = /\s*(?:([A-Za-z_][\w-]*)|('(?:[^']|'')*')|(-?\d[\w.+-]*)|(&&|\|\||[=!<>]=|[()[\],.*!<>]))/y

const tokensOf = (text: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  token.lastIndex = 0
  for (;;) {
    const match = token.exec(text)
    if (match === null) return tokens
    const [, name, string, number, mark] = match
    if (name !== undefined) tokens.push({ kind: "name", text: name })
    else if (string !== undefined) tokens.push({ kind: "string", text: string })
    else if (number !== undefined) tokens.push({ kind: "number", text: number })
    else tokens.push({ kind: "mark", text: mark! })
  }
}

/** `a && b` is b or something falsy, `a || b` is either, a comparison is neither. */
class ExpressionReader {
  private at = 0
  private depth = 0
  private readonly tokens: ReadonlyArray<Token>

  constructor(tokens: ReadonlyArray<Token>) {
    this.tokens = tokens
  }

  read(): ReadonlyArray<string> {
    if (++this.depth > 50) return []
    const flowing = [...this.conjunction()]
    while (this.take("||")) flowing.push(...this.conjunction())
    this.depth--
    return flowing
  }

  private conjunction(): ReadonlyArray<string> {
    let flowing = this.comparison()
    while (this.take("&&")) flowing = this.comparison()
    return flowing
  }

  private comparison(): ReadonlyArray<string> {
    let flowing = this.operand()
    while (this.take("==", "!=", "<=", ">=", "<", ">")) {
      this.operand()
      flowing = []
    }
    return flowing
  }

  private operand(): ReadonlyArray<string> {
    if (this.take("!")) {
      this.operand()
      return []
    }
    if (this.take("(")) {
      const inner = this.read()
      this.take(")")
      return inner
    }
    const next = this.tokens[this.at]
    if (next === undefined) return []
    this.at++
    return next.kind === "name" ? this.named(next.text.toLowerCase()) : []
  }

  private named(name: string): ReadonlyArray<string> {
    if (!this.take("(")) return [this.path(name)]
    const given = this.given()
    return opaque.has(name) ? [] : given
  }

  /** What flows out of the arguments of a function, the closing parenthesis included. */
  private given(): ReadonlyArray<string> {
    const given: Array<string> = []
    while (this.at < this.tokens.length && !this.take(")")) {
      given.push(...this.read())
      if (!this.take(",") && this.tokens[this.at]?.text !== ")") this.at++
    }
    return given
  }

  private path(root: string): string {
    let path = root
    for (;;) {
      if (this.take(".")) {
        const part = this.tokens[this.at++]
        path += `.${part?.kind === "name" ? part.text.toLowerCase() : "*"}`
      } else if (this.take("[")) path += `.${this.index()}`
      else return path
    }
  }

  private index(): string {
    const index = this.tokens[this.at]
    const isLiteral = index?.kind === "string" && this.tokens[this.at + 1]?.text === "]"
    if (isLiteral) this.at++
    else this.read()
    this.take("]")
    return isLiteral ? index.text.slice(1, -1).toLowerCase() : "*"
  }

  private take(...marks: ReadonlyArray<string>): boolean {
    const next = this.tokens[this.at]
    if (next?.kind !== "mark" || !marks.includes(next.text)) return false
    this.at++
    return true
  }
}

/** Contexts that flow out of the text of one expression, without its `${{ }}`. */
const contextsOf = (expression: string): ReadonlyArray<string> =>
  expression.length > MAX_EXPRESSION ? [] : new ExpressionReader(tokensOf(expression)).read()

/** All expressions of a text. */
export const expressionsIn = (text: string): ReadonlyArray<Expression> => {
  const found: Array<Expression> = []
  let start = text.indexOf("${{")
  while (start >= 0) {
    const close = text.indexOf("}}", start + 3)
    if (close < 0) break
    found.push({ start, end: close + 2, contexts: contextsOf(text.slice(start + 3, close)) })
    start = text.indexOf("${{", close + 2)
  }
  return found
}
