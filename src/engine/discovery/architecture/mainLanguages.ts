import { programLanguage } from "../../core/files/programLanguage.ts"
import type { ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"

/** A language of which there is less than this is that of helpers. */
const MIN_SHARE = 0.1

type Named = (file: Pick<ObservedFile, "path" | "language">) => string | null

/** Headers without a class are read as C; where nothing else is written in C, they are those of a program in C++. */
const languageNames = (survey: Survey): Named => {
  const languages = new Set(
    survey.source.flatMap(({ path, language }) => (path.endsWith(".h") && language === "c" ? [] : [language]))
  )
  const isOfCpp = languages.has("cpp") && !languages.has("c")
  return ({ path, language }) => programLanguage(path, isOfCpp && language === "c" ? "cpp" : language)
}

const bytesByLanguage = (survey: Survey, nameOf: Named): ReadonlyMap<string, number> => {
  const bytes = new Map<string, number>()
  for (const file of survey.source) {
    const name = nameOf(file)
    if (name !== null) bytes.set(name, (bytes.get(name) ?? 0) + file.bytes)
  }
  return bytes
}

/**
 * Whether a file is written in a language that hardly any of the sources are. Languages whose code is not read count as
 * well: of a program in Erlang the few scripts in Python say neither where it starts nor what it stores.
 */
export const isOfHelpers = (survey: Survey): ((file: ObservedFile) => boolean) => {
  const nameOf = languageNames(survey)
  const bytes = bytesByLanguage(survey, nameOf)
  const total = [...bytes.values()].reduce((sum, one) => sum + one, 0)
  return (file) => {
    const name = nameOf(file)
    return name !== null && (bytes.get(name) ?? 0) < MIN_SHARE * total
  }
}

/** What a build or a package manager runs by itself. */
export const isOfBuild = (path: string): boolean =>
  /(?:^|\/)(?:build\.(?:rs|go)|(?:setup|configure)\.(?:py|pl)|(?:Makefile|Build)\.PL|[Rr]akefile|Gruntfile\.\w+|gulpfile\.\w+|bin\/(?:bundle|setup|spring|yarn|rake)|ansi2knr\.c|versioneer\.py)$|\.rake$/.test(
    path
  )

/** Whether another language has more than three times as much. */
export const isSecondary = (survey: Survey): ((file: ObservedFile) => boolean) => {
  const nameOf = languageNames(survey)
  const bytes = bytesByLanguage(survey, nameOf)
  const most = Math.max(0, ...bytes.values())
  return (file) => {
    const name = nameOf(file)
    return name !== null && 3 * (bytes.get(name) ?? 0) < most
  }
}
