import {
  anything,
  bothCases,
  type CharSet,
  complement,
  digit,
  letter,
  notNewline,
  setOf,
  space,
  word
} from "./CharSet.ts"

export type RegexNode =
  | { readonly type: "set"; readonly set: CharSet }
  | { readonly type: "sequence"; readonly parts: ReadonlyArray<RegexNode> }
  | { readonly type: "choice"; readonly parts: ReadonlyArray<RegexNode> }
  | {
      readonly type: "repeat"
      readonly body: RegexNode
      readonly min: number
      readonly max: number
      readonly lazy: boolean
      readonly possessive: boolean
    }
  | { readonly type: "capture"; readonly index: number; readonly body: RegexNode }
  | { readonly type: "atomic"; readonly body: RegexNode }
  | { readonly type: "look"; readonly body: RegexNode; readonly negated: boolean; readonly behind: boolean }
  | { readonly type: "reference"; readonly index: number }
  | { readonly type: "assert"; readonly kind: "start" | "end" | "lineStart" | "lineEnd" | "word" | "notWord" }

const MAX_LENGTH = 4_000
const MAX_DEPTH = 40

class Unsupported extends Error {}

const controls: Record<string, number> = { n: 10, r: 13, t: 9, f: 12, v: 11, a: 7, e: 27, 0: 0 }
const classes: Record<string, CharSet> = {
  d: digit,
  D: complement(digit),
  w: word,
  W: complement(word),
  s: space,
  S: complement(space)
}

/** A recursive descent over what JavaScript, Python, Ruby, Java and PCRE have in common. */
class Reader {
  private at = 0
  private captures = 0
  private readonly text: string
  private ignoreCase: boolean
  private readonly dotAll: boolean
  private readonly lines: boolean
  private readonly extended: boolean

  constructor(text: string, flags: string) {
    this.text = text
    this.ignoreCase = flags.includes("i")
    this.dotAll = flags.includes("s")
    this.lines = flags.includes("m")
    this.extended = flags.includes("x")
  }

  whole(): RegexNode {
    const node = this.choice(0)
    if (this.at < this.text.length) throw new Unsupported()
    return node
  }

  private choice(depth: number): RegexNode {
    if (depth > MAX_DEPTH) throw new Unsupported()
    const parts = [this.sequence(depth)]
    while (this.text[this.at] === "|") {
      this.at++
      parts.push(this.sequence(depth))
    }
    return parts.length === 1 ? parts[0]! : { type: "choice", parts }
  }

  private sequence(depth: number): RegexNode {
    const parts: Array<RegexNode> = []
    while (this.at < this.text.length && this.text[this.at] !== "|" && this.text[this.at] !== ")") {
      if (this.extended && this.skipLayout()) continue
      const atom = this.atom(depth)
      if (atom !== null) parts.push(this.quantified(atom))
    }
    return parts.length === 1 ? parts[0]! : { type: "sequence", parts }
  }

  private skipLayout(): boolean {
    const c = this.text[this.at]!
    if (/\s/.test(c)) this.at++
    else if (c === "#") {
      const end = this.text.indexOf("\n", this.at)
      this.at = end < 0 ? this.text.length : end
    } else return false
    return true
  }

  private quantified(atom: RegexNode): RegexNode {
    let node = atom
    for (let bounds = this.bounds(); bounds !== null; bounds = this.bounds()) {
      const suffix = this.text[this.at]
      const lazy = suffix === "?"
      const possessive = suffix === "+"
      if (lazy || possessive) this.at++
      node = { type: "repeat", body: node, ...bounds, lazy, possessive }
    }
    return node
  }

