import { joined } from "../../core/text/paths.ts"
import type { Survey } from "../Survey.ts"
import { madeFolder, wrapsConfigure } from "./builds/buildFolders.ts"
import type { Command } from "./Command.ts"
import { partsOf, unwrapped } from "./words.ts"

/** Makes the Makefile that is asked next. */
export const preparesMake =
  /^(?:(?:sh|bash|python3?) )?(?:\.\/)?(?:configure(?:\.(?:sh|py|pl))?|autogen\.sh|bootstrap(?:\.sh)?)(?=\s|$)|^autoreconf|^perl Makefile\.PL/

const makesScript = /\bautogen|\bautoreconf|\bautoconf|\bbootstrap|\bbuildconf/

const configures =
  /^(?:\.\/)?(?:configure(?:\.(?:sh|py|pl))?|autogen\.sh|bootstrap(?:\.sh)?)(?=\s|$)|^autoreconf|^cmake\b(?!.*--build)|^perl (?:Makefile|Build)\.PL|^meson (?!compile|test|install)/
const compiles = /^(?:g?make|ninja)(?:\s+(?:-\S+|\d+|[A-Z_]+=\S+))*$|^\.\/Build$/

const MAX_JOINED = 160

/**
 * Steps of one build are of no use apart: `autoreconf -fi`, `./configure` and `make` are one command, and neither half of it is
 * given beside it.
 */
export const joinedBuilds = (
  commands: ReadonlyArray<Command>,
  prepares: RegExp,
  isNear: (last: Command, next: Command) => boolean = () => true
): ReadonlyArray<Command> => {
  const found: Array<Command> = []
  let end: Command | undefined
  for (const command of commands) {
    const last = found.at(-1)
    const isNext =
      last !== undefined &&
      end !== undefined &&
      last.purpose === "build" &&
      command.purpose === "build" &&
      last.folder === command.folder &&
      prepares.test(partsOf(last.command).at(-1) ?? "") &&
      last.command.length + command.command.length < MAX_JOINED &&
      isNear(end, command)
    if (isNext) found[found.length - 1] = { ...last, command: `${last.command} && ${command.command}` }
    else found.push(command)
    end = command
  }
  const isHalf = ({ folder, command }: Command): boolean =>
    found.some(
      (whole) =>
        whole.folder === folder &&
        (whole.command.endsWith(` && ${command}`) || whole.command.startsWith(`${command} && `))
    )
  return found.filter((command) => command.purpose !== "build" || !isHalf(command))
}

/** Builds in a folder that was configured, on the way to an installation too: `ninja -C build install`. */
const buildsIn =
  /^(?:sudo\s+)?(?:(?:ninja|make)\b.*\s-C\s*([\w-]+)(?:\s+(?:-\S+|all|install))*|(?:\w+=\S+\s+)*meson\s+(?:compile|install)\b.*\s-C\s*([\w-]+)(?:\s+-\S+)*|cmake\s+--(?:build|install)\s+([\w-]+)(?:\s+-\S+)*)$/

/** The step that builds, without what puts the result in its place. */
const withoutInstall = (step: string): string =>
  step
    .replace(/^(?:sudo\s+|\w+=\S+\s+)+/, "")
    .replace(/\s+install$/, "")
    .replace(/^meson\s+install\b/, "meson compile")
    .replace(/^cmake\s+--install\b/, "cmake --build")

/** What a script configures it names itself. */
const isBuiltIn = (made: string | null, built: string | undefined): boolean =>
  built !== undefined && (made === null || made === built)

/**
 * A document that configures a folder for Meson or CMake and builds in it some paragraphs further down says one build, even where
 * the second step also installs.
 */
