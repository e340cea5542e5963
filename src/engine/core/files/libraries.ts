import { directoryOf } from "../text/paths.ts"

export const isCodePath = /\.(?:[cm]?[jt]sx?|py|go|java|kt|scala|rb|php|cs|rs|c|cc|cpp|h|hpp|swift)$/

const handedOut = /(?:^|\/)(?:static|public|assets|wwwroot|htdocs)\/.*$/
const manifest = /\/(?:package|bower)\.json$/
const licence = /\/licen[cs]e(?:[.-]\w+)?$/i

/** Where an application keeps what it includes. */
const included = /\/(?:libs?|librar(?:y|ies)|includes?|inc|external)\/[^/]+$/
const version = /\/version(?:\.txt)?$/i

/** Licences as copies of a script have them: `LICENSE.md`, `MIT.LICENSE`. */
const ownLicence = /(?:^|\/)(?:(?:mit|bsd|apache)[.-])?licen[cs]e(?:[.-]\w+)?$/i
const plainScript = /\.(?:[cm]?js|css)$/
const anyManifest =
  /(?:^|\/)(?:(?:package|bower|composer|manifest|component)\.json|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml|go\.mod|pom\.xml|Makefile|[\w.-]+\.(?:gemspec|csproj|gradle)|\.git\w*)$/

/** Scripts and style sheets under a licence of their own, in a repository that has another one, and no package. */
const copiedScripts = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const licences = paths.filter((path) => ownLicence.test(path))
  if (!licences.some((path) => !path.includes("/"))) return []
  const copies = new Map(licences.filter((path) => path.includes("/")).map((path) => [directoryOf(path), 0]))
  for (const path of paths) {
    if (!isCodePath.test(path) && !plainScript.test(path) && !anyManifest.test(path)) continue
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at)
      const count = copies.get(folder)
      if (count !== undefined) copies.set(folder, plainScript.test(path) ? count + 1 : Number.NaN)
    }
  }
  return [...copies].filter(([, count]) => count > 0).map(([folder]) => folder)
}

const buildScript = /(?:^|\/)configure(?:\.(?:in|ac))?$/
const terms = /(?:^|\/)(?:licen[cs]e|copying|copyright)(?:[.-]\w+)?$/i

/** A program in C that is configured by itself, under terms of its own, inside of another one that is, too. */
const configuredPrograms = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const configured = new Set(paths.filter((path) => buildScript.test(path)).map(directoryOf))
  if (!configured.has("")) return []
  const licensed = new Set(paths.filter((path) => terms.test(path)).map(directoryOf))
  return licensed.has("") ? [...configured].filter((folder) => folder !== "" && licensed.has(folder)) : []
}

/** A dependency's sources, kept by its name, under terms of its own, in a repository that has terms, too. */
const keptDependency = /^(?:[^/]+\/)?deps\/[^/]+$/

const keptDependencies = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const licensed = new Set(paths.filter((path) => terms.test(path)).map(directoryOf))
  const kept = [...licensed].filter((folder) => keptDependency.test(folder))
  return kept.filter((folder) => licensed.has(folder.slice(0, Math.max(0, folder.lastIndexOf("deps/") - 1))))
}

const nativeCode = /\.(?:c|cc|cpp|cxx|h|hh|hpp)$/
const people = /(?:^|\/)(?:authors|contributors|contributing|maintainers)(?:[-.]\w+)?$/i

/** What lies below each of some folders, counted in one pass over all paths. */
const countsBelow = (
  folders: Iterable<string>,
  paths: ReadonlyArray<string>,
  isCounted: (path: string) => boolean
): ReadonlyMap<string, number> => {
  const counts = new Map([...folders].map((folder) => [folder, 0]))
  for (const path of counts.size === 0 ? [] : paths) {
    if (!isCounted(path)) continue
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
      const count = counts.get(path.slice(0, at))
      if (count !== undefined) counts.set(path.slice(0, at), count + 1)
    }
  }
  return counts
}

const isNative = (path: string): boolean => nativeCode.test(path)
/** What builds a library, or code of another language. */
const isBuiltHere = (path: string): boolean =>
  anyManifest.test(path) || (isCodePath.test(path) && !nativeCode.test(path))

