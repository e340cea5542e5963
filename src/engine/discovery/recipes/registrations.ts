import { addTo } from "../../core/collections/lists.ts"
import { at, type Item } from "../Draft.ts"
import { lastPart } from "../domain/TypeHierarchy.ts"
import type { ObservedFile } from "../Observed.ts"
import type { Family } from "./Family.ts"

export const MIN_SIBLINGS = 4
const MIN_LISTED = 0.6

/** A family whose members are looked for, and the file that names most of them so far. */
interface Listing {
  readonly family: Family
  readonly own: ReadonlySet<ObservedFile>
  readonly size: number
  best: { readonly file: ObservedFile; readonly count: number; readonly line: number } | null
}

const listingOf = (family: Family): Listing => {
  const { members, base } = family
  const own = new Set([...members.map(({ file }) => file), ...(base === null ? [] : [base.file])])
  return { family, own, size: new Set(members.map(({ name }) => name)).size, best: null }
}

/** Names of members that a file uses, and the last line that does, by the listing. */
type Uses = Map<Listing, { readonly names: Set<string>; line: number }>

const usesIn = (file: ObservedFile, byName: ReadonlyMap<string, ReadonlyArray<Listing>>): Uses => {
  const uses: Uses = new Map()
  const add = (name: string, line: number, isImport: boolean): void => {
    for (const listing of byName.get(name) ?? []) {
      // Folders may have the names of packages that are called everywhere.
      if (listing.own.has(file) || (!isImport && listing.family.above !== undefined)) continue
      const known = uses.get(listing) ?? { names: new Set(), line: 0 }
      uses.set(listing, known)
      known.names.add(name)
      known.line = Math.max(known.line, line)
    }
  }
  for (const { module, names, line } of file.has("imports") ? file.imports : [])
    for (const name of [lastPart(module.replace(/^.*\//, "").replace(/\.[cm]?[jt]sx?$/, "")), ...names])
      add(name, line, true)
  for (const [callee, , line] of file.has("calls") ? file.calls : [])
    for (const name of callee.split(/[.:>-]+/)) add(name, line, false)
  return uses
}

const keepBest = (listing: Listing, found: NonNullable<Listing["best"]>): void => {
  const isMost = found.count >= MIN_SIBLINGS && found.count >= MIN_LISTED * listing.size
  if (isMost && found.count > (listing.best?.count ?? 0)) listing.best = found
}

/** Of each family the file that names most of it, where one does; all of them in one pass over the files. */
export const registrations = (
  files: ReadonlyArray<ObservedFile>,
  families: ReadonlyArray<Family>
): ReadonlyMap<Family, Item> => {
  const listings = families.map(listingOf)
  const byName = new Map<string, Array<Listing>>()
  for (const listing of listings)
    for (const name of new Set(listing.family.members.map(({ name }) => name))) addTo(byName, name, listing)
  for (const file of byName.size === 0 ? [] : files)
    for (const [listing, { names, line }] of usesIn(file, byName)) keepBest(listing, { file, count: names.size, line })
  return new Map(
    listings.flatMap(({ family, size, best }): ReadonlyArray<readonly [Family, Item]> => {
      if (best === null) return []
      const cite = { path: best.file.path, line: best.line }
      return [[family, { text: `Make it known in ${at(cite)}, which names ${best.count} of ${size}.`, cites: [cite] }]]
    })
  )
}
