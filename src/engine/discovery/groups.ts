import { addTo } from "../core/collections/lists.ts"
import type { Language } from "../core/files/Language.ts"
import { baseName, directoryOf } from "../core/text/paths.ts"
import { code, percent, plural, type Scope } from "./Draft.ts"
import type { ObservedFile } from "./Observed.ts"
import { languageTitles, type Survey } from "./Survey.ts"

export const MIN_FILES = 5
/** A suffix that few files of one folder have in common is chance. */
const MIN_FOLDER_SHARE = 0.2

export interface Group {
  readonly scope: Scope
  readonly files: ReadonlyArray<ObservedFile>
  /** "files in `src/tools`", "`*Repo.ts` files". */
  readonly title: string
  readonly noun: string
}

export const family = (language: Language): string => languageTitles[language] ?? language

/** What names of one kind end with: `Repo.ts` of `JobsRepo.ts`, `_controller.rb`, `.service.ts`. */
export const suffixOf = (path: string): string | null => {
  const name = baseName(path)
  const match =
    /^[\w-]+(\.[a-z]{3,20}\.\w{1,4})$/.exec(name) ??
    /^\w*[a-z\d]([A-Z][a-z]{2,20}\.\w{1,4})$/.exec(name) ??
    /^\w+(_[a-z]{3,20}\.\w{1,4})$/.exec(name)
  return match?.[1] ?? null
}

const commonFolder = (files: ReadonlyArray<ObservedFile>): string => {
  let parts = directoryOf(files[0]!.path).split("/")
  for (const { path } of files) {
    const other = path.split("/")
    const differs = parts.findIndex((part, i) => part !== other[i])
    if (differs >= 0) parts = parts.slice(0, differs)
  }
  return parts.join("/")
}

const bucketed = (
  files: ReadonlyArray<ObservedFile>,
  keyOf: (file: ObservedFile) => string | null
): ReadonlyMap<string, ReadonlyArray<ObservedFile>> => {
  const buckets = new Map<string, Array<ObservedFile>>()
  for (const file of files) {
    const key = keyOf(file)
    if (key !== null) addTo(buckets, key, file)
  }
  return buckets
}

const singular = (word: string): string =>
  /(?:ss|us|is|kubernetes|aws|dns|tls|css|js|ops)$/.test(word)
    ? word
    : word
        .replace(/ies$/, "y")
        .replace(/(ss|sh|ch|x)es$/, "$1")
        .replace(/([^s])s$/, "$1")
        .replace(/^migrate$/, "migration")

export const nounOf = (folder: string): string =>
  singular(
    baseName(folder)
      .replace(/[-_]/g, " ")
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
  )

/** Files that belong together by folder or by name, in one language; tests apart from the rest. */
export const groupsOf = (survey: Survey): ReadonlyArray<Group> =>
  (["source", "test"] as const).flatMap((role) => {
    const files = (role === "source" ? survey.source : survey.tests).filter(
      (file) => file.has("definitions") || file.has("calls")
    )
    return [...folderGroups(files, role), ...suffixGroups(files, role)]
  })

const folderGroups = (files: ReadonlyArray<ObservedFile>, role: "source" | "test"): ReadonlyArray<Group> => {
  const groups: Array<Group> = []
  for (const [key, members] of bucketed(files, ({ path, language }) => `${directoryOf(path)}\n${family(language)}`)) {
    if (members.length < MIN_FILES) continue
    const folder = key.split("\n")[0]!
    const languages = [...new Set(members.map(({ language }) => language))].sort()
    groups.push({
      scope: { folder, languages, role },
      files: members,
      title: `${role === "test" ? "test files" : "files"} in ${code(folder === "" ? "." : folder)}`,
      noun: nounOf(folder)
    })
  }
  return groups
}

/** All files of a folder, or so few of them that their name says nothing. `sizes`: how many files each folder has. */
const isUninformative = (members: ReadonlyArray<ObservedFile>, sizes: ReadonlyMap<string, number>): boolean => {
  const folders = new Set(members.map(({ path }) => directoryOf(path)))
  const [folder] = folders
  if (folders.size !== 1 || folder === undefined) return false
  const count = sizes.get(folder) ?? 0
  return count === members.length || members.length < MIN_FOLDER_SHARE * count
}

const suffixGroups = (files: ReadonlyArray<ObservedFile>, role: "source" | "test"): ReadonlyArray<Group> => {
  const groups: Array<Group> = []
  const sizes = new Map<string, number>()
  for (const { path } of files) sizes.set(directoryOf(path), (sizes.get(directoryOf(path)) ?? 0) + 1)
  for (const [suffix, members] of bucketed(files, ({ path }) => suffixOf(path))) {
    if (members.length < MIN_FILES || isUninformative(members, sizes)) continue
    const folder = commonFolder(members)
    const inside = folder === "" ? "" : ` under ${code(folder)}`
    const word = suffix.replace(/^[._]/, "").replace(/\.\w+$/, "")
    groups.push({
      scope: { folder, suffix, role },
      files: members,
      title: `${code(`*${suffix}`)} files${inside}`,
      noun: singular(word.toLowerCase())
    })
  }
  return groups
}

export const supportText = (count: number, of: number, word: string): string =>
  `${count.toLocaleString("en-US")} of ${plural(of, word)} (${percent(count, of)})`
