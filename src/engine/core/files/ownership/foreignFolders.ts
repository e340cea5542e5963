import { addTo } from "../../collections/lists.ts"
import type { TreeEntry } from "../../source/TreeSource.ts"
import { baseName, directoryOf } from "../../text/paths.ts"
import { isCodePath } from "../libraries.ts"
import { firstLicence } from "./licenceFamilies.ts"
import { distinctWords, namedIn } from "./namedIn.ts"

const licence = /^(?:licen[cs]e|copying|copyright|(?:mit|bsd|apache)[-._]licen[cs]e)(?:[-._]\w+)?$/i
const manifest = /^(?:package\.json|composer\.json|bower\.json|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml)$/
const readme = /^read[-_ ]?me(?:\.\w+)?$/i
/** What the manifest of a part of the repository has, of a list of such parts, or of a template. */
const workspace =
  /"workspaces"\s*:|^\s*\[workspace\]|"private"\s*:\s*true|workspace:|"file:|^\s*publish\s*=\s*false|\{\{|<%/m

/** Holders of the text of a licence, not of the code that it is for. */
const ofText = /Free Software Foundation|fsf\.org|Creative Commons|Open Source Initiative/i

const json =
  /"(?:authors?|contributors|maintainers|repository|homepage|bugs)"\s*:\s*(?:"[^"\n]*"|\{[^{}]{0,600}\}|\[[^\]]{0,4000}\])/g
const other =
  /^[ \t{"']{0,40}(?:authors?(?:[_-]email)?|maintainers?(?:[_-]email)?|repository|home-?page|url)["']?\s*[=:][^\n]*/gim

/** Where nothing but terms lie. */
const termsOnly = /(?:^|\/)(?:licen[cs]es?|legal|[\w.-]+\.(?:dist|egg)-info)\//i

/** Those files that may say by their names that the folder they are in is someone else's: a readme only beside terms. */
export const namingHolders = (entries: ReadonlyArray<TreeEntry>): ReadonlyArray<TreeEntry> => {
  const some = entries.filter(({ path }) => !termsOnly.test(path))
  const licensed = new Set(some.flatMap(({ path }) => (licence.test(baseName(path)) ? directoryOf(path) : [])))
  return some.filter(({ path }) => {
    const name = baseName(path)
    return licence.test(name) || manifest.test(name) || (readme.test(name) && licensed.has(directoryOf(path)))
  })
}

export interface FolderText {
  readonly path: string
  readonly text: string
}

export type TextsOf = (entries: ReadonlyArray<TreeEntry>) => AsyncIterable<FolderText>

/** What names people in the terms or in the manifest of a folder. */
const wordsIn = ({ path, text }: FolderText): ReadonlyArray<string> => {
  if (readme.test(baseName(path))) return []
  if (!manifest.test(baseName(path)))
    return namedIn(text)
      .holders.filter((holder) => !ofText.test(holder))
      .flatMap(distinctWords)
  return [...text.matchAll(path.endsWith(".json") ? json : other)].flatMap(([found]) => distinctWords(found))
}

/** A manifest names the package beside its people: `acme-tools` is Acme's. */
const nameIn = ({ path, text }: FolderText): ReadonlyArray<string> => {
  if (!manifest.test(baseName(path))) return []
  const name = /["']?\bname["']?\s*[=:]\s*["']([^"'\n]{1,120})/.exec(text)?.[1] ?? ""
  return distinctWords(name)
}

/** A folder with more than this share of the code is what the repository is about. */
const MAX_SHARE = 0.5

const fileOf = (ofFolder: ReadonlyArray<FolderText>, named: RegExp): FolderText | undefined =>
  ofFolder.find(({ path }) => named.test(baseName(path)))

/** A readme with the name of the folder as its title, and terms that the repository is not under: a copy of another one. */
const isRepository = (
  folder: string,
  ofFolder: ReadonlyArray<FolderText>,
  words: ReadonlySet<string>,
  licences: ReadonlySet<string>
): boolean => {
  const [terms, introduction] = [fileOf(ofFolder, licence), fileOf(ofFolder, readme)]
  if (terms === undefined || introduction === undefined || fileOf(ofFolder, manifest) !== undefined) return false
  const family = firstLicence(terms.text)
  const title = /^[#\s=*]*([A-Za-z][^\n]{0,80})/.exec(introduction.text)?.[1] ?? ""
  const isTitled = distinctWords(title).join(" ") === distinctWords(baseName(folder)).join(" ")
  if ([...namedIn(introduction.text).words].some((word) => words.has(word))) return false
  return isTitled && family !== null && licences.size > 0 && !licences.has(family)
}

/**
 * Folders with terms or a manifest of their own that name people, none of whom the repository does, and other repositories
 * with a readme and terms: they were copied. `words` and `licences` are the repository's.
 */
export const foreignFolders = (
  texts: ReadonlyArray<FolderText>,
  listed: ReadonlyArray<TreeEntry>,
  words: ReadonlySet<string>,
  licences: ReadonlySet<string>
): ReadonlySet<string> => {
  const byFolder = new Map<string, Array<FolderText>>()
  for (const one of texts) addTo(byFolder, directoryOf(one.path), one)
  const foreign = [...byFolder].filter(([folder, ofFolder]) => {
    const named = ofFolder.flatMap(wordsIn)
    const isPart = ofFolder.some(({ path, text }) => manifest.test(baseName(path)) && workspace.test(text))
    const all = [...named, ...ofFolder.flatMap(nameIn)]
    if (isPart || all.some((word) => words.has(word))) return false
    return named.length > 0 || isRepository(folder, ofFolder, words, licences)
  })
  if (foreign.length === 0) return new Set()
  const code = listed.filter(({ path }) => isCodePath.test(path))
  const inside = codeInside(new Set(foreign.map(([folder]) => folder)), code)
  return new Set([...inside].flatMap(([folder, files]) => (files <= MAX_SHARE * code.length ? [folder] : [])))
}

/** How many files of code lie below each of the folders that have any: one pass over the files, however many folders. */
const codeInside = (folders: ReadonlySet<string>, code: ReadonlyArray<TreeEntry>): ReadonlyMap<string, number> => {
  const inside = new Map<string, number>()
  for (const { path } of code)
    for (let folder = directoryOf(path); folder !== ""; folder = directoryOf(folder))
      if (folders.has(folder)) inside.set(folder, (inside.get(folder) ?? 0) + 1)
  return inside
}
