import { baseName, directoryOf } from "../../../core/text/paths.ts"
import type { ObservedFile } from "../../Observed.ts"
import { resolvedPath, type Survey } from "../../Survey.ts"
import type { Command } from "../Command.ts"
import { partsOf, unwrapped } from "../words.ts"
import { isAbsent, isMade, shellParts, startedFile } from "./startedFiles.ts"

/** What a program is given its settings in, or loads before it starts. */
const settings =
  /\s(?:--(?:config|conf|config-file|settings|env-file|require|import|project)|-[cr])[ =]["']?(\.{0,2}\/?[\w./-]*\w\.(?:json5?|jsonc|[cm]?[jt]s|ya?ml|toml|conf|cfg|ini|env))["']?(?=\s|$)/g

/** Documents, Makefiles, containers: whatever may say how a file is made. */
const notManifest = /(?<!\.json)$/

/** What a file is copied from: `config.example.json`, `server.conf.dist`. */
const isSampleOf = (path: string, name: string): boolean => {
  const [stem = ""] = name.split(".")
  return (
    stem.length > 1 &&
    baseName(path).includes(stem) &&
    /(?:example|sample|template|default|dist|skel)/.test(baseName(path))
  )
}

/** A file that a script starts with, which is not in the tree and which nothing says how to make. */
export const missingFile = (
  survey: Survey,
  folder: string,
  text: string,
  scripts: ReadonlyArray<string>
): string | undefined => {
  const named = shellParts(folder, text).flatMap(({ line, folder: where }) => {
    if (where === null) return []
    const first = startedFile(line)
    const given = [...(first === undefined ? [] : [first]), ...[...line.matchAll(settings)].map(([, path]) => path!)]
    return given.map((written) => ({ written, path: resolvedPath(where, written) }))
  })
  return named.find(({ written, path }) => {
    if (isMade.test(written) || !isAbsent(survey, path)) return false
    const name = baseName(written)
    const isMentioned =
      scripts.some((script) => script !== text && script.includes(name)) ||
      survey.texts(notManifest).some((other) => other.text.includes(name))
    return (
      !isMentioned &&
      !survey.files.some((file) => directoryOf(file.path) === directoryOf(path) && isSampleOf(file.path, name))
    )
  })?.written
}

/** What a build makes a file of, where both have the same name: `dist/server.js` of `src/server.ts`. */
const sourceOf = (survey: Survey, path: string): ObservedFile | null => {
  const [, outer = "", inner] = /^((?:.*\/)?)(?:dist|lib|build|out)\/(.*)\.[cm]?js$/.exec(path) ?? []
  if (inner === undefined) return null
  const stems = [`${outer}src/${inner}`, `${outer}${inner}`]
  const paths = stems.flatMap((stem) => ["ts", "mts", "cts", "tsx"].map((end) => `${stem}.${end}`))
  return paths.map((one) => survey.file(one)).find((one) => one !== null) ?? null
}

/** Node is all that a script starts, with a file that only declares and exports: the process ends at once. */
export const startsLibrary = (survey: Survey, folder: string, text: string): boolean => {
  const [part, ...others] = partsOf(text)
  const written = /^node\s+(?:\.\/)?([\w./-]+)(?=\s|$)/.exec(unwrapped(part ?? ""))?.[1]
  if (written === undefined || others.length > 0) return false
  const path = resolvedPath(folder, written).replace(/\/$/, "")
  const file = [path, `${path}.js`, `${path}/index.js`].map((one) => survey.file(one)).find((one) => one !== null)
  const isBuilt = file === undefined || file?.role === "generated"
  return ((isBuilt ? sourceOf(survey, path) : file)?.exportsAlone ?? 0) > 0
}

/** `kettle examples/tea.txt`: a folder that documents have for what the repository brings to try it out. */
const ofExamples = /\s(?:\.\/)?((?:examples?|samples?|demos?)\/[\w./-]+)(?=\s|$)/g

/** A document may start the program with an example of a folder that this tree is without, as a published package is. */
export const withMissingExample =
  (survey: Survey) =>
  (command: Command): Command => {
    if (command.purpose !== "run" || command.origin !== "document") return command
    const lacks = [...command.command.matchAll(ofExamples)]
      .map(([, path]) => path!)
      .find((path) => !survey.resolves(path.split("/")[0]!))
    return lacks === undefined ? command : { ...command, lacks }
  }
