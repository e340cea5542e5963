import { addTo } from "../../core/collections/lists.ts"
import { baseName } from "../../core/text/paths.ts"
import { publishedNames } from "../commands/programs/productNames.ts"
import type { Survey } from "../Survey.ts"

const MIN_SHARE = 0.6
const MIN_SHARE_OF_STEMS = 0.4
const MIN_FILES = 5

/** What most sources lie in, or have before their own name, is called after the product: `lib/Net/Twitter/`, `lager_app.erl`. */
const wordsOfMost = (survey: Survey): ReadonlyArray<string> => {
  const files = survey.source.filter((file) => file.has("definitions") || file.has("outline"))
  if (files.length < MIN_FILES) return []
  const folders = new Map<string, number>()
  const starts = new Map<string, Array<string>>()
  for (const { path } of files) {
    for (const folder of new Set(path.toLowerCase().split("/").slice(0, -1)))
      folders.set(folder, (folders.get(folder) ?? 0) + 1)
    const stem = baseName(path).replace(/\..*$/, "")
    const [first] = stem.split(/[_-]|(?<=[a-z])(?=[A-Z])/)
    if (first !== stem) addTo(starts, first!.toLowerCase(), stem)
  }
  return [
    ...[...folders].filter(([, count]) => count >= MIN_SHARE * files.length).map(([folder]) => folder),
    ...[...starts]
      .filter(([, stems]) => stems.length >= Math.max(MIN_FILES, MIN_SHARE_OF_STEMS * files.length))
      .map(([start]) => start)
  ]
}

/** A readme's title of one word, or up to the mark before what it is; the last part of a path such as `DBD::SQLite`. */
const titleOf = (survey: Survey): ReadonlyArray<string> => {
  const [, title = ""] = /^[#=\s*]{0,8}(\w[^\n]{0,60})/.exec(survey.readme?.text ?? "") ?? []
  const [head = "", ...rest] = title.trim().split(/:\s|\s[-–—|]{1,2}\s|[,(]/)
  const [name = "", ...others] = head.trim().split(/\s+/)
  // "Depot Yard: a scheduler" names the product before it says what it is.
  if (rest.length > 0 && others.length === 1) return [`${name}${others[0]!}`]
  return others.length === 0 && /^[\w:.-]+$/.test(name) ? [name.split(/::/).at(-1)!] : []
}

const MIN_SHARE_OF_TYPES = 0.2

/** The first part of names with a path: beside `Depot_Wagon` and `Depot_Track`, `Depot` is all of it. */
const spacesOfTypes = (survey: Survey): ReadonlyArray<string> => {
  const names = new Set(
    survey.source.flatMap((file) => (file.has("entities") ? file.entities : [])).map(({ name }) => name)
  )
  const counts = new Map<string, number>()
  for (const name of names) {
    const space = /^([A-Z]\w*?)_[A-Z]/.exec(name)?.[1]
    if (space !== undefined) counts.set(space, (counts.get(space) ?? 0) + 1)
  }
  const least = Math.max(MIN_FILES, MIN_SHARE_OF_TYPES * names.size)
  return [...counts].filter(([, count]) => count >= least).map(([space]) => space)
}

/** What the product is called, in small letters and without marks, is not what it is about. */
export const productWords = (survey: Survey): ReadonlySet<string> =>
  new Set(
    [...publishedNames(survey), ...wordsOfMost(survey), ...titleOf(survey), ...spacesOfTypes(survey)].map((name) =>
      name.toLowerCase().replace(/\W|_/g, "")
    )
  )
