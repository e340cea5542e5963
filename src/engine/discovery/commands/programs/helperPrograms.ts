import type { Survey } from "../../Survey.ts"
import type { Command } from "../Command.ts"
import { productNames } from "./productNames.ts"

const plain = (name: string): string => name.toLowerCase().replace(/[-_.]/g, "")

/** Names that say that the program is the server, or all there is. */
const isServer = /^(?:start|run|serve|web|app|main|api|cli)|serv(?:er|e)$|d$|web$|app$/i

/**
 * Of an application for the web, programs of a Python package that neither have the product's name nor that of a server help those
 * who administrate it: they start something else. One alone is what there is.
 */
export const withoutHelperPrograms = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const isProgram = ({ purpose, origin, command, path }: Command): boolean =>
    purpose === "run" &&
    origin === "script" &&
    !command.includes(" ") &&
    /(?:pyproject\.toml|setup\.(?:py|cfg))$/.test(path)
  const programs = commands.filter(isProgram)
  if (programs.length < 2 || !survey.source.some(({ routes }) => routes.length > 0)) return commands
  const names = [...productNames(survey)].map(plain)
  const isNamed = ({ command }: Command): boolean =>
    isServer.test(command) ||
    names.some((name) => name.length > 2 && (plain(command).includes(name) || name.includes(plain(command))))
  return programs.some(isNamed) ? commands : commands.filter((command) => !isProgram(command))
}