  private bounds(): { readonly min: number; readonly max: number } | null {
    const found = /^(?:[*+?]|\{(\d{0,4})(?:(,)(\d{0,4}))?\})/.exec(this.text.slice(this.at, this.at + 12))
    if (found === null) return null
    const [mark, low = "", comma, high = ""] = found
    if (mark === "*" || mark === "+" || mark === "?") {
      this.at++
      return { min: mark === "+" ? 1 : 0, max: mark === "?" ? 1 : Number.POSITIVE_INFINITY }
    }
    // Without a number the braces stand for themselves.
    if (low === "" && high === "") return null
    this.at += mark.length
    const min = Number(low || 0)
    const max = comma === undefined ? min : high === "" ? Number.POSITIVE_INFINITY : Number(high)
    if (max < min) throw new Unsupported()
    return { min, max }
  }

  private atom(depth: number): RegexNode | null {
    const c = this.text[this.at++]!
    switch (c) {
      case "(":
        return this.group(depth)
      case "[":
        return this.cased(this.bracket())
      case ".":
        return { type: "set", set: this.dotAll ? anything : notNewline }
      case "^":
        return { type: "assert", kind: this.lines ? "lineStart" : "start" }
      case "$":
        return { type: "assert", kind: this.lines ? "lineEnd" : "end" }
      case "\\":
        return this.escaped()
      case "*":
      case "+":
      case "?":
        throw new Unsupported()
      default:
        return this.cased(single(c.charCodeAt(0)))
    }
  }

  private cased(set: CharSet): RegexNode {
    return { type: "set", set: this.ignoreCase ? bothCases(set) : set }
  }

  private group(depth: number): RegexNode | null {
    const head = /^\?(?:(<=|<!|[:=!>])|(P?<\w+>|'\w+')|#[^)]*\)|([imsxu]*)(?:-[imsx]+)?([:)]))/.exec(
      this.text.slice(this.at, this.at + 200)
    )
    if (this.text[this.at] === "?" && head === null) throw new Unsupported()
    if (this.text[this.at] === "*") throw new Unsupported()
    this.at += head?.[0].length ?? 0
    if (head?.[0].startsWith("?#") === true) return null
    if (head?.[3]?.includes("i") === true) this.ignoreCase = true
    if (head?.[3]?.includes("x") === true || head?.[3]?.includes("s") === true) throw new Unsupported()
    if (head?.[4] === ")") return null
    const kind = head?.[1] ?? (head?.[4] === ":" ? ":" : "")
    const index = kind === "" ? ++this.captures : 0
    const body = this.choice(depth + 1)
    if (this.text[this.at++] !== ")") throw new Unsupported()
    switch (kind) {
      case ":":
        return body
      case ">":
        return { type: "atomic", body }
      case "":
        return { type: "capture", index, body }
      default:
        return { type: "look", body, negated: kind.endsWith("!"), behind: kind.startsWith("<") }
    }
  }

  private escaped(): RegexNode {
    const c = this.text[this.at++]
    if (c === undefined) throw new Unsupported()
    if (c === "b" || c === "B") return { type: "assert", kind: c === "b" ? "word" : "notWord" }
    if (c === "A") return { type: "assert", kind: "start" }
    if (c === "z" || c === "Z") return { type: "assert", kind: "end" }
    if (/[1-9]/.test(c)) return { type: "reference", index: Number(c) }
    if (/[GKRXkghHNQE]/.test(c)) throw new Unsupported()
    return this.cased(this.escapedSet(c))
  }

