import type { FileRole } from "../../core/files/FileRole.ts"
import { decodeText, isBinary } from "../../core/files/fileText.ts"
import { SourceFile } from "../../core/files/SourceFile.ts"
import { TreeTerms } from "../../core/files/TreeTerms.ts"
import type { TreeEntry, TreeSource } from "../../core/source/TreeSource.ts"
import { prepareGrammars } from "../../languages/tree/Grammar.ts"
import type { Api, ApiName } from "./Api.ts"
import { apiOf, type Family, familyOf } from "./apiOf.ts"
import { moduleFile } from "./modules.ts"

/** Beyond this a file is no source that anyone wrote. */
const MAX_BYTES = 1024 * 1024
/** Files that re-export each other may do so in a circle. */
const MAX_DEPTH = 8

export interface ParsedFile {
  readonly path: string
  readonly role: FileRole
  readonly family: Family | null
  readonly text: string
  /** Null where it cannot be read; then `problem` says why. */
  readonly api: Api | null
  readonly problem: string | null
  readonly hasErrors: boolean
  /** Of the declaration of a name. */
  readonly lines: ReadonlyMap<string, number>
}

const noLines: ReadonlyMap<string, number> = new Map()

/** One commit of a change: files are read and parsed when they are asked for. */
export class Side {
  private readonly source: TreeSource
  private readonly entries: ReadonlyMap<string, TreeEntry>
  private readonly terms: TreeTerms
  private readonly parsed = new Map<string, ParsedFile | null>()

  private constructor(source: TreeSource, entries: ReadonlyMap<string, TreeEntry>) {
    this.source = source
    this.entries = entries
    this.terms = new TreeTerms([...entries.keys()])
  }

  static async of(source: TreeSource): Promise<Side> {
    const entries = await source.list()
    return new Side(source, new Map(entries.map((entry) => [entry.path, entry])))
  }

  has(path: string): boolean {
    return this.entries.has(path)
  }

  /** Null where the commit has no such file, or none with a text. */
  async file(path: string): Promise<ParsedFile | null> {
    const known = this.parsed.get(path)
    if (known !== undefined) return known
    const made = await this.read(path)
    this.parsed.set(path, made)
    return made
  }

  async text(path: string): Promise<string | null> {
    const entry = this.entries.get(path)
    if (entry === undefined || entry.size > MAX_BYTES) return null
    for await (const { bytes } of this.source.read([entry])) return isBinary(bytes) ? null : decodeText(bytes)
    return null
  }

  private async read(path: string): Promise<ParsedFile | null> {
    const entry = this.entries.get(path)
    if (entry === undefined) return null
    const text = await this.text(path)
    const file = new SourceFile({ path, text: text ?? "", terms: this.terms.of(path) })
    const family = familyOf(file.language)
    const { role } = file
    const unread = { path, role, family, text: "", api: null, hasErrors: false, lines: noLines }
    if (text === null) return { ...unread, problem: "it is binary, or too large" }
    if (family === null || role !== "source") return { ...unread, text, problem: null }
    await prepareGrammars([file.language])
    const api = apiOf(file)
    const problem = api === null ? (file.parseSkipped ?? "it cannot be parsed") : null
    // The tree is large, and is not kept.
    const lines = new Map([...(api?.names ?? [])].map(([name, { start }]) => [name, file.line(start)]))
    return { ...unread, text, api, problem, hasErrors: file.tree?.hasError ?? false, lines }
  }

  /**
   * Public names of a file, those it re-exports among them. `isWhole` is false where some that it re-exports as a whole are
   * not known.
   */
  async exportsOf(path: string, depth = 0): Promise<{ readonly names: Api["names"]; readonly isWhole: boolean }> {
    const file = await this.file(path)
    if (file?.api === undefined || file.api === null) return { names: new Map(), isWhole: false }
    const { names, stars, isOpen } = file.api
    const all = new Map([...names, ...(await this.reExported(file, names, depth))])
    let isWhole = !isOpen
    for (const module of stars) {
      const inner = await this.namesOf(file, module, depth)
      isWhole &&= inner?.isWhole ?? false
      const others = [...(inner?.names ?? [])].filter(([name]) => !all.has(name) && name !== "default")
      for (const [name, api] of others) all.set(name, api)
    }
    return { names: all, isWhole }
  }

  /** Names that are taken from other modules one by one, with what those show of them. */
  private async reExported(file: ParsedFile, names: Api["names"], depth: number) {
    const found: Array<readonly [string, ApiName]> = []
    for (const [name, { from }] of names) {
      const inner = from === undefined ? null : await this.namesOf(file, from.module, depth)
      if (from !== undefined && inner !== null) found.push(...renamed(inner.names, from.name, name))
    }
    return found
  }

  private async namesOf({ path, family }: ParsedFile, module: string, depth: number) {
    const target =
      family === null || depth >= MAX_DEPTH ? null : moduleFile(family, path, module, (one) => this.has(one))
    return target === null ? null : this.exportsOf(target, depth + 1)
  }
}

/** A name of another module with its members, as it is called where it is re-exported. */
const renamed = (names: Api["names"], from: string, to: string): ReadonlyArray<readonly [string, ApiName]> =>
  [...names].flatMap(([name, api]): ReadonlyArray<readonly [string, ApiName]> => {
    if (name === from) return [[to, { ...api, isPublic: true }]]
    if (name.startsWith(`${from}.`)) return [[`${to}${name.slice(from.length)}`, api]]
    // What CommonJS adds to a function that is the module.
    return from === "default" && !name.includes(".") ? [[`${to}.${name}`, api]] : []
  })
