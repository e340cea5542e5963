import { directoryOf, joined } from "../../core/text/paths.ts"
import { builtPrograms } from "../commands/programs/builtPrograms.ts"
import { code } from "../Draft.ts"
import type { Survey } from "../Survey.ts"
import type { EntryPoint } from "./EntryPoint.ts"

/** Programs of build files that also say in which file each of them starts. */
export const fromBuilds = (survey: Survey): ReadonlyArray<EntryPoint> =>
  builtPrograms(survey).flatMap(({ name, path, start }) =>
    start === undefined ? [] : [{ file_path: start, line: 1, why: `program ${code(name)}, by ${path}` }]
  )

/** The module of an application that Erlang starts: `{mod, {kettle_app, []}}` of `kettle.app.src`. */
export const fromErlang = (survey: Survey): ReadonlyArray<EntryPoint> =>
  survey.sourceTexts(/\.app\.src$/).flatMap(({ path, text }) => {
    const module = /\{\s*mod\s*,\s*\{\s*'?(\w{1,60})'?/.exec(text)?.[1]
    const found = module === undefined ? "" : joined(directoryOf(path), `${module}.erl`)
    return survey.has(found) ? [{ file_path: found, line: 1, why: `start of the application, by ${path}` }] : []
  })
