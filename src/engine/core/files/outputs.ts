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

/** Folders most of whose scripts have a file of the same name and place where the sources lie: they were made from it. So were pages by Sphinx. */
export const outputsOf = (paths: ReadonlyArray<string>): ReadonlySet<string> => {
  const scripts = paths.filter((path) => script.test(path))
  const stems = new Set(scripts.map(stemOf))
  const outputs = new Set<string>(documentationIn(paths))
  for (const [folder, files] of candidatesIn(scripts)) {
    const above = directoryOf(folder)
    const name = folder.slice(above === "" ? 0 : above.length + 1)
    const isMade = sourcesBeside(name).some((sources) => {
      const root = [above, sources].filter((part) => part !== "").join("/")
      const counterparts = files.filter((file) => stems.has(stemOf(root === "" ? file : `${root}/${file}`)))
      return counterparts.length >= MIN_COUNTERPARTS && counterparts.length >= MIN_SHARE * files.length
    })
    if (isMade) outputs.add(folder)
  }
  return outputs
}
