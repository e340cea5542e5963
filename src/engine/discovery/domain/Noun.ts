import { baseName } from "../../core/text/paths.ts"
import type { Definition, Entity, ObservedFile, States } from "../Observed.ts"

export interface Placed<A> {
  readonly what: A
  readonly file: ObservedFile
}

/** Something that the code is about, under whatever names its parts have it. */
export interface Noun {
  readonly name: string
  /** Those that keep it first, then what is exchanged, then plain types; of each kind the one with most fields. */
  readonly declarations: ReadonlyArray<Placed<Entity>>
  readonly doc: Placed<Definition> | null
  /** Source files that name it. */
  readonly uses: number
  readonly states: ReadonlyArray<Placed<States>>
}

const plurals: ReadonlyArray<readonly [ending: RegExp, singular: string]> = [
  [/(?:ss|us|is|news|series)$/, "$&"],
  [/ies$/, "y"],
  [/(ss|sh|ch|x|tus)es$/, "$1"],
  [/([^s])s$/, "$1"]
]

export const singular = (word: string): string => {
  const [ending, replaced] = plurals.find(([one]) => one.test(word)) ?? [/$/, ""]
  return word.replace(ending, replaced)
}

/** `issue_statuses`, `IssueStatus`, `IIssueStatus`, `TIssueStatus` and `IssueStatusEntity` are one noun: "issue status". */
export const nounKey = (name: string): string => {
  const words = name
    .replace(/^.*\./, "")
    .replace(/^(?:I|T|Abstract)(?=[A-Z][a-z])/, "")
    .replace(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3_$2$4")
    .toLowerCase()
    .split(/[_\W]+/)
    .filter((word) => word !== "")
  const isMark = words.length > 1 && /^(?:(?:model|entity|schema|dto)s?|t|s|st|struct|rec)$/.test(words.at(-1)!)
  const own = isMark ? words.slice(0, -1) : words
  return [...own.slice(0, -1), singular(own.at(-1) ?? "")].join(" ")
}

/** What holds one thing of a kind is called for that: `HistoryEntry`. */
const isHolder = /^(?:entry|item|record|row|info|data|object|model|dto|details?)$/

/** The word of a key that says what it is: "history" of "history entry". */
export const headOf = (key: string): string => {
  const words = key.split(" ")
  return words.length > 1 && isHolder.test(words.at(-1)!) ? words.at(-2)! : words.at(-1)!
}

/** The name of a file as a noun. */
export const stemOf = (path: string): string => nounKey(baseName(path).replace(/\..*$/, ""))

export const isPlain = (as: string): boolean => /^(?:class|struct|type|package|record|module)$/.test(as)
const isExchanged = (as: string): boolean => /^(?:GraphQL|protobuf|OpenAPI|Effect)/.test(as)

/** 0 for what is stored, 1 for what is exchanged, 2 for a plain type. */
export const kindOf = ({ as }: Entity): number => (isPlain(as) ? 2 : isExchanged(as) ? 1 : 0)

export const isMigration = (path: string): boolean =>
  /(?:^|\/)(?:db\/)?(?:migrat\w*|upgrades?|alembic)(?:\/|$)/i.test(path)
