import { directoryOf, joined } from "../../core/text/paths.ts"
import { builtPrograms } from "../commands/programs/builtPrograms.ts"
import { perlPrograms } from "../commands/programs/perlPrograms.ts"
import { productNames } from "../commands/programs/productNames.ts"
import { code } from "../Draft.ts"
import type { Survey } from "../Survey.ts"
import type { EntryPoint } from "./EntryPoint.ts"

/** Programs of build files that also say in which file each of them starts, the one with the product's name first. */
export const fromBuilds = (survey: Survey): ReadonlyArray<EntryPoint> => {
  const names = productNames(survey)
  const isOther = ({ name }: { readonly name: string }): number => Number(!names.has(name.toLowerCase()))
  return [...builtPrograms(survey)]
    .sort((a, b) => isOther(a) - isOther(b))
    .flatMap(({ name, path, start }) =>
      start === undefined ? [] : [{ file_path: start, line: 1, why: `program ${code(name)}, by ${path}` }]
    )
}

/** Programs that a build of Perl installs and that lie in the tree. */
export const fromPerl = (survey: Survey): ReadonlyArray<EntryPoint> =>
  perlPrograms(survey)
    .filter(({ file }) => survey.has(file))
    .map(({ name, file, path }) => ({ file_path: file, line: 1, why: `program ${code(name)}, by ${path}` }))

/** The module of an application that Erlang starts: `{mod, {kettle_app, []}}` of `kettle.app.src`. */
export const fromErlang = (survey: Survey): ReadonlyArray<EntryPoint> =>
  survey.sourceTexts(/\.app\.src$/).flatMap(({ path, text }) => {
    const module = /\{\s*mod\s*,\s*\{\s*'?(\w{1,60})'?/.exec(text)?.[1]
    const found = module === undefined ? "" : joined(directoryOf(path), `${module}.erl`)
    return survey.has(found) ? [{ file_path: found, line: 1, why: `start of the application, by ${path}` }] : []
  })
