import { baseName, directoryOf, joined } from "../../core/text/paths.ts"
import { code } from "../Draft.ts"
import type { Survey } from "../Survey.ts"
import type { EntryPoint } from "./EntryPoint.ts"

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

/** Programs that MakeMaker and Module::Build install: `EXE_FILES => [ 'bin/shop' ]`. */
export const fromPerl = (survey: Survey): ReadonlyArray<EntryPoint> =>
  survey
    .sourceTexts(/(?:^|\/)(?:Makefile|Build)\.PL$/)
    .slice(0, 40)
    .flatMap(({ path, text }) =>
      [...text.matchAll(lists)]
        .flatMap(([, , list]) => [...writtenOut(list!), ...computed(survey, text, list!)])
        .map((program) => joined(directoryOf(path), program.replace(/^\.\//, "")))
        .filter((program) => program !== "" && survey.has(program))
        .map((program) => ({
          file_path: program,
          line: 1,
          why: `program ${code(baseName(program).replace(/\.(?:pl|PL)$/, ""))}, by ${path}`
        }))
    )
