import { joined } from "../../core/text/paths.ts"
import type { Survey } from "../Survey.ts"
import type { Command } from "./Command.ts"
import { partsOf } from "./words.ts"

/** Makes the Makefile that is asked next. */
export const preparesMake =
  /^(?:sh )?(?:\.\/)?(?:configure|autogen\.sh|bootstrap(?:\.sh)?)(?=\s|$)|^autoreconf|^perl Makefile\.PL/

const makesScript = /\bautogen|\bautoreconf|\bautoconf|\bbootstrap|\bbuildconf/

const configures =
  /^(?:\.\/)?(?:configure|autogen\.sh|bootstrap(?:\.sh)?)(?=\s|$)|^autoreconf|^cmake\b(?!.*--build)|^perl (?:Makefile|Build)\.PL/
const compiles = /^(?:g?make|ninja)(?:\s+(?:-\S+|\d+|[A-Z_]+=\S+))*$|^\.\/Build$/

const isOnly = (step: RegExp, { command }: Command): boolean => partsOf(command).every((part) => step.test(part))

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
  return commands.filter((command) => {
    if (command.purpose !== "build" || !/^(?:document|pipeline)$/.test(command.origin)) return true
    if (lacksScript(command)) return false
    if (isOnly(compiles, command)) {
      const names = ["Makefile", "makefile", "GNUmakefile", "build.ninja"]
      return names.some((name) => survey.has(joined(command.folder, name))) || hasBefore(command, compiles)
    }
    return !isOnly(configures, command) || !hasUsual || hasAfter(command, configures)
  })
}
