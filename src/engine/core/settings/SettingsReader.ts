import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml"
import { SETTINGS_FILE, type SettingsWarning } from "./RepositorySettings.ts"

const MAX_WARNINGS = 50

/** Reads parts of a YAML document as data, and notes what is not as it should be, with its line. */
export class SettingsReader {
  readonly warnings: Array<SettingsWarning> = []
  private readonly lines = new LineCounter()
  readonly root: Document.Parsed

  private readonly path: string

  constructor(text: string, path = SETTINGS_FILE) {
    this.path = path
    this.root = parseDocument(text, { lineCounter: this.lines, schema: "core", merge: false, uniqueKeys: true })
    for (const error of this.root.errors) {
      this.note(error.linePos?.[0].line ?? null, `It is not YAML that can be read: ${error.message.split("\n")[0]}`)
    }
  }

  note(line: number | null, message: string): void {
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push({ path: this.path, line, message })
  }

  lineOf(node: unknown): number {
    const range = (node as Node | null)?.range
    return range === undefined || range === null ? 1 : this.lines.linePos(range[0]).line
  }

  /** The value of each key that is known; others are noted. */
  fields(node: unknown, at: string, known: ReadonlyArray<string>): ReadonlyMap<string, unknown> {
    const fields = new Map<string, unknown>()
    for (const [key, value, line] of this.entries(node, at)) {
      if (known.includes(key)) fields.set(key, value)
      else this.note(line, `Unknown key "${key.slice(0, 60)}"${inside(at)}: known are ${known.join(", ")}.`)
    }
    return fields
  }

  entries(node: unknown, at: string): ReadonlyArray<readonly [key: string, value: unknown, line: number]> {
    if (isNothing(node)) return []
    if (!isMap(node)) {
      this.note(this.lineOf(node), `${named(at)} must be a mapping of keys to values.`)
      return []
    }
    return node.items.flatMap(({ key, value }) => {
      if (isScalar(key) && typeof key.value === "string") return [[key.value, value, this.lineOf(key)] as const]
      this.note(this.lineOf(key), `A key${inside(at)} must be a text.`)
      return []
    })
  }

  items(node: unknown, at: string): ReadonlyArray<unknown> {
    if (isNothing(node)) return []
    if (isSeq(node)) return node.items
    this.note(this.lineOf(node), `${named(at)} must be a list: lines that begin with "- ".`)
    return []
  }

  text(node: unknown, at: string): string | null {
    if (isScalar(node) && typeof node.value === "string" && node.value.trim() !== "") return node.value.trim()
    const instead = isAlias(node) ? "written out, without an alias" : "a text"
    this.note(this.lineOf(node), `${named(at)} must be ${instead}.`)
    return null
  }

  texts(node: unknown, at: string): ReadonlyArray<string> {
    return this.items(node, at).flatMap((item) => this.text(item, `an item of ${at}`) ?? [])
  }

  /** One of these words. */
  word<A extends string>(node: unknown, at: string, words: ReadonlyArray<A>): A | null {
    const text = this.text(node, at)
    if (text === null) return null
    const word = words.find((one) => one === text)
    if (word !== undefined) return word
    this.note(this.lineOf(node), `${named(at)} is "${text.slice(0, 60)}"; it must be one of ${words.join(", ")}.`)
    return null
  }
}

const isNothing = (node: unknown): boolean =>
  node === null || node === undefined || (isScalar(node) && node.value === null)

const inside = (at: string): string => (at === "" ? "" : ` of ${at}`)

const named = (at: string): string => (at === "" ? "The file" : at)