/** A library in C or C++ with terms and people of its own, and nothing that builds it: it was copied into a program. */
const copiedLibraries = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const foldersOf = (named: RegExp): ReadonlySet<string> =>
    new Set(paths.filter((path) => named.test(path)).map(directoryOf))
  const signed = foldersOf(people)
  const candidates = [...foldersOf(terms)].filter((folder) => folder !== "" && signed.has(folder))
  if (candidates.length === 0) return []
  const native = countsBelow(candidates, paths, isNative)
  const built = countsBelow(candidates, paths, isBuiltHere)
  const all = paths.filter(isNative).length
  return candidates.filter((folder) => {
    const inside = native.get(folder)!
    return inside > 0 && inside < all && built.get(folder) === 0
  })
}

const gnulibRecord = /(?:^|\/)gnulib-(?:cache|comp)\.m4$/
const gnulibFolder = /^(?:.*\/)?(?:gl|gnu|gnulib|gnulib-lib)(?=\/)/
/** What the tool writes for `make` lies among the modules. */
const gnulibMakefile = /^(.+)\/gnulib\.mk$/

/** `gnulib-tool` copies modules of Gnulib into a folder, and records which. */
const gnulibCopies = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.some((path) => gnulibRecord.test(path))
    ? [...new Set(paths.flatMap((path) => gnulibFolder.exec(path)?.[0] ?? gnulibMakefile.exec(path)?.[1] ?? []))]
    : []

/** `gettextize` copies the runtime library of gettext into `intl`; in gettext itself it lies below a folder of the library. */
const gettextRuntime = /^(?:.*\/)?intl\/dcigettext\.c$/
const gettextItself = /(?:^|\/)gettext-(?:runtime|tools)\//

const gettextCopies = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.filter((path) => gettextRuntime.test(path) && !gettextItself.test(path)).map(directoryOf)

/** What Composer writes into the folder of the packages that it installs, whatever the folder is called. */
const composerLoader = /(?:^|\/)composer\/autoload_real\.php$/

const composerFolders = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths
    .filter((path) => composerLoader.test(path))
    .map((path) => directoryOf(directoryOf(path)))
    .filter((folder) => folder !== "")

/** Libraries that builds copy into packages of their own, by files that only they have, and where they are at home. */
const relocatable: ReadonlyArray<readonly [file: RegExp, home: RegExp]> = [
  [/\/CtClass\.java$/, /(?:^|\/)(?:java|src|main|sources?)\/javassist\/|^javassist\//],
  [/\/OgnlRuntime\.java$/, /(?:^|\/)(?:java|src|main|sources?)\/ognl\/|^ognl\/|\/commons\/ognl\//],
  [/\/MethodVisitor\.java$/, /(?:^|\/)objectweb\/asm\//],
  [/\/GsonBuilder\.java$/, /(?:^|\/)google\/gson\//],
  [/\/ObjenesisStd\.java$/, /(?:^|\/)org\/objenesis\//],
  [/\/LoaderOptions\.java$/, /(?:^|\/)yaml\/snakeyaml\//]
]

/** Folders of Java libraries inside of the packages of another program. */
const relocatedLibraries = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  relocatable.flatMap(([file, home]) => paths.filter((path) => file.test(path) && !home.test(path)).map(directoryOf))

/**
 * A licence of its own, with a manifest among files for browsers or with a version among what is included: someone
 * else's work.
 */
export const librariesOf = (paths: ReadonlyArray<string>): ReadonlySet<string> => {
  const foldersOf = (named: RegExp): ReadonlyArray<string> => paths.filter((path) => named.test(path)).map(directoryOf)
  const licensed = new Set(foldersOf(licence))
  const copies = [
    ...foldersOf(manifest).filter((folder) => handedOut.test(folder)),
    ...foldersOf(version).filter((folder) => included.test(folder))
  ]
  return new Set([
    ...copies.filter((folder) => licensed.has(folder)),
    ...copiedScripts(paths),
    ...configuredPrograms(paths),
    ...keptDependencies(paths),
    ...copiedLibraries(paths),
    ...gnulibCopies(paths),
    ...gettextCopies(paths),
    ...composerFolders(paths),
    ...relocatedLibraries(paths)
  ])
}
