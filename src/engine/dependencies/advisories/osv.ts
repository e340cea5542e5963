import type { Ecosystem } from "../lockfiles/LockedPackage.ts"
import type { Advisory, AffectedRange, Severity } from "./Advisory.ts"
import { cvss3Score, severityOfScore } from "./cvss.ts"
import { ecosystems, registryName } from "./names.ts"

/** Raise it when records are read in another way: what is imported is then imported again. */
export const OSV_READER = 1

/** One OSV record, as far as matching and reporting need it. */
export interface OsvRecord {
  /** ISO 8601; "" when the record does not say. */
  readonly modified: string
  readonly entries: ReadonlyArray<OsvEntry>
}

export interface OsvEntry {
  readonly ecosystem: Ecosystem
  readonly name: string
  readonly advisory: Advisory
}

export type OsvOutcome = OsvRecord | "broken" | "withdrawn" | "other ecosystem"

type Fields = Readonly<Record<string, unknown>>

const MAX_SUMMARY = 240
const MAX_ITEMS = 20_000
const MAX_TEXT = 256

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {})
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [])
const textOf = (value: unknown): string => (typeof value === "string" ? value : "")
const textsOf = (value: unknown): ReadonlyArray<string> =>
  listOf(value).flatMap((item) => (typeof item === "string" && item !== "" && item.length <= MAX_TEXT ? [item] : []))

/** Reads a record of the OSV schema; nothing in it is trusted to be of the type it should have. */
export const readOsv = (value: unknown): OsvOutcome => {
  const record = fieldsOf(value)
  const id = textOf(record.id)
  if (!/^[\w.:-]{1,100}$/.test(id) || !Array.isArray(record.affected)) return "broken"
  if (textOf(record.withdrawn) !== "") return "withdrawn"
  const about = {
    id,
    aliases: textsOf(record.aliases).slice(0, 20),
    summary: summaryOf(record),
    malicious: id.startsWith("MAL-")
  }
  const entries = mergedEntries(
    listOf(record.affected).flatMap((affected) => entryOf(fieldsOf(affected), record, about))
  )
  return entries.length === 0 ? "other ecosystem" : { modified: textOf(record.modified).slice(0, 40), entries }
}

const summaryOf = (record: Fields): string => {
  const text = textOf(record.summary).trim() || textOf(record.details).trim().split("\n", 1)[0]!
  const line = text.replace(/\s+/g, " ")
  return line.length <= MAX_SUMMARY ? line : `${line.slice(0, MAX_SUMMARY - 3)}...`
}

/** "Maven:https://…" is the same ecosystem from another repository. */
const ecosystemOf = (value: unknown): Ecosystem | null => {
  const name = textOf(value).split(":", 1)[0]!
  return ecosystems.find((known) => known === name) ?? null
}

const entryOf = (
  affected: Fields,
  record: Fields,
  about: Pick<Advisory, "id" | "aliases" | "summary" | "malicious">
): ReadonlyArray<OsvEntry> => {
  const { ecosystem: written, name } = fieldsOf(affected.package)
  const ecosystem = ecosystemOf(written)
  const known = textOf(name)
  if (ecosystem === null || known === "" || known.length > MAX_TEXT) return []
  const ranges = listOf(affected.ranges).flatMap((range) => rangesOf(fieldsOf(range)))
  const versions = textsOf(affected.versions)
  if (ranges.length === 0 && versions.length === 0) return []
  const symbols = symbolsOf(affected, record)
  const packages = ecosystem === "Go" ? packagesOf(affected) : []
  const advisory = {
    ...about,
    severity: severityOf(affected, record),
    ranges,
    versions,
    ...(symbols.length === 0 ? {} : { symbols }),
    ...(packages.length === 0 ? {} : { packages })
  }
  return [{ ecosystem, name: registryName(ecosystem, known), advisory }]
}

const MAX_SYMBOLS = 100

const packagesOf = (affected: Fields): ReadonlyArray<string> =>
  listOf(fieldsOf(affected.ecosystem_specific).imports)
    .flatMap((one) => textOf(fieldsOf(one).path) || [])
    .slice(0, MAX_SYMBOLS)

/** Go names them by import, crates by path, and some databases in a list of their own. */
const symbolsOf = (affected: Fields, record: Fields): ReadonlyArray<string> => {
  const holders = [affected.ecosystem_specific, affected.database_specific, record.database_specific].map(fieldsOf)
  const named = holders.flatMap((holder) => [
    ...listOf(holder.imports).flatMap((one) => textsOf(fieldsOf(one).symbols)),
    ...textsOf(holder.affected_functions),
    ...textsOf(fieldsOf(holder.affects).functions)
  ])
  return [...new Set(named)].slice(0, MAX_SYMBOLS)
}

/** A record may name a package once per branch; it is still one advisory. */
const mergedEntries = (entries: ReadonlyArray<OsvEntry>): ReadonlyArray<OsvEntry> => {
  const merged = new Map<string, OsvEntry>()
  for (const entry of entries) {
    const key = `${entry.ecosystem} ${entry.name}`
    const first = merged.get(key)
    if (first === undefined) merged.set(key, entry)
    else {
      const { ranges, versions } = entry.advisory
      merged.set(key, {
        ...first,
        advisory: {
          ...first.advisory,
          ranges: [...first.advisory.ranges, ...ranges].slice(0, MAX_ITEMS),
          versions: [...first.advisory.versions, ...versions].slice(0, MAX_ITEMS)
        }
      })
    }
  }
  return [...merged.values()]
}

/** Events come in the order of versions: each `introduced` opens a range, the next `fixed` or `last_affected` ends it. */
const rangesOf = (range: Fields): ReadonlyArray<AffectedRange> => {
  if (range.type !== "SEMVER" && range.type !== "ECOSYSTEM") return []
  const found: Array<AffectedRange> = []
  let introduced: string | null = null
  for (const event of listOf(range.events).map(fieldsOf)) {
    const [from, fixed, last] = [textOf(event.introduced), textOf(event.fixed), textOf(event.last_affected)]
    if ([from, fixed, last].some((text) => text.length > MAX_TEXT)) return []
    if (from !== "") introduced ??= from
    if (introduced === null || (fixed === "" && last === "")) continue
    found.push(fixed !== "" ? { introduced, fixed } : { introduced, last })
    introduced = null
  }
  if (introduced !== null) found.push({ introduced })
  return found
}

const words: Readonly<Record<string, Severity>> = {
  critical: "critical",
  high: "high",
  important: "high",
  moderate: "moderate",
  medium: "moderate",
  low: "low"
}

/** What the advisory itself says, else what its CVSS vector comes to. */
const severityOf = (affected: Fields, record: Fields): Severity | null => {
  for (const holder of [affected.ecosystem_specific, affected.database_specific, record.database_specific]) {
    const word = textOf(fieldsOf(holder).severity).toLowerCase()
    if (Object.hasOwn(words, word)) return words[word]!
  }
  const vectors = [...listOf(affected.severity), ...listOf(record.severity)].map((item) => textOf(fieldsOf(item).score))
  const scores = vectors.flatMap((vector) => cvss3Score(vector) ?? [])
  return scores.length === 0 ? null : severityOfScore(Math.max(...scores.slice(0, 50)))
}
