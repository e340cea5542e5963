import { addTo } from "../../core/collections/lists.ts"
import { baseName, directoryOf } from "../../core/text/paths.ts"
import type { ObservedFile, Site } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import type { Family } from "./Family.ts"
import { isShared } from "./recipeParts.ts"

const MIN_LOADED = 3

/** A folder of several is called by its plural. */
const plural = /^(?:[\w-]*[-_])?([a-z]{2,20}?)s$/i

const irregular: Readonly<Record<string, string>> = { cmds: "command", cogs: "cog" }

const nounOf = (folder: string): string | undefined => {
  const name = baseName(folder).toLowerCase()
  if (/(?:ss|us|is|ies|classes|includes?|libs|utils|helpers|tests|docs|assets|statics|locales|configs)$/.test(name))
    return undefined
  return irregular[name] ?? plural.exec(name)?.[1]
}

/** The folder as it is, or below the one that holds the sources. */
const foldersNamed = (survey: Survey, written: string): ReadonlyArray<string> =>
  [written, `src/${written}`, `lib/${written}`].filter((folder) => survey.hasFolder(folder))

const loadersIn = (files: ReadonlyArray<ObservedFile>): ReadonlyArray<readonly [ObservedFile, Site]> =>
  files.flatMap((file) =>
    file.has("sites")
      ? file.sites.flatMap((site) => (site.kind === "loaded_folder" ? [[file, site] as const] : []))
      : []
  )

/** Modules of a folder that a file loads one by one, without a list of their names: a new one only has to lie there. */
export const loadedFamilies = (survey: Survey, files: ReadonlyArray<ObservedFile>): ReadonlyArray<Family> => {
  const loaders = loadersIn(files)
  if (loaders.length === 0) return []
  const byFolder = new Map<string, Array<ObservedFile>>()
  for (const file of files) addTo(byFolder, directoryOf(file.path), file)
  return loaders.flatMap(([loader, { symbol, line }]): ReadonlyArray<Family> => {
    const [folder] = foldersNamed(survey, symbol ?? "")
    const noun = folder === undefined ? undefined : nounOf(folder)
    if (folder === undefined || noun === undefined) return []
    const members = (byFolder.get(folder) ?? [])
      .filter(({ path, language }) => language === loader.language && path !== loader.path)
      .map((file) => ({ name: baseName(file.path).replace(/\.\w+$/, ""), line: 1, file }))
      .filter(({ name }) => !isShared.test(name))
    return members.length < MIN_LOADED
      ? []
      : [{ noun, shape: "a module", base: null, members, loader: { path: loader.path, line } }]
  })
}
