export interface Expansion {
  /** `DIR`, `1`, `@`. */
  readonly name: string
  readonly isQuoted: boolean
  /** `${DIR:?}`, `${DIR:-x}`: something is said for the case that it is empty. */
  readonly isGuarded: boolean
  readonly start: number
  readonly end: number
}

export interface Word {
  /** As written, quotes included. */
  readonly text: string
  readonly start: number
  readonly end: number
  readonly expansions: ReadonlyArray<Expansion>
}

export interface Command {
  readonly words: ReadonlyArray<Word>
  readonly start: number
  readonly end: number
  /** What stands behind it: `|`, `&&`, `||`, `;`, or a line's end. */
  readonly after: string
}

const name = /\$(?:\{([!#]?)(\w+|[@*#?$!-])([^}]{0,200})\}|(\w+|[@*#?$!-]))/y
const heredoc = /<<-?\s*(["']?)(\w+)\1/y

/**
 * Simple commands of a script, in order. Words know their expansions and whether those are quoted; what stands in `$(…)`,
 * in backticks and in here-documents is passed over.
 */
class Lexer {
  readonly commands: Array<Command> = []
  private readonly text: string
  private readonly end: number
  private at: number
  private words: Array<Word> = []
  private pending: Array<string> = []

  constructor(text: string, from: number, to: number) {
    this.text = text
    this.at = from
    this.end = to
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one flat case per first character, in a scanner's inner loop.
  run(): ReadonlyArray<Command> {
    while (this.at < this.end) {
      const c = this.text[this.at]!
      if (c === " " || c === "\t" || c === "\r") this.at++
      else if (c === "\\" && this.text[this.at + 1] === "\n") this.at += 2
      else if (c === "#") this.skipLine()
      else if (c === "\n") this.newline()
      else if (c === "<" && this.hereDocument()) continue
      else if (/[;&|(){}]/.test(c) && !this.startsBrace()) this.operator(c)
      else this.word()
    }
    this.finish("\n")
    return this.commands
  }

  private startsBrace(): boolean {
    return (this.text[this.at] === "{" || this.text[this.at] === "}") && /[\w,.]/.test(this.text[this.at + 1] ?? "")
  }

  private skipLine(): void {
    const line = this.text.indexOf("\n", this.at)
    this.at = line < 0 ? this.end : line
  }

  private newline(): void {
    this.finish("\n")
    this.at++
    for (const terminator of this.pending.splice(0)) this.skipDocument(terminator)
  }

  private hereDocument(): boolean {
    heredoc.lastIndex = this.at
    const match = heredoc.exec(this.text)
    if (match === null || this.text[this.at + 2] === "<") return false
    if (this.pending.length < 4) this.pending.push(match[2]!)
    this.at += match[0].length
    return true
  }

  private skipDocument(terminator: string): void {
    while (this.at < this.end) {
      const line = this.text.indexOf("\n", this.at)
      const stop = line < 0 ? this.end : line
      const content = this.text.slice(this.at, Math.min(stop, this.at + 200)).trim()
      this.at = Math.min(stop + 1, this.end)
      if (content === terminator) return
    }
  }

  private operator(c: string): void {
    const isDouble = this.text[this.at + 1] === c && (c === "&" || c === "|" || c === ";")
    this.finish(isDouble ? c + c : c)
    this.at += isDouble ? 2 : 1
  }

  private finish(after: string): void {
    const [first, last] = [this.words[0], this.words.at(-1)]
    if (first !== undefined && last !== undefined) {
      this.commands.push({ words: this.words, start: first.start, end: last.end, after })
    }
    this.words = []
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one flat case per character and kind of quote, in a scanner's inner loop.
  private word(): void {
    const start = this.at
    const expansions: Array<Expansion> = []
    let quote = ""
    while (this.at < this.end) {
      const c = this.text[this.at]!
      if (c === "\\" && quote !== "'") this.at += 2
      else if (quote === "'") {
        if (c === "'") quote = ""
        this.at++
      } else if (c === '"' || (c === "'" && quote === "")) {
        quote = quote === "" ? c : ""
        this.at++
      } else if (c === "$") this.expansion(quote !== "", expansions)
      else if (c === "`") this.backticks()
      else if (quote === "" && /[\s;&|()]/.test(c)) break
      else this.at++
    }
    this.at = Math.min(this.at, this.end)
    if (this.at === start) this.at++
    this.words.push({ text: this.text.slice(start, this.at), start, end: this.at, expansions })
  }

  private backticks(): void {
    const close = this.text.indexOf("`", this.at + 1)
    this.at = close < 0 || close - this.at > 2_000 ? this.at + 1 : close + 1
  }

  private expansion(isQuoted: boolean, expansions: Array<Expansion>): void {
    const start = this.at
    if (this.text[start + 1] === "(") {
      this.substitution()
      return
    }
    name.lastIndex = start
    const match = name.exec(this.text)
    if (match === null) {
      this.at++
      return
    }
    this.at += match[0].length
    const isLength = match[1] === "#"
    const isGuarded = isLength || /^:?[-?=+]/.test(match[3] ?? "")
    expansions.push({ name: match[2] ?? match[4] ?? "", isQuoted, isGuarded, start, end: this.at })
  }

  /** To the parenthesis that closes it; one that never does ends with its line. */
  private substitution(): void {
    let depth = 0
    const limit = Math.min(this.end, this.at + 2_000)
    for (let i = this.at + 1; i < limit; i++) {
      const c = this.text[i]
      if (c === "(") depth++
      else if (c === ")" && --depth === 0) {
        this.at = i + 1
        return
      }
    }
    this.at += 2
  }
}

export const shellCommands = (text: string, from = 0, to = text.length): ReadonlyArray<Command> =>
  new Lexer(text, from, to).run()
