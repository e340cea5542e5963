import { baseName, directoryOf, joined } from "../../../core/text/paths.ts"
import type { Survey } from "../../Survey.ts"

/** Keys of MakeMaker and Module::Build below which programs are listed, also those that a build class adds: `sbin_files`. */
const lists = /\b(?:EXE_FILES|(?:script|s?bin)_files)["']?\s*=>\s*([[{])([^\]}]{0,600})[\]}]/g

/** Paths that a list writes out; of a table those are the keys. */
const writtenOut = (list: string): ReadonlyArray<string> =>
  list
    .replace(/\bqw\b/g, " ")
    .replace(/=>\s*["'][^"']*["']/g, " ")
    .split(/[\s,"'()/]*[\s,"'()]+[\s,"'()/]*/)
    .filter((word) => word !== "")

/** `map { "script/$_" } @bins`, where `@bins` is a list of words of the same file. */
const computed = (survey: Survey, text: string, list: string): ReadonlyArray<string> => {
  const folder = /\bmap\b.{0,40}?["']((?:[\w.-]+\/)+)\$_["']/.exec(list)?.[1]
  if (folder === undefined) return []
  const words = [...text.matchAll(/\bqw\s*[({/[]([^)}/\]]{1,400})/g)].flatMap(([, names]) => names!.trim().split(/\s+/))
  return words.flatMap(
    (word) => ["", ".pl", ".PL"].map((end) => folder + word + end).find((path) => survey.has(path)) ?? []
  )
}

interface PerlProgram {
  readonly name: string
  /** The file that is installed, from the root of the repository; it need not be there before the build. */
  readonly file: string
  readonly path: string
  readonly line: number
}

/** Programs that MakeMaker and Module::Build install: `EXE_FILES => [ 'bin/shop' ]`. */
export const perlPrograms = (survey: Survey): ReadonlyArray<PerlProgram> =>
  survey
    .sourceTexts(/(?:^|\/)(?:Makefile|Build)\.PL$/)
    .slice(0, 40)
    .flatMap(({ path, text }) =>
      [...text.matchAll(lists)].flatMap((match) => {
        const line = text.slice(0, match.index).split("\n").length
        return [...computed(survey, text, match[2]!), ...writtenOut(match[2]!)]
          .filter((written) => /^(?:\.\/)?(?:[\w.-]+\/)*[\w.-]*\w$/.test(written))
          .map((written) => ({
            // `kettle.PL` writes `kettle`; everything else keeps its name.
            name: baseName(written).replace(/\.PL$/, ""),
            file: joined(directoryOf(path), written.replace(/^\.\//, "")),
            path,
            line
          }))
      })
    )
