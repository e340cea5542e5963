import { escape as escapeRegExp } from "effect/RegExp"
import { directoryOf, joined } from "../../../core/text/paths.ts"
import type { Survey } from "../../Survey.ts"
import type { Command } from "../Command.ts"
import { programFiles } from "./ownPrograms.ts"
import { rustPrograms } from "./rustPrograms.ts"

const makefiles = /^(?:src\/|source\/)?(?:(?:GNUm|[Mm])akefile|[Mm]akefile\.\w+|[\w.-]+\.mk)$/

/** A rule that puts the result in its place. */
const installs = /^[\w. \t-]{0,60}\binstall\b[\w. \t-]{0,60}:(?!=)/m

/** Whether a Makefile has what it makes put on the path, or includes what may do so. */
const isInstalled = (survey: Survey): boolean => survey.texts(makefiles).some(({ text }) => installs.test(text))

/** Where a Makefile leaves a program: what it is called as a target, or behind `-o`. */
const madeAt = (text: string, name: string): string => {
  const pattern = new RegExp(
    `(?:^|[ \\t]-o[ \\t]+)(?:\\./)?((?:[\\w-]{1,40}/){0,3})${escapeRegExp(name)}(?=[ \\t]*:(?!=)|[ \\t]*$|[ \\t]+[^:=\\s])`,
    "m"
  )
  return `${pattern.exec(text)?.[1] ?? ""}${name}`
}

/** How a program is started that a Makefile makes: by its name once it is installed, or where it is left. */
export const startsOfMade = (survey: Survey) => {
  const isOnPath = isInstalled(survey)
  return ({ name, path }: { readonly name: string; readonly path: string }): string =>
    isOnPath ? name : `./${joined(directoryOf(path), madeAt(survey.file(path)?.text ?? "", name))}`
}

/** Says that the reader puts the program on the path, or how it is installed. */
const putsOnPath = /\bPATH\b|\/s?bin\b|\binstall\w*\b/i

/** A document starts `kettle tea` where nothing installs it, and the file lies at the root: `./kettle tea`. */
export const startedInTree = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const own = new Set(programFiles(survey).filter((path) => /^[\w-]+$/.test(path)))
  if (own.size === 0 || isInstalled(survey) || hasManifest(survey)) return commands
  return commands.map((one) => {
    const name = one.purpose === "run" && one.folder === "" ? /^([\w-]+)(?=\s|$)/.exec(one.command)?.[1] : undefined
    if (name === undefined || !own.has(name) || putsOnPath.test(survey.file(one.path)?.text ?? "")) return one
    return { ...one, command: `./${one.command}` }
  })
}

/** Cargo leaves a program below `target`: where a document has `./kettle tea` the checkout has `cargo run -- tea`. */
const startedByCargo = (survey: Survey, one: Command, start: string | undefined): Command | null => {
  const [, name, rest = ""] = /^\.\/([\w-]+)((?:\s.*)?)$/.exec(one.command) ?? []
  if (one.purpose !== "run" || one.origin !== "document" || name === undefined || survey.has(name)) return one
  if (survey.has("Makefile") || survey.has("makefile")) return one
  return start === undefined ? null : { ...one, command: `${start}${rest.trim() === "" ? "" : ` -- ${rest.trim()}`}` }
}

/** What documents start as a file of the root, which Cargo makes elsewhere. */
export const withCargoStarts = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  if (!survey.has("Cargo.toml") || !commands.some(({ command }) => command.startsWith("./"))) return commands
  const start = rustPrograms(survey).find(({ folder }) => folder === "")?.command
  return commands.flatMap((one) => startedByCargo(survey, one, start) ?? [])
}

/** Something may install programs. */
const hasManifest = (survey: Survey): boolean =>
  survey.hasLike(
    /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml|go\.mod|(?:Makefile|Build)\.PL|Makefile\.am|CMakeLists\.txt|meson\.build|install(?:\.sh)?|[\w-]+\.(?:gemspec|rockspec|cabal|pro))$/
  )
