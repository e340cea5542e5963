/** A word, a name, a literal or a sign of SQL. Offsets are into the text that was read. */
export interface Token {
  readonly kind: "word" | "name" | "string" | "sign"
  /** As written; names without their quotes. */
  readonly text: string
  readonly upper: string
  readonly start: number
  readonly end: number
}

export interface Statement {
  readonly tokens: ReadonlyArray<Token>
  readonly start: number
  readonly end: number
}

/** Longer statements are data: what they do is said at their head. */
const MAX_TOKENS = 4_000
const MAX_BRACKETED = 130

const wordAt = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d[\w.]*/y
const dollarAt = /\$\w{0,40}\$/y

const closing = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

/** End of a quoted piece; the quote doubled, or after a backslash, does not end it. */
const quotedEnd = (text: string, quote: string, from: number): number => {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\" && quote !== '"') at++
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) return at + 1
      at++
    }
  }
  return text.length
}

const skipped = (text: string, at: number): number => {
  const two = text.slice(at, at + 2)
  if (two === "--") return closing(text, "\n", at)
  if (two === "/*") return closing(text, "*/", at + 2)
  if (text[at] === "#") return closing(text, "\n", at)
  return /\s/.test(text[at]!) ? at + 1 : at
}

const tokenAt = (text: string, at: number): Token => {
  const char = text[at]!
  const token = (kind: Token["kind"], end: number, shown: string): Token => ({
    kind,
    text: shown,
    upper: shown.toUpperCase(),
    start: at,
    end
  })
  if (char === "'") {
    const end = quotedEnd(text, "'", at + 1)
    return token("string", end, "'…'")
  }
  if (char === '"' || char === "`") {
    const end = quotedEnd(text, char, at + 1)
    return token("name", end, text.slice(at + 1, Math.min(end - 1, at + 200)))
  }
  if (char === "[") {
    const length = text.slice(at, at + MAX_BRACKETED).indexOf("]")
    if (length > 0) return token("name", at + length + 1, text.slice(at + 1, at + length))
  }
  if (char === "$") {
    dollarAt.lastIndex = at
    const tag = dollarAt.exec(text)?.[0]
    if (tag !== undefined) return token("string", closing(text, tag, at + tag.length), "$$…$$")
  }
  wordAt.lastIndex = at
  const word = wordAt.exec(text)?.[0]
  return word === undefined ? token("sign", at + 1, char) : token("word", at + word.length, word)
}

/**
 * Statements of a text in whatever dialect, split at semicolons, comments left out. It knows quotes, comments and dollar
 * quoting and nothing of the grammar, and never gives up: half of the SQL in ordinary repositories is MySQL, SQLite or
 * T-SQL, holds placeholders of a template or is a piece inside of code, and a parser of PostgreSQL reads none of that.
 * The rules only ask how a statement begins and which words are in it; a second engine in each worker would double the
 * start and memory for the same answers.
 */
export const sqlStatements = (text: string): ReadonlyArray<Statement> => {
  const statements: Array<Statement> = []
  let tokens: Array<Token> = []
  const flush = (): void => {
    if (tokens.length > 0) statements.push({ tokens, start: tokens[0]!.start, end: tokens.at(-1)!.end })
    tokens = []
  }
  let at = 0
  while (at < text.length) {
    const next = skipped(text, at)
    if (next > at) {
      at = next
      continue
    }
    const token = tokenAt(text, at)
    at = token.end
    if (token.text === ";" && token.kind === "sign") flush()
    else if (tokens.length < MAX_TOKENS) tokens.push(token)
  }
  flush()
  return statements
}

/** Reads a statement word by word. */
export class Reader {
  private readonly tokens: ReadonlyArray<Token>
  at = 0

  constructor(tokens: ReadonlyArray<Token>) {
    this.tokens = tokens
  }

  get done(): boolean {
    return this.at >= this.tokens.length
  }

  peek(offset = 0): string {
    const token = this.tokens[this.at + offset]
    return token === undefined || token.kind === "string" ? "" : token.upper
  }

  get token(): Token | undefined {
    return this.tokens[this.at]
  }

  /** Take these words if they come next, in this order. */
  take(...words: ReadonlyArray<string>): boolean {
    for (let i = 0; i < words.length; i++) if (this.peek(i) !== words[i]) return false
    this.at += words.length
    return true
  }

  /** A name with its schema left off, in lower case; empty when none comes next. */
  name(): string {
    let found = ""
    for (;;) {
      const token = this.tokens[this.at]
      if (token === undefined || (token.kind !== "word" && token.kind !== "name")) return found
      found = token.text.toLowerCase()
      this.at++
      if (this.peek() !== ".") return found
      this.at++
    }
  }

  /** Words up to the next comma outside of parentheses, or the end. */
  clause(): ReadonlyArray<Token> {
    const from = this.at
    let depth = 0
    for (; this.at < this.tokens.length; this.at++) {
      const { text, kind } = this.tokens[this.at]!
      if (kind !== "sign") continue
      if (text === "(") depth++
      else if (text === ")") {
        if (depth === 0) break
        depth--
      } else if (text === "," && depth === 0) break
    }
    return this.tokens.slice(from, this.at)
  }
}
