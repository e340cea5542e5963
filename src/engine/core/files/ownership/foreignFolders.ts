import type { TreeEntry } from "../../source/TreeSource.ts"
import { baseName, directoryOf } from "../../text/paths.ts"
import { isCodePath } from "../libraries.ts"
import { distinctWords, namedIn } from "./namedIn.ts"

const licence = /^(?:licen[cs]e|copying|copyright|(?:mit|bsd|apache)[-._]licen[cs]e)(?:[-._]\w+)?$/i
const manifest = /^(?:package\.json|composer\.json|bower\.json|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml)$/
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

/** Whether a file of this name may say that the folder it is in is someone else's. */
export const namesHolders = (path: string): boolean =>
  !termsOnly.test(path) && (licence.test(baseName(path)) || manifest.test(baseName(path)))

export interface FolderText {
  readonly path: string
  readonly text: string
}

/** What names people in the terms or in the manifest of a folder. */
const wordsIn = ({ path, text }: FolderText): ReadonlyArray<string> => {
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

/**
 * Folders with terms or a manifest of their own that name people, none of whom the repository does: they were copied.
 * `words` are the repository's.
 */
export const foreignFolders = (
  texts: ReadonlyArray<FolderText>,
  listed: ReadonlyArray<TreeEntry>,
  words: ReadonlySet<string>
): ReadonlySet<string> => {
  const byFolder = new Map<string, Array<FolderText>>()
  for (const one of texts) {
    const folder = directoryOf(one.path)
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), one])
  }
  const foreign = [...byFolder].filter(([, ofFolder]) => {
    const named = ofFolder.flatMap(wordsIn)
    const isPart = ofFolder.some(({ path, text }) => manifest.test(baseName(path)) && workspace.test(text))
    return named.length > 0 && !isPart && ![...named, ...ofFolder.flatMap(nameIn)].some((word) => words.has(word))
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
