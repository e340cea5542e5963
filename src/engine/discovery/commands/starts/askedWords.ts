import { baseName, directoryOf, joined } from "../../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../../structure/importGraph/jsonc.ts"
import type { ObservedFile } from "../../Observed.ts"
import { resolvedPath, type Survey } from "../../Survey.ts"
import type { Command } from "../Command.ts"
import { rustPrograms } from "../programs/rustPrograms.ts"
import { isOfTests } from "../programs/testFolders.ts"

type Files = ReadonlyArray<ObservedFile>

const isOfHelpers = /(?:^|\/)(?:_?tools?|utils?|hack|scripts?|debian|examples?|demos?|bench\w*|fuzz\w*|contrib)\//

const inFolder = (survey: Survey, language: string, folder: string): Files =>
  survey.source.filter((file) => file.language === language && directoryOf(file.path) === folder)

const present = (survey: Survey, paths: ReadonlyArray<string>): Files =>
  paths.flatMap((path) => survey.file(path) ?? []).slice(0, 20)

/** Packages of Go that a folder's files import from their own module. */
const importedByGo = (survey: Survey, files: Files): Files => {
  const module = /^module\s+(\S+)/m.exec(survey.texts(/^go\.mod$/)[0]?.text ?? "")?.[1]
  if (module === undefined) return []
  const folders = files.flatMap(({ imports }) =>
    imports.flatMap(({ module: one }) => (one.startsWith(`${module}/`) ? [one.slice(module.length + 1)] : []))
  )
  return [...new Set(folders)].flatMap((folder) => inFolder(survey, "go", folder))
}

/** Only packages that are named for the command line hold a program's arguments; others may hold another program's. */
const ofCommandLine = /(?:^|\/)(?:cmd|cli|commands?|app|root)(?:\/|\.go$)/

const filesOfGo = (survey: Survey, { command, folder }: Command): Files => {
  const written = /^go run (\S+)$/.exec(command)?.[1]
  if (written === undefined) return []
  const path = resolvedPath(folder, written.replace(/\/$/, ""))
  const own = inFolder(survey, "go", path.endsWith(".go") ? directoryOf(path) : path)
  return [...own, ...importedByGo(survey, own).filter((file) => ofCommandLine.test(file.path))]
}

/** The main file of a crate's program, and modules of the crate that are not programs of their own. */
const filesOfCrate = (survey: Survey, { folder, path }: Pick<Command, "folder" | "path">): Files => {
  const below = joined(folder, "src/")
  const modules = survey.source.filter(
    (file) =>
      file.language === "rust" &&
      file.path.startsWith(below) &&
      /^(?:\w*(?:cli|args?|opts?|options|main|lib|app|cmd|command)\w*)(?:\/mod)?\.rs$/.test(
        file.path.slice(below.length)
      )
  )
  return [...present(survey, [path]), ...modules.filter((file) => file.path !== path)]
}

const filesOfCargo = (survey: Survey, { command, folder }: Command): Files => {
  if (!/^cargo run(?: --release)?(?: --bin [\w-]+)?(?: --release)?$/.test(command)) return []
  const program = rustPrograms(survey).find((one) => one.folder === folder && command.startsWith(one.command))
  return program === undefined ? [] : filesOfCrate(survey, program)
}

const moduleFiles = (survey: Survey, module: string): ReadonlyArray<string> => {
  const path = module.replaceAll(".", "/")
  return ["", "src/"]
    .flatMap((start) => [`${start}${path}.py`, `${start}${path}/__main__.py`, `${start}${path}/__init__.py`])
    .filter((one) => survey.has(one))
}

const filesOfPython = (survey: Survey, { command, means, folder }: Command): Files => {
  const module =
    /^python3? -m ([\w.]+)$/.exec(command)?.[1] ??
    (/^[\w.-]+$/.test(command) ? /^calls ([\w.]+)/.exec(means ?? "")?.[1] : undefined)
  if (module !== undefined) return present(survey, moduleFiles(survey, module).slice(0, 1))
  return filesByPath(survey, folder, /^(?:python3?|ruby|node) ([\w./-]+)$|^\.\/([\w./-]+)$/.exec(command))
}

const filesByPath = (survey: Survey, folder: string, match: RegExpExecArray | null): Files => {
  const path = match?.[1] ?? match?.[2]
  return path === undefined ? [] : present(survey, [resolvedPath(folder, path)])
}

/** The program of npm by its name. */
const filesOfPackage = (survey: Survey, { command }: Command): Files => {
  const text = survey.texts(/^package\.json$/)[0]?.text
  const manifest = text === undefined ? null : parseConfiguration(text)
  if (manifest === null || !/^[\w.-]+$/.test(command)) return []
  const { bin, name } = manifest
  const file = isRecord(bin) ? bin[command] : name === command ? bin : undefined
  return typeof file === "string" ? present(survey, [file.replace(/^\.\//, "")]) : []
}

/** Of C and C++ the only main function outside of tests and tools, or that of a file or a folder with the program's name. */
const filesOfC = (survey: Survey, { command }: Command): Files => {
  const name = /^(?:\.\/)?(?:[\w-]+\/){0,3}([\w.-]+)$/.exec(command)?.[1]
  if (name === undefined) return []
  const mains = survey.source.filter(
    ({ path, language, isEntryPoint }) =>
      isEntryPoint > 0 && /^(?:c|cpp)$/.test(language) && !isOfTests(path) && !isOfHelpers.test(path)
  )
  if (mains.length === 1) return mains
  const named = mains.filter(({ path }) => baseName(path).replace(/\.\w+$/, "") === name)
  return named.length === 1 ? named : mains.filter(({ path }) => baseName(directoryOf(path)) === name).slice(0, 1)
}

/** A document starts the program of a crate or a module by its name. */
const filesByName = (survey: Survey, one: Command): Files => {
  if (!/^[\w.-]+$/.test(one.command)) return []
  const crate = rustPrograms(survey).find(
    ({ folder, path }) =>
      survey.file(joined(folder, "Cargo.toml"))?.text?.includes(`name = "${one.command}"`) && path.endsWith(".rs")
  )
  return crate === undefined ? [] : filesOfCrate(survey, crate)
}

const readings = [filesOfGo, filesOfCargo, filesOfPython, filesOfPackage, filesByName, filesOfC]

/**
 * A start that gives its program nothing, where the program asks for something, is shown with what it takes: `go run . <command>`.
 * What is stated by a script or a container is left as it is.
 */
export const withAskedWords = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> =>
  commands.map((one) => {
    if (one.purpose !== "run" || one.origin === "container" || one.origin === "target") return one
    const files = readings.map((read) => read(survey, one)).find((found) => found.length > 0) ?? []
    const asked = files.find(({ asks }) => asks !== "")?.asks
    if (asked === undefined) return one
    return { ...one, command: `${one.command}${one.command.startsWith("cargo ") ? " --" : ""} <${asked}>` }
  })
