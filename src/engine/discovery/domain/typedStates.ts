import { addTo } from "../../core/collections/lists.ts"
import type { Entity, ObservedFile, States } from "../Observed.ts"
import type { Placed } from "./Noun.ts"

/** A set that more nouns than these have a field of says little of each. */
const MAX_NOUNS = 5

/** `STATUS_CHOICES` is kept as "status", the name of the field. */
const nameOfSet = (type: string): string => {
  const name = type.replace(/_CHOICES$/, "")
  return name.replace(/^[A-Z_]+$/, (capitals) => capitals.toLowerCase())
}

const partsOf = (path: string): ReadonlyArray<string> => path.replace(/\.\w+$/, "").split("/")

/** Whether a file may name by a type what another file declares: not where it takes that name from a package. */
const mayMean = (file: ObservedFile, type: string, declaring: string): boolean => {
  const imported = file.imports.find(({ names }) => names.includes(type))
  if (imported === undefined || imported.module.startsWith(".")) return true
  return partsOf(declaring).includes(imported.module.split(/[./:\\]+/).at(-1)!)
}

const sharedFolders = (one: string, other: string): number => {
  const parts = partsOf(other)
  const apart = partsOf(one).findIndex((part, i) => part !== parts[i])
  return apart < 0 ? Number.POSITIVE_INFINITY : apart
}

/** Of several sets of one name that of the same file, or of the nearest folder; none where two are as near. */
const nearest = (sets: ReadonlyArray<Placed<States>>, path: string): Placed<States> | null => {
  const ranked = sets.map((set) => ({ set, near: sharedFolders(path, set.file.path) })).sort((a, b) => b.near - a.near)
  const [first, second] = ranked
  return first === undefined || first.near === second?.near ? null : first.set
}

/** Nouns by the sets of values that their fields are of, in whichever file those are declared. */
export const typedNouns = (
  states: ReadonlyArray<Placed<States>>,
  declared: ReadonlyMap<string, ReadonlyArray<Placed<Entity>>>
): ReadonlyMap<Placed<States>, ReadonlyArray<string>> => {
  const byName = new Map<string, Array<Placed<States>>>()
  for (const one of states) if (one.what.owner === undefined) addTo(byName, one.what.name, one)
  const setOf = (file: ObservedFile, type: string): Placed<States> | null =>
    nearest(
      (byName.get(nameOfSet(type)) ?? []).filter((set) => mayMean(file, type, set.file.path)),
      file.path
    )
  const found = new Map<Placed<States>, Set<string>>()
  for (const [key, all] of declared)
    for (const { what, file } of all)
      for (const type of what.types ?? []) {
        const set = setOf(file, type)
        if (set !== null) found.set(set, (found.get(set) ?? new Set()).add(key))
      }
  return new Map([...found].filter(([, nouns]) => nouns.size <= MAX_NOUNS).map(([set, nouns]) => [set, [...nouns]]))
}
