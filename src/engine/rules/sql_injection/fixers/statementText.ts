import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { positionIn } from "../../../dataflow/values/sqlText.ts"
import type { TextPart } from "../../../languages/edits/textParts.ts"
import type { Driver } from "./drivers.ts"

/** A value to bind: its code, and the name of a named placeholder. */
export interface Bound {
  readonly code: string
  readonly name: string
  /** How many placeholders are before it that the statement had already. */
  readonly position: number
}

export interface BoundStatement {
  readonly text: string
  readonly values: ReadonlyArray<Bound>
}

const HOLE = "\u0000"

/** What may stand before a value that was in quotes: elsewhere the quotes belong to a typed literal or a name. */
const beforeQuote = /(?:[=<>(,]|\b(?:i?like|between|and|values|in))\s*$/i

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length

/**
 * The statement with placeholders in place of its values. A part that is no value, such as the name of a column, cannot be
 * bound: null.
 */
export const boundStatement = (
  file: SourceFile,
  parts: ReadonlyArray<TextPart>,
  driver: Driver,
  known: number
): BoundStatement | null => {
  const statement = new Statement(file, driver, known)
  const texts = parts.map((part) => ("text" in part ? part.text : HOLE))
  const whole = texts.join("")
  let hole = 0
  for (const part of parts) {
    if ("text" in part) statement.add(part.text)
    else if (!statement.bind(part.node, positionIn(whole, hole++))) return null
  }
  return statement.finished()
}

class Statement {
  private readonly file: SourceFile
  private readonly driver: Driver
  private readonly known: number
  private text = ""
  private readonly values: Array<Bound> = []
  /** A quoted value that waits for the end of its string. */
  private open: { readonly quote: string; readonly prefix: string; readonly node: number } | null = null

  constructor(file: SourceFile, driver: Driver, known: number) {
    this.file = file
    this.driver = driver
    this.known = known
  }

  add(text: string): void {
    if (this.open === null) {
      this.text += text
      return
    }
    const { quote, prefix, node } = this.open
    const end = text.indexOf(quote)
    if (end < 0) return
    this.open = null
    this.place(this.codeOf(node, prefix, text.slice(0, end)), node)
    this.text += text.slice(end + 1)
  }

  bind(node: number, position: ReturnType<typeof positionIn>): boolean {
    if (this.open !== null || position === "other") return false
    if (position === "value") {
      this.place(this.codeOf(node, "", ""), node)
      return true
    }
    const start = Math.max(this.text.lastIndexOf("'"), this.text.lastIndexOf('"'))
    const before = this.text.slice(0, start)
    if (start < 0 || !beforeQuote.test(before)) return false
    this.open = { quote: this.text[start]!, prefix: this.text.slice(start + 1), node }
    this.text = before
    return true
  }

  finished(): BoundStatement | null {
    const isSound = this.open === null && this.values.length > 0 && this.values.every(({ code }) => code !== "")
    return isSound ? { text: this.text, values: this.values } : null
  }

  private place(code: string, node: number): void {
    const name = this.nameOf(node)
    this.values.push({ code, name, position: count(this.text, /(?<!')\?(?!')/g) - this.added() })
    this.text += this.placeholder(name)
  }

  private added(): number {
    return this.driver.placeholder === "question" ? this.values.length : 0
  }

  private placeholder(name: string): string {
    switch (this.driver.placeholder) {
      case "dollar":
        return `$${this.known + this.values.length}`
      case "percent":
        return "%s"
      case "colon":
        return `:${name}`
      default:
        return "?"
    }
  }

  private nameOf(node: number): string {
    const last = /(\w+)\W*$/.exec(this.file.tree!.textOf(node))?.[1] ?? "value"
    const base = /^[a-z_]\w*$/i.test(last) ? last : "value"
    const taken = this.values.filter(({ name }) => name.replace(/_\d+$/, "") === base).length
    return taken === 0 ? base : `${base}_${taken + 1}`
  }

  /** The value's own code, or with the text around it inside its quotes; empty where that cannot be written. */
  private codeOf(node: number, prefix: string, suffix: string): string {
    const tree = this.file.tree!
    const code = tree.textOf(node)
    if (prefix === "" && suffix === "") return code
    if (/["'`\\\n{}$]/.test(prefix + suffix)) return ""
    switch (this.file.language) {
      case "python":
        return /["{}\n\\]/.test(code) ? "" : `f"${prefix}{${code}}${suffix}"`
      case "go":
      case "java": {
        const isPlain = tree.is(
          node,
          "identifier",
          "selector_expression",
          "field_access",
          "call_expression",
          "method_invocation"
        )
        const around = [prefix === "" ? [] : [`"${prefix}"`], [code], suffix === "" ? [] : [`"${suffix}"`]]
        return isPlain ? around.flat().join(" + ") : ""
      }
      default:
        return `\`${prefix}\${${code}}${suffix}\``
    }
  }
}
