import { baseName } from "../../core/text/paths.ts"
import type { ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import type { Declared } from "./declarations.ts"
import { isMigration, kindOf, nounKey, singular } from "./Noun.ts"

const MAX_REMEMBERED = 200_000

const increment = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

/** In how many source files each noun is named: by the name of its type, or in the words of what is defined and called. */
export class Uses {
  private readonly counts = new Map<string, number>()
  private readonly functions = new Map<string, number>()
  private readonly collections = new Map<string, number>()
  private readonly keysOf = new Map<string, ReadonlyArray<string>>()
  private readonly stored: ReadonlySet<string>
  private readonly keys = new Map<string, string>()
  /** Nouns of a program; their words go before those that only a library has. */
  private readonly declared: Declared["byKey"]
  private readonly ofLibrary: Declared["ofLibrary"]
  private readonly keyOfName: Declared["keyOf"]

  constructor(survey: Survey, { byKey, ofLibrary, keyOf }: Declared) {
    this.declared = byKey
    this.ofLibrary = ofLibrary
    this.keyOfName = keyOf
    this.stored = new Set([...byKey].filter(([, all]) => all.some(({ what }) => kindOf(what) < 2)).map(([key]) => key))
    for (const file of survey.source)
      if (
        (["names", "entities", "definitions", "outline", "writes"] as const).some((part) => file.has(part)) &&
        !isMigration(file.path)
      )
        this.count(file)
  }

  of(key: string): number {
    return this.counts.get(key) ?? 0
  }

  /** How many functions have it in their name. */
  functionsOf(key: string): number {
    return this.functions.get(key) ?? 0
  }

  /** How many types hold several of it. */
  collectionsOf(key: string): number {
    return this.collections.get(key) ?? 0
  }

  private has(key: string): boolean {
    return this.declared.has(key) || this.ofLibrary.has(key)
  }

  private keyOf(name: string): string {
    const known = this.keys.get(name)
    if (known !== undefined) return known
    const key = this.keyOfName(name)
    if (this.keys.size < MAX_REMEMBERED) this.keys.set(name, key)
    return key
  }

  private count(file: ObservedFile): void {
    const named = new Set<string>()
    for (const name of file.names.split(" ")) {
      const key = this.keyOf(name)
      if (this.has(key)) named.add(key)
    }
    const identifiers = [
      baseName(file.path).replace(/\..*$/, ""),
      ...file.declared.map(({ name }) => name),
      ...file.calls.flatMap(([callee]) => callee.split(/[.:#>\\-]+/))
    ]
    // One word of a name may be any word; several are the noun.
    for (const identifier of identifiers)
      for (const key of this.wordsOf(identifier)) if (this.stored.has(key) || key.includes(" ")) named.add(key)
    this.countHandling(file)
    for (const key of this.namedInTexts(file)) named.add(key)
    for (const key of named) increment(this.counts, key)
  }

  /** Code that asks for a collection, or writes a table, names it in a text. */
  private namedInTexts({ entities, writes }: ObservedFile): ReadonlyArray<string> {
    const collections = entities.filter(({ as }) => as.startsWith("collection")).map(({ name }) => nounKey(name))
    return [...collections, ...writes.map(([table]) => this.keyOf(table)).filter((key) => this.stored.has(key))]
  }

  private countHandling({ declared, entities }: ObservedFile): void {
    for (const { name, kind } of declared)
      if (kind === "function") for (const key of new Set(this.wordsOf(name))) increment(this.functions, key)
    for (const { fields } of entities)
      for (const field of fields) {
        const key = this.keyOf(field)
        const isPlural = !field.toLowerCase().endsWith(key.split(" ").at(-1)!)
        if (isPlural && this.has(key)) increment(this.collections, key)
      }
  }

  /** Nouns in the words of an identifier: "memo relation" and "relation" in `listMemoRelations`. */
  private wordsOf(identifier: string): ReadonlyArray<string> {
    const known = this.keysOf.get(identifier)
    if (known !== undefined) return known
    const words = nounKey(identifier).split(" ")
    const found = keysIn(words, (key) => this.declared.has(key))
    const others = keysIn(words, (key) => this.has(key)).filter((key) => !this.declared.has(key))
    const all = others.length === 0 ? found : [...found, ...others]
    if (this.keysOf.size < MAX_REMEMBERED) this.keysOf.set(identifier, all)
    return all
  }
}

/** The longest keys in some words, one after the other. */
const keysIn = (words: ReadonlyArray<string>, isKey: (key: string) => boolean): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let from = 0; from < words.length; from++)
    for (let length = Math.min(4, words.length - from); length > 0; length--) {
      const part = words.slice(from, from + length)
      const key = [...part.slice(0, -1), singular(part.at(-1)!)].join(" ")
      if (isKey(key)) {
        found.push(key)
        from += length - 1
        break
      }
    }
  return found
}
