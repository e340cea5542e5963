import { directoryOf } from "../text/paths.ts"
import { isCodePath } from "./libraries.ts"

/** Where the tools that publish a package put what they made, directly in the package. */
const builtFolder = /^dist(?:-(?:cjs|mjs|esm?|umd))?$/
const manifest = /(?:^|\/)package\.json$/
const declaration = /\.d\.[cm]?ts$/
/** Code that no one imports from the package: what builds and tests it, and starts it from a command line. */
const beside =
  /^(?:tests?|__tests__|specs?|examples?|benchmarks?|scripts?|bin)\/|(?:^|\/)(?:[Gg]ulp|[Gg]runt)file\.[cm]?js$|\.config\.[cm]?[jt]s$/

/** Whether a file lies in a folder of built files. */
export const isBuilt = (path: string): boolean =>
  path
    .split("/")
    .slice(0, -1)
    .some((folder) => builtFolder.test(folder))

/** What a package holds: its folders of built files, and whether there is code elsewhere in it. */
interface Contents {
  readonly built: Set<string>
  hasSources: boolean
}

const packageOf = (path: string, packages: ReadonlyMap<string, Contents>): string | null => {
  for (let folder = directoryOf(path); ; folder = directoryOf(folder)) {
    if (packages.has(folder)) return folder
    if (folder === "") return null
  }
}

/** Notes what a file of the package at `root` is for. */
const note = (contents: Contents, root: string, path: string): void => {
  const own = root === "" ? path : path.slice(root.length + 1)
  const [folder = ""] = own.split("/", 1)
  if (own.includes("/") && builtFolder.test(folder)) contents.built.add(root === "" ? folder : `${root}/${folder}`)
  else if (!beside.test(own)) contents.hasSources = true
}

/**
 * Folders of built files in packages that have no other code, as a registry hands them out: what is published is all that
 * can be audited.
 */
export const builtPackagesOf = (paths: ReadonlyArray<string>): ReadonlySet<string> => {
  const packages = new Map<string, Contents>(
    paths
      .filter((path) => manifest.test(path) && !isBuilt(path))
      .map((path) => [directoryOf(path), { built: new Set(), hasSources: false }])
  )
  const code = packages.size === 0 ? [] : paths.filter((path) => isCodePath.test(path) && !declaration.test(path))
  for (const path of code) {
    const root = packageOf(path, packages)
    if (root !== null) note(packages.get(root)!, root, path)
  }
  return new Set([...packages.values()].flatMap(({ built, hasSources }) => (hasSources ? [] : [...built])))
}
