import { addTo } from "../../core/collections/lists.ts"
import type { Definition, ObservedFile } from "../Observed.ts"
import type { Placed } from "./Noun.ts"

export type PlacedType = Placed<Definition>

const MAX_LEVELS = 4
/** Of a type that joins more, the first say what it is; each of them leads to all that derives from it. */
const MAX_BASES = 20

/** Only there for others to derive from. */
const isAbstract = /^(?:Abstract|Base)[A-Z]/

/** `java.util.List` and `ns::List` are `List`. */
export const lastPart = (name: string): string => name.split(/[.:\\]+/).at(-1)!

const basesOf = ({ what }: PlacedType): ReadonlyArray<string> => what.bases.slice(0, MAX_BASES).map(lastPart)

/** Which of a program's types derive from which, by the names that their declarations write. */
export class TypeHierarchy {
  readonly types: ReadonlyArray<PlacedType>
  /** Of several types of one name the first. */
  readonly byName = new Map<string, PlacedType>()
  private readonly byBase = new Map<string, Array<PlacedType>>()

  constructor(files: ReadonlyArray<ObservedFile>) {
    this.types = files.flatMap((file) =>
      file.has("definitions") ? file.definitions.flatMap((what) => (what.kind === "type" ? [{ what, file }] : [])) : []
    )
    for (const type of this.types) {
      if (!this.byName.has(type.what.name)) this.byName.set(type.what.name, type)
      for (const base of basesOf(type)) addTo(this.byBase, base, type)
    }
  }

  /** Types of the program's own that others derive from. */
  get bases(): ReadonlyArray<PlacedType> {
    return [...this.byBase.keys()].flatMap((name) => this.byName.get(name) ?? [])
  }

  /** What states itself that it derives from a type of this name. */
  directlyFrom(name: string): ReadonlyArray<PlacedType> {
    return this.byBase.get(name) ?? []
  }

  /**
   * What derives from a type, also through others. Types of one name in several files are several, as each command of a program may
   * be declared as `Command`; abstract ones in between are none of them.
   */
  derivedFrom(name: string): ReadonlyArray<PlacedType> {
    const found = new Set<PlacedType>()
    const followed = new Set([name])
    let level = [name]
    for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth++) {
      const next = level.flatMap((base) => this.directlyFrom(base)).filter(({ what }) => what.name !== name)
      for (const type of next) found.add(type)
      level = [...new Set(next.map(({ what }) => what.name))].filter((one) => !followed.has(one) && followed.add(one))
    }
    return [...found].filter(({ what }) => !isAbstract.test(what.name))
  }

  /** The first of the types that one derives from, up to that which derives from none of the program's own. */
  above(name: string): ReadonlyArray<PlacedType> {
    const found: Array<PlacedType> = []
    let at: PlacedType | undefined = this.byName.get(name)
    for (let level = 0; level < MAX_LEVELS && at !== undefined; level++) {
      const base: string | undefined = basesOf(at).find((one) => this.byName.has(one) && one !== name)
      at = base === undefined ? undefined : this.byName.get(base)
      if (at !== undefined) found.push(at)
    }
    return found
  }
}
