import { createHash } from "node:crypto"
import { rustTestItems } from "../../languages/code/testItems.ts"
import { testRegions } from "../../languages/code/testRegions.ts"
import { scopesOf, symbolIn } from "../../languages/syntax/symbols.ts"
import type { FlatTree } from "../../languages/tree/FlatTree.ts"
import { parse } from "../../languages/tree/Parser.ts"
import type { Range } from "../../languages/tree/Range.ts"
import { type FileRole, looksMinified } from "./FileRole.ts"
import { type FileTerms, ownRoleIn, termsOf } from "./FileTerms.ts"
import { MAX_FILE_BYTES } from "./fileText.ts"
import { type Language, languageOf } from "./Language.ts"

/** A file as tools see it. The tree is parsed when first asked for and kept as long as the file. */
export class SourceFile {
  readonly path: string
  readonly language: Language
  readonly role: FileRole
  /** The role without configuration: credentials are judged by this one. */
  readonly ownRole: FileRole
  /** Others may have written it first, and no configuration says what it is: nothing in it is sure to be the repository's to fix. */
  readonly isUncertain: boolean
  readonly terms: FileTerms
  readonly text: string
  /** Object id of the content: git's when it comes from a repository. */
  readonly blob: string
  readonly lineStarts: Int32Array
  private parsed: FlatTree | null | undefined
  /** Why there is no tree although the language has a grammar. */
  parseSkipped: string | null = null
  private readonly derived = new Map<unknown, unknown>()

  constructor(file: {
    readonly path: string
    readonly text: string
    readonly blob?: string
    readonly language?: Language
    /** Without them, what its path alone says. */
    readonly terms?: FileTerms
  }) {
    this.path = file.path
    this.text = file.text
    this.lineStarts = lineStartsOf(file.text)
    this.terms = file.terms ?? termsOf(file.path)
    const { configured } = this.terms
    this.language = file.language ?? configured?.language ?? languageOf(file.path, file.text)
    const own = ownRoleIn(this.terms, file.path, file.text, this.lineStarts.length)
    this.ownRole = own.role
    this.role = configured?.role ?? own.role
    this.isUncertain = own.isUncertain && (configured?.role ?? null) === null
    this.blob = file.blob ?? createHash("sha1").update(file.text).digest("hex")
  }

  get tree(): FlatTree | null {
    if (this.parsed === undefined) {
      if (this.text.length > MAX_FILE_BYTES) {
        this.parseSkipped = "it is too large"
        this.parsed = null
      } else if (looksMinified(this.text, this.lineStarts.length)) {
        this.parseSkipped = "its lines are too long to have been written by hand"
        this.parsed = null
      } else {
        const outcome = parse(this.text, this.language)
        this.parseSkipped = outcome.skipped
        this.parsed = outcome.tree
      }
    }
    return this.parsed
  }

  /** Elements of HTML by the name of the component that renders them, as far as the repository says. */
  get components(): Readonly<Record<string, string>> {
    return this.terms.configured?.components ?? {}
  }

  get mentionsComponents(): boolean {
    return Object.keys(this.components).some((name) => this.text.includes(`<${name}`))
  }

  /** Line number of an offset, from 1. */
  line(offset: number): number {
    let low = 0
    let high = this.lineStarts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.lineStarts[middle]! <= offset) low = middle
      else high = middle
    }
    return low + 1
  }

  get lineCount(): number {
    return this.lineStarts.length
  }

  /** Text of a line, counted from 1, without its end. */
  lineText(line: number): string {
    const from = this.lineStarts[line - 1]
    if (from === undefined) return ""
    const to = this.lineStarts[line] ?? this.text.length + 1
    return this.text.slice(from, to - 1).replace(/\r$/, "")
  }

  /** Enclosing named functions, classes or keys, joined by "."; null at the top of the file. */
  symbolAt(offset: number): string | null {
    const scopes = this.memo(scopesOf, scopesOf)
    return scopes === null ? null : symbolIn(scopes, offset)
  }

  /** The role of what is written there: Rust and C keep tests of a file in it. */
  roleAt(offset: number): FileRole {
    if (this.role !== "source" || !/^(?:rust|c|cpp)$/.test(this.language)) return this.role
    const isTest = this.memo(testRanges, testRanges).some(([start, end]) => start <= offset && offset < end)
    return isTest ? "test" : this.role
  }

  /** A value computed from this file once, for all that need it. */
  memo<A>(key: unknown, compute: (file: SourceFile) => A): A {
    const known = this.derived.get(key)
    if (known !== undefined || this.derived.has(key)) return known as A
    const value = compute(this)
    this.derived.set(key, value)
    return value
  }

  /** The same of a node of its tree. */
  memoAt<A>(node: number, compute: (file: SourceFile, node: number) => A): A {
    const values = this.memo(compute, () => new Map<number, A>())
    const known = values.get(node)
    if (known !== undefined || values.has(node)) return known as A
    const value = compute(this, node)
    values.set(node, value)
    return value
  }
}

const testRanges = ({ language, text, tree }: SourceFile): ReadonlyArray<Range> => {
  if (language !== "rust") return testRegions(text)
  return tree === null ? [] : rustTestItems(tree).map((item) => [tree.start(item), tree.end(item)])
}

const lineStartsOf = (text: string): Int32Array => {
  let count = 1
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++
  const starts = new Int32Array(count)
  let line = 1
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts[line++] = at + 1
  return starts
}