export const completedBuilds = (commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const folderBuilt = ({ command }: Command): string | undefined => buildsIn.exec(command)?.slice(1).find(Boolean)
  const completed = new Set<string>()
  const found = commands.map((one, index) => {
    const step = one.purpose === "build" ? (partsOf(one.command).at(-1) ?? "") : ""
    const folder = madeFolder(step)
    if (folder === null && !wrapsConfigure.test(unwrapped(step))) return one
    const next = commands
      .slice(index + 1)
      .find((other) => other.folder === one.folder && isBuiltIn(folder, folderBuilt(other)))
    if (next === undefined) return one
    completed.add(folderBuilt(next)!)
    return { ...one, command: `${one.command} && ${withoutInstall(next.command)}` }
  })
  return found.filter((one) => one.purpose !== "build" || !completed.has(folderBuilt(one) ?? ""))
}

const isOnly = (step: RegExp, { command }: Command): boolean => partsOf(command).every((part) => step.test(part))

const makers = ["autogen.sh", "bootstrap.sh", "bootstrap"]

/** A document that begins with `./configure` speaks of a release: in a checkout that script is made first. */
const withMaker = (survey: Survey, command: Command): Command => {
  const isOne =
    command.purpose === "build" &&
    command.origin === "document" &&
    /^(?:sh )?(?:\.\/)?configure(?=\s|$)/.test(command.command) &&
    !survey.has(joined(command.folder, "configure"))
  const maker = isOne ? makers.find((name) => survey.has(joined(command.folder, name))) : undefined
  return maker === undefined ? command : { ...command, command: `./${maker} && ${command.command}` }
}

/**
 * A document that configures or compiles, but does not do both, has its other half in prose or in a script: such a step
 * fails in a fresh checkout, or builds nothing.
 */
export const withoutHalves = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const stated = commands.filter(({ purpose }) => purpose === "build")
  const hasUsual = stated.some(({ origin }) => origin === "convention")
  /** A checkout without the script that a document begins with has to make it first. */
  const lacksScript = ({ command, folder, path }: Command): boolean =>
    hasUsual &&
    /^(?:sh )?(?:\.\/)?configure(?=\s|$)/.test(command) &&
    !survey.has(joined(folder, "configure")) &&
    !stated.some((other) => other.path === path && makesScript.test(other.command))
  const builds = stated.filter((command) => !lacksScript(command))
  const hasBefore = ({ path, line }: Command, step: RegExp): boolean =>
    builds.some((other) => other.path === path && other.line <= line && !isOnly(step, other))
  const hasAfter = ({ path, line }: Command, step: RegExp): boolean =>
    builds.some((other) => other.path === path && other.line >= line && !isOnly(step, other))
  const isWhole = (command: Command): boolean => {
    if (command.purpose !== "build" || !/^(?:document|pipeline)$/.test(command.origin)) return true
    if (lacksScript(command)) return false
    if (isOnly(compiles, command)) {
      const names = ["Makefile", "makefile", "GNUmakefile", "build.ninja"]
      return names.some((name) => survey.has(joined(command.folder, name))) || hasBefore(command, compiles)
    }
    return !isOnly(configures, command) || !hasUsual || hasAfter(command, configures)
  }
  return withMakers(
    survey,
    commands.filter(isWhole).map((command) => withMaker(survey, command))
  )
}

const makesOnly = /^(?:sh )?(?:\.\/)?(?:autogen\.sh|bootstrap(?:\.sh)?)(?=\s|$)|^autoreconf/
const startsConfigured = /^(?:sh )?(?:\.\/)?configure(?=\s|$)/

/** What makes `configure` is given with what it is made for, and is of no use where that script is there. */
const withMakers = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const isMaker = (one: Command): boolean =>
    one.purpose === "build" && one.origin === "document" && isOnly(makesOnly, one)
  const makes = commands.filter(isMaker)
  const isFor = (maker: Command, one: Command): boolean =>
    one.purpose === "build" &&
    one.folder === maker.folder &&
    !isMaker(one) &&
    partsOf(one.command).some((part) => startsConfigured.test(part))
  return commands
    .filter((one) => !(isMaker(one) && commands.some((other) => isFor(one, other))))
    .map((one) => {
      const maker = makes.find((other) => other.path === one.path && isFor(other, one))
      const isMissing = !survey.has(joined(one.folder, "configure")) && startsConfigured.test(one.command)
      return maker !== undefined && isMissing ? { ...one, command: `${maker.command} && ${one.command}` } : one
    })
}
