import { directoryOf } from "../text/paths.ts"

const script = /\.(?:[cm]?[jt]sx?|coffee|css|scss|less)$/
const stemOf = (path: string): string => path.replace(/(?:\.d)?\.\w+$/, "")

/** Folders that compilers write to, and where their sources lie beside them. */
const writtenBeside: ReadonlyArray<readonly [output: RegExp, sources: ReadonlyArray<string>]> = [
  [/^lib$/, ["src", "source", "sources", "coffee", "ts"]],
  [/^es$/, ["src", "source", "sources", "coffee", "ts", "lib", "cjs"]],
  [/^(?:esm|umd)$/, ["", "src", "source", "sources", "lib", "coffee", "ts", "cjs", "es"]],
  [/^(?:build|dist|out|cjs|compiled|_build)$/, ["", "src", "source", "sources", "lib", "coffee", "ts"]]
]

/** Files with a counterpart below which names that are alike may be chance. */
const MIN_COUNTERPARTS = 3
const MIN_SHARE = 0.6

const isMostly = (counterparts: number, files: number): boolean =>
  counterparts >= MIN_COUNTERPARTS && counterparts >= MIN_SHARE * files

const sourcesBeside = (name: string): ReadonlyArray<string> =>
  writtenBeside.find(([output]) => output.test(name))?.[1] ?? []

const add = (outputs: Map<string, Array<string>>, folder: string, file: string): void => {
  const known = outputs.get(folder)
  if (known === undefined) outputs.set(folder, [file])
  else known.push(file)
}

/** Scripts and style sheets by each folder around them that compilers write to. */
const candidatesIn = (paths: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const outputs = new Map<string, Array<string>>()
  for (const path of paths) {
    let from = 0
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
      if (sourcesBeside(path.slice(from, at)).length > 0) add(outputs, path.slice(0, at), path.slice(at + 1))
      from = at + 1
    }
  }
  return outputs
}

/** What setuptools copies the modules of a package to, for one platform where it compiles some: `build/lib.linux-x86_64-3.9`. */
const builtModule = /^((?:.{1,400}\/)?)build\/(lib(?:\.[\w.-]{1,60})?)\/(.+\.py)$/

/** Folders of modules that a build left behind: each has its source above the folder, or below `src`. */
const builtPackagesIn = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const all = new Set(paths)
  const found = new Map<string, { files: number; counterparts: number }>()
  for (const path of paths) {
    const [, above, lib, file] = builtModule.exec(path) ?? []
    if (above === undefined || lib === undefined || file === undefined) continue
    const folder = `${above}build/${lib}`
    const { files, counterparts } = found.get(folder) ?? { files: 0, counterparts: 0 }
    const isCopy = ["", "src/"].some((sources) => all.has(`${above}${sources}${file}`))
    found.set(folder, { files: files + 1, counterparts: counterparts + (isCopy ? 1 : 0) })
  }
  return [...found].flatMap(([folder, { files, counterparts }]) => (isMostly(counterparts, files) ? [folder] : []))
}

/** Sphinx writes both into the folder of the pages that it makes. */
const sphinxIndex = /(?:^|\/)searchindex\.js$/
const sphinxInventory = /(?:^|\/)objects\.inv$/

/** Folders of pages and scripts that a generator of documentation made. */
const documentationIn = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const inventories = new Set(paths.filter((path) => sphinxInventory.test(path)).map(directoryOf))
  return paths
    .filter((path) => sphinxIndex.test(path))
    .map(directoryOf)
    .filter((folder) => folder !== "" && inventories.has(folder))
}

/**
 * Folders most of whose scripts have a file of the same name and place where the sources lie: they were made from it. So
 * were pages by Sphinx, and modules that setuptools copied.
 */
export const outputsOf = (paths: ReadonlyArray<string>): ReadonlySet<string> => {
  const scripts = paths.filter((path) => script.test(path))
  const stems = new Set(scripts.map(stemOf))
  const outputs = new Set<string>([...documentationIn(paths), ...builtPackagesIn(paths)])
  for (const [folder, files] of candidatesIn(scripts)) {
    const above = directoryOf(folder)
    const name = folder.slice(above === "" ? 0 : above.length + 1)
    const isMade = sourcesBeside(name).some((sources) => {
      const root = [above, sources].filter((part) => part !== "").join("/")
      const counterparts = files.filter((file) => stems.has(stemOf(root === "" ? file : `${root}/${file}`)))
      return isMostly(counterparts.length, files.length)
    })
    if (isMade) outputs.add(folder)
  }
  return outputs
}
