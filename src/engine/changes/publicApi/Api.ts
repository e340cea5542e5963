import type { FlatTree } from "../../languages/tree/FlatTree.ts"

/** How many arguments a call may have. */
export interface Signature {
  readonly required: number
  /** Infinite where there may be any number. */
  readonly most: number
}

export interface ApiName {
  /** Offset in the file. */
  readonly start: number
  /** Every form of it; none for what is not called. */
  readonly signatures: ReadonlyArray<Signature>
  /** Whether callers elsewhere can name it; others are known because public ones may inherit from them. */
  readonly isPublic: boolean
  /** Where a re-export takes it from. */
  readonly from?: Origin
}

/** A name of another module. */
export interface Origin {
  readonly module: string
  readonly name: string
}

/** The names that a file declares for others. */
export interface Api {
  /** Package or namespace that qualifies the names whatever the file; null where the file itself does. */
  readonly scope: string | null
  /** By name, members as `Class.member`. */
  readonly names: ReadonlyMap<string, ApiName>
  /** Members that exist once an object is made: they are there, and no declaration promises them. */
  readonly attributes: ReadonlySet<string>
  /** Types by name, with the names of those that they inherit members from. */
  readonly parents: ReadonlyMap<string, ReadonlyArray<string>>
  /** Modules all of whose names are exported here, too, as they are written. */
  readonly stars: ReadonlyArray<string>
  /** Whether there are names that only running the program shows. */
  readonly isOpen: boolean
}

/** Collects the names of one file. */
export class ApiNames {
  readonly names = new Map<string, ApiName>()
  readonly parents = new Map<string, ReadonlyArray<string>>()
  readonly attributes = new Set<string>()
  readonly stars: Array<string> = []
  isOpen = false
  private readonly tree: FlatTree

  constructor(tree: FlatTree) {
    this.tree = tree
  }

  add(name: string, node: number, signature: Signature | null = null, isPublic = true): void {
    if (name === "") return
    const known = this.names.get(name)
    const signatures = [...(known?.signatures ?? []), ...(signature === null ? [] : [signature])]
    this.names.set(name, {
      start: known?.start ?? this.tree.start(node),
      signatures,
      isPublic: isPublic || known?.isPublic === true
    })
  }

  /** Adds a name that is another module's. */
  handOn(name: string, node: number, from: Origin): void {
    this.add(name, node)
    const known = this.names.get(name)
    if (known !== undefined) this.names.set(name, { ...known, from })
  }

  /** The types that the text of a heritage clause names. */
  inherits(type: string, clause: string): void {
    const named = clause.replace(/<[^<>]*>/g, " ").match(/[A-Za-z_$][\w$]*/g) ?? []
    const parents = named.filter((name) => !words.has(name))
    if (parents.length > 0) this.parents.set(type, [...(this.parents.get(type) ?? []), ...parents])
  }

  of(scope: string | null): Api {
    const { names, attributes, parents, stars, isOpen } = this
    return { scope, names, attributes, parents, stars, isOpen }
  }
}

const words = new Set([
  "extends",
  "implements",
  "public",
  "private",
  "protected",
  "virtual",
  "object",
  "Object",
  "metaclass"
])