  private escapedSet(c: string): CharSet {
    const known = classes[c]
    if (known !== undefined) return known
    if (c === "p" || c === "P") {
      const set = this.category()
      return c === "P" ? complement(set) : set
    }
    const hex = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|[xu]\{([0-9a-fA-F]{1,6})\})/.exec(
      c + this.text.slice(this.at, this.at + 9)
    )
    if (hex !== null) {
      this.at += hex[0].length - 1
      const point = Number.parseInt(hex[1] ?? hex[2] ?? hex[3]!, 16)
      return point > 0xffff ? surrogates : single(point)
    }
    if (c === "c") return single(this.text.charCodeAt(this.at++) & 31)
    const control = controls[c]
    return single(control ?? c.charCodeAt(0))
  }

  /** `{Lu}` after `\p`. */
  private category(): CharSet {
    const name = /^\{\^?([\w= ]{1,40})\}/.exec(this.text.slice(this.at, this.at + 45))
    const set = name === null ? undefined : categories.find(([names]) => names.test(name[1]!))?.[1]
    if (name === null || set === undefined) throw new Unsupported()
    this.at += name[0].length
    return name[0].startsWith("{^") ? complement(set) : set
  }

  private bracket(): CharSet {
    const negated = this.text[this.at] === "^"
    if (negated) this.at++
    const ranges: Array<readonly [number, number]> = []
    for (let first = true; ; first = false) {
      const c = this.text[this.at]
      if (c === undefined) throw new Unsupported()
      if (c === "]" && !first) break
      if (this.text.startsWith("&&", this.at)) throw new Unsupported()
      ranges.push(...this.range())
    }
    this.at++
    const set = setOf(ranges)
    return negated ? complement(this.ignoreCase ? bothCases(set) : set) : set
  }

  /** A member, or the range that it begins. */
  private range(): ReadonlyArray<readonly [number, number]> {
    const low = this.member()
    if (!isSingle(low) || this.text[this.at] !== "-" || this.text[this.at + 1] === "]") return low
    this.at++
    const high = this.member()
    return isSingle(high) && high[0]![0] >= low[0]![0] ? [[low[0]![0], high[0]![0]]] : [...low, [0x2d, 0x2d], ...high]
  }

  private member(): CharSet {
    const c = this.text[this.at++]
    if (c === undefined) throw new Unsupported()
    if (c === "[" && this.text[this.at] === ":") {
      const name = /^:(alpha|digit|alnum|space|word|upper|lower|punct|xdigit):\]/.exec(
        this.text.slice(this.at, this.at + 12)
      )
      if (name === null) throw new Unsupported()
      this.at += name[0].length
      return posix[name[1]!]!
    }
    if (c !== "\\") return single(c.charCodeAt(0))
    const escaped = this.text[this.at++]
    if (escaped === undefined) throw new Unsupported()
    return escaped === "b" ? single(8) : this.escapedSet(escaped)
  }
}

/** Characters beyond the first plane are two units each. */
const surrogates: CharSet = [[0xd800, 0xdfff]]

const punctuation = setOf([
  [0x21, 0x2f],
  [0x3a, 0x40],
  [0x5b, 0x60],
  [0x7b, 0x7e]
])

const categories: ReadonlyArray<readonly [RegExp, CharSet]> = [
  [/^(?:L|L[ulotmC]|Letter|Alpha|Alphabetic|IsAlphabetic|Lower|Upper|IsLetter|General_Category=L\w*)$/, letter],
  [/^(?:N|N[dlo]|Digit|IsDigit)$/, digit],
  [/^(?:Alnum|IsAlphanumeric)$/, setOf([...letter, ...digit])],
  [/^(?:P|P[a-z]|Punct|Punctuation|IsPunctuation)$/, punctuation],
  [/^(?:Z|Zs|Space|IsWhite_Space|White_Space)$/, space],
  [/^(?:ASCII)$/, setOf([[0, 0x7f]])],
  [/^(?:Emoji\w*|Extended_Pictographic|So)$/, surrogates]
]

const posix: Record<string, CharSet> = {
  alpha: letter,
  digit,
  alnum: setOf([...letter, ...digit]),
  space,
  word,
  upper: setOf([[0x41, 0x5a]]),
  lower: setOf([[0x61, 0x7a]]),
  punct: punctuation,
  xdigit: setOf([
    [0x30, 0x39],
    [0x41, 0x46],
    [0x61, 0x66]
  ])
}

const isSingle = (set: CharSet): boolean => set.length === 1 && set[0]![0] === set[0]![1]

const single = (unit: number): CharSet => [[unit, unit]]

/** Null when the pattern is wrong, or uses what is not modelled here. */
export const parseRegex = (pattern: string, flags: string): RegexNode | null => {
  if (pattern.length > MAX_LENGTH) return null
  try {
    return new Reader(pattern, flags).whole()
  } catch (error) {
    if (error instanceof Unsupported) return null
    throw error
  }
}
