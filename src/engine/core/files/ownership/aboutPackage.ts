import type { TreeEntry } from "../../source/TreeSource.ts"
import { baseName, directoryOf } from "../../text/paths.ts"
import { distinctWords } from "./namedIn.ts"

/** Where a package of Python that lies at the root of a tree says whose it is. */
const about = /^(?:(?:src|lib|python)\/)?([^/]+)\/(?:__init__|_{0,2}(?:about|version|meta(?:data)?|release)_{0,2})\.py$/

/** Those files of the package that is named for the project, or else of the one that most code is in. */
export const aboutPackage = (
  own: ReadonlyArray<TreeEntry>,
  top: string,
  words: ReadonlySet<string>
): ReadonlyArray<TreeEntry> => {
  const files = own.filter(({ path }) => about.test(path.slice(top.length)))
  const folders = [...new Set(files.map(({ path }) => directoryOf(path)))]
  const named = folders.filter((folder) => distinctWords(baseName(folder)).some((word) => words.has(word)))
  const sizeOf = (folder: string) => own.filter(({ path }) => path.startsWith(`${folder}/`)).length
  const [largest] = [...folders].sort((a, b) => sizeOf(b) - sizeOf(a))
  const chosen = new Set(named.length > 0 || largest === undefined ? named : [largest])
  return files.filter(({ path }) => chosen.has(directoryOf(path)))
}
