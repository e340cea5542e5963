import type { SourceKind } from "../../core/tool/AuditTool.ts"
import type { RecordModel, SinkRule, TaintTables } from "../TaintLanguage.ts"
import type { Model } from "./Model.ts"
import { safeFrom } from "./trust.ts"

const never = /(?!)/

const MAX_KNOWN = 5_000

/** Access paths recur: each is looked up once. */
const remembered = <A>(compute: (path: string) => A): ((path: string) => A) => {
  const table = new Map<string, A>()
  return (path) => {
    const known = table.get(path)
    if (known !== undefined) return known
    if (table.size >= MAX_KNOWN) table.clear()
    const value = compute(path)
    table.set(path, value)
    return value
  }
}

/** One pattern for all, so that a path is matched once. */
const anyOf = (patterns: ReadonlyArray<RegExp>): RegExp =>
  patterns.length === 0 ? never : new RegExp(patterns.map(({ source }) => source).join("|"))

/** What the models of a language say of stored records, in one; null when none does. */
const recordsOf = (models: ReadonlyArray<Model>): RecordModel | null => {
  const all = models.flatMap(({ records }) => records ?? [])
  const of = (
    name: "loads" | "loadsOf" | "chains" | "accessors" | "stores" | "updates" | "saves" | "fills" | "setters"
  ) => {
    const patterns = all.flatMap((records) => records[name] ?? [])
    return patterns.length === 0 ? {} : { [name]: anyOf(patterns) }
  }
  if (all.length === 0) return null
  return {
    ...of("loads"),
    ...of("loadsOf"),
    ...of("chains"),
    ...of("accessors"),
    ...of("stores"),
    ...of("updates"),
    ...of("saves"),
    ...of("fills"),
    ...of("setters"),
    takesWhole: all.some(({ takesWhole }) => takesWhole === true)
  }
}

/** The tables that the models of one language add up to. */
export interface ModelTables extends TaintTables {
  readonly sinks: ReadonlyArray<SinkRule>
  /** Spelling of all sources and sinks but those of databases and processes, which languages.ts knows more closely. */
  readonly mentions: RegExp
  readonly sourceKindOf: (path: string) => SourceKind | null
}

export const tablesOf = (models: ReadonlyArray<Model>): ModelTables => {
  const sources = models.flatMap((model) => model.sources ?? [])
  const propagators = models.flatMap((model) => model.propagators ?? [])
  const propagating = (how: "formats" | "builds" | "fills" | undefined): RegExp =>
    anyOf(propagators.filter((propagator) => propagator.how === how).map(({ path }) => path))
  const kindAt = (path: string) => sources.find((source) => source.path.test(path))?.kind ?? null
  // An element or a field of what a source gives, such as the second of `parse_args()`, comes from where that came from.
  const sourceKindOf = remembered((path) => kindAt(path) ?? kindAt(path.replace(/(?:\.\w+)+$/, "")))
  return {
    sources: anyOf(sources.map(({ path }) => path)),
    sourceKindOf,
    safeAtSource: (path) => safeFrom(sourceKindOf(path), path),
    sinks: models.flatMap((model) => model.sinks ?? []),
    sanitisers: models.flatMap((model) => model.sanitizers ?? []),
    carriers: propagating(undefined),
    formats: propagating("formats"),
    builders: propagating("builds"),
    fillers: propagating("fills"),
    records: recordsOf(models),
    mentions: anyOf(models.flatMap((model) => model.mentions ?? []))
  }
}
