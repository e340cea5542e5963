/** What the paths of a tree say together, and one of them alone does not. */
export interface TreeLayout {
  /** Folders that Python can import. */
  readonly packages: ReadonlySet<string>
  /** There is no code but examples, benchmarks or the like: they are the product. */
  readonly isAllExamples: boolean
  /** Folders of published libraries that were copied into the tree. */
  readonly libraries: ReadonlySet<string>
  /** Folders that a compiler fills from sources that are in the tree, too. */
  readonly outputs: ReadonlySet<string>
  /** Built files of packages that have no other code. */
  readonly builtFiles: ReadonlySet<string>
  /** Folders of programs that tests of a compiler or an analyser read. */
  readonly testPrograms: ReadonlySet<string>
  /** Folders of classes that stand in for a language's own library. */
  readonly standIns: ReadonlySet<string>
}

export const unknownLayout: TreeLayout = {
  packages: new Set(),
  isAllExamples: false,
  libraries: new Set(),
  outputs: new Set(),
  builtFiles: new Set(),
  testPrograms: new Set(),
  standIns: new Set()
}

/**
 * "main": sources of a product by the convention of its build, which keeps tests elsewhere. "package": folders that are
 * imported as a whole, tests among them.
 */
export type RootKind = "main" | "package" | "none"

export interface SourceRoot {
  /** The path up to the root of the sources, inclusive; all of it where there is none. */
  readonly outside: string
  readonly kind: RootKind
}

const mainRoot =
  /(?:^|\/)src\/(?:main|[a-z]\w*Main|java|com|org|net|io)\/|(?:^|\/)java\/(?=(?:com|org|net|io|javax?|jakarta)\/)/
const packageRoot = /(?:^|\/)(?:lib|app|internal|pkg)\//
const crateRoot = /(?:^|\/)src\//
const rootedInSrc = /\.(?:rs|php)$/

const endOf = (match: RegExpExecArray | null): number =>
  match === null ? Number.POSITIVE_INFINITY : match.index + match[0].length

const pythonRoot = (path: string, packages: ReadonlySet<string>): number => {
  if (packages.size === 0) return Number.POSITIVE_INFINITY
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    if (packages.has(path.slice(0, at))) return at + 1
  }
  return Number.POSITIVE_INFINITY
}

/** Where the sources begin in which a file lies: the outermost root counts. */
export const sourceRootOf = (path: string, { packages }: TreeLayout): SourceRoot => {
  const main = endOf(mainRoot.exec(path))
  const inner = Math.min(
    endOf(packageRoot.exec(path)),
    rootedInSrc.test(path) ? endOf(crateRoot.exec(path)) : Number.POSITIVE_INFINITY,
    pythonRoot(path, packages)
  )
  if (Number.isFinite(main)) return { outside: path.slice(0, Math.min(main, inner)), kind: "main" }
  return Number.isFinite(inner) ? { outside: path.slice(0, inner), kind: "package" } : { outside: path, kind: "none" }
}
