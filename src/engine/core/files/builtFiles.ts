import { directoryOf, isBelowAny } from "../text/paths.ts"
import { isCodePath } from "./libraries.ts"

/** Where the tools that publish a package put what they made, directly in the package. */
const builtFolder = /^dist(?:-(?:cjs|mjs|esm?|umd))?$/
const manifest = /(?:^|\/)package\.json$/
const declaration = /\.d\.[cm]?ts$/
/** Code that no one imports from the package: what builds and tests it, and starts it from a command line. */
const beside =
  /^(?:tests?|__tests__|specs?|examples?|benchmarks?|scripts?|bin)\/|(?:^|\/)(?:[Gg]ulp|[Gg]runt)file\.[cm]?js$|\.config\.[cm]?[jt]s$|(?:^|\/)\.[\w.-]+\.[cm]?js$/

/** Whether a file lies in a folder of built files. */
export const isBuilt = (path: string): boolean =>
  path
    .split("/")
    .slice(0, -1)
    .some((folder) => builtFolder.test(folder))

/** A file that hands on a build, for `require` or for `import`. */
const entry = /^(?:index|main|[\w-]*wrapper[\w-]*)\.[cm]?js$/
/** What a repository has and a package of a registry lacks: there `index.js` may be the program itself. */
const ofRepository =
  /(?:^|\/)(?:\.git(?:ignore|attributes|modules)|package-lock\.json|yarn\.lock|pnpm-lock\.yaml|tsconfig\.json)$/

/** What a package holds: its built files, and whether there is other code in it. */
interface Contents {
  readonly built: Array<string>
  hasSources: boolean
  hasEntry: boolean
}

const packageOf = (path: string, packages: ReadonlyMap<string, Contents>): string | null => {
  for (let folder = directoryOf(path); ; folder = directoryOf(folder)) {
    if (packages.has(folder)) return folder
    if (folder === "") return null
  }
}

/** Formats and platforms that the same code is built for: `dist/a.cjs.js`, `dist/esm/a.mjs`. */
const format =
  /^(?:dist|[cm]js|esm?\d{0,4}|umd|iife|amd|system|modules?|modern|legacy|browser|node|bundled?|global|dev(?:elopment)?|prod(?:uction)?|[cm]?[jt]sx?)$/
const plainName = (path: string): string =>
  path
    .split(/[/.-]/)
    .filter((word) => !format.test(word))
    .join("/")

/** Of files that differ in their format only, the one with the shortest name. */
const withoutCopies = (files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const byName = new Map<string, string>()
  for (const file of [...files].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    const name = plainName(file)
    if (!byName.has(name)) byName.set(name, file)
  }
  return [...byName.values()]
}

/** Notes what a file of the package at `root` is for. */
const note = (contents: Contents, root: string, path: string): void => {
  const own = root === "" ? path : path.slice(root.length + 1)
  if (own.includes("/") && builtFolder.test(own.split("/", 1)[0]!)) contents.built.push(path)
  else if (entry.test(own)) contents.hasEntry = true
  else if (!beside.test(own)) contents.hasSources = true
}

/**
 * Built files of packages that have no other code, as a registry hands them out: what is published is all that can be
 * audited.
 */
export const builtFilesOf = (paths: ReadonlyArray<string>): ReadonlySet<string> => {
  const packages = new Map<string, Contents>(
    paths
      .filter((path) => manifest.test(path) && !isBuilt(path))
      .map((path) => [directoryOf(path), { built: [], hasSources: false, hasEntry: false }])
  )
  if (packages.size === 0) return new Set()
  const repositories = new Set(paths.filter((path) => ofRepository.test(path)).map(directoryOf))
  for (const path of paths) {
    if (!isCodePath.test(path) || declaration.test(path)) continue
    const root = packageOf(path, packages)
    if (root !== null) note(packages.get(root)!, root, path)
  }
  const isOfRepository = (root: string) => repositories.has("") || isBelowAny(repositories, `${root}/`)
  const onlyBuilt = [...packages].filter(
    ([root, { hasSources, hasEntry }]) => !hasSources && !(hasEntry && isOfRepository(root))
  )
  return new Set(onlyBuilt.flatMap(([, { built }]) => withoutCopies(built)))
}
