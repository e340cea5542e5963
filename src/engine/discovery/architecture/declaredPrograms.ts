import { baseName, directoryOf, joined } from "../../core/text/paths.ts"
import { productNames } from "../commands/programs/productNames.ts"
import { isOfTests } from "../commands/programs/testFolders.ts"
import { code } from "../Draft.ts"
import { goalShape } from "../observers/commands/commandSites.ts"
import type { Survey } from "../Survey.ts"
import type { EntryPoint } from "./EntryPoint.ts"

/** What `make install` puts on the path; programs for the build and for tests have other prefixes. */
const installedPrograms = /^s?bin_PROGRAMS[ \t]*\+?=[ \t]*([^#\n]{1,600})/gm

const wordsIn = (list: string): ReadonlyArray<string> => list.trim().split(/\s+/)

/** Sources of a program of Automake; without a list that is the file of its name. */
const sourcesOf = (text: string, name: string): ReadonlyArray<string> => {
  const listed = new RegExp(`^${name.replace(/\W/g, "_")}_SOURCES[ \\t]*\\+?=[ \\t]*([^#\\n]{1,6000})`, "m").exec(text)
  return listed === null ? [`${name}.c`] : wordsIn(listed[1]!)
}

const stemOf = (path: string): string => baseName(path).replace(/\.\w+$/, "")

/** The file with the main function, or the one whose name says that it has it. */
const startOf = (survey: Survey, name: string, paths: ReadonlyArray<string>): string | undefined => {
  const files = paths.filter((path) => /\.(?:c|cc|cpp|cxx|m|mm|vala)$/.test(path) && survey.has(path))
  return (
    files.find((path) => (survey.file(path)?.isEntryPoint ?? 0) > 0) ??
    files.find((path) => stemOf(path) === "main") ??
    files.find((path) => stemOf(path) === name) ??
    (files.length === 1 ? files[0] : undefined)
  )
}

/** Programs that Automake installs, in whichever folder: `bin_PROGRAMS = kettle` with `kettle_SOURCES = main.c cup.c`. */
export const fromAutomake = (survey: Survey): ReadonlyArray<EntryPoint> => {
  const names = productNames(survey)
  const programs = survey
    .sourceTexts(/(?:^|\/)Makefile\.am$/)
    .filter(({ path }) => !isOfTests(path))
    .flatMap(({ path, text: written }) => {
      const text = written.replace(/\\\r?\n/g, " ")
      return [...text.matchAll(installedPrograms)]
        .flatMap(([, list]) => wordsIn(list!))
        .filter((name) => /^[\w.+-]{1,40}$/.test(name))
        .map((name) => ({ name, path, sources: sourcesOf(text, name).map((one) => joined(directoryOf(path), one)) }))
    })
  const isOther = ({ name }: { readonly name: string }): number => Number(!names.has(name.toLowerCase()))
  return [...programs]
    .sort((a, b) => isOther(a) - isOther(b))
    .flatMap(({ name, path, sources }): ReadonlyArray<EntryPoint> => {
      const start = startOf(survey, name, sources)
      if (start === undefined) return []
      const line = survey.file(start)?.isEntryPoint || 1
      return [{ file_path: start, line, why: `program ${code(name)}, by ${path}` }]
    })
}

/** Goals of a Maven plugin, those of one word first: `check` before `aggregate-check`. */
export const mavenGoals = (survey: Survey): ReadonlyArray<EntryPoint> =>
  survey.source
    .flatMap((file) =>
      file.has("sites")
        ? file.sites.flatMap(({ shape, symbol, line }) =>
            shape === goalShape && symbol !== null ? [{ path: file.path, symbol, line }] : []
          )
        : []
    )
    .sort((a, b) => a.symbol.split("-").length - b.symbol.split("-").length)
    .map(({ path, symbol, line }) => ({
      file_path: path,
      line,
      why: `goal ${code(symbol)} of the Maven plugin`
    }))
