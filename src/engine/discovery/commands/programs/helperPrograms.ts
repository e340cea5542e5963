import type { Survey } from "../../Survey.ts"
import type { Command } from "../Command.ts"
import { declaresApplication } from "../starts/frameworkStarts.ts"
import { productNames } from "./productNames.ts"

const plain = (name: string): string => name.toLowerCase().replace(/[-_.]/g, "")

/** Names that say that the program is the server, or all there is. */
const isServer = /^(?:start|run|serve|web|app|main|api|cli)|serv(?:er|e)$|d$|web$|app$/i

/** Named for the product and for what an administrator does to its data: `kettle-migrate`. */
const administers =
  /[-_](?:migrate|migrations?|reset|init|upgrade|downgrade|import|export|backup|restore|populate|cleanup|purge|convert|fixtures?|seed|dump)(?=[-_]|$)/

/**
 * Of an application for the web, programs of a Python package that neither have the product's name nor that of a server, or whose names say what they do to its data, help those
 * who administrate it: they start something else. One alone is what there is.
 */
export const withoutHelperPrograms = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const isProgram = ({ purpose, origin, command, path }: Command): boolean =>
    purpose === "run" &&
    origin === "script" &&
    !command.includes(" ") &&
    /(?:pyproject\.toml|setup\.(?:py|cfg))$/.test(path)
  const programs = commands.filter(isProgram)
  const servesPages = survey.source.some(({ routes }) => routes.length > 0) || declaresApplication(survey)
  if (programs.length < 2 || !servesPages) return commands
  const names = [...productNames(survey)].map(plain)
  const isNamed = ({ command }: Command): boolean =>
    isServer.test(command) ||
    (!administers.test(command) &&
      names.some((name) => name.length > 2 && (plain(command).includes(name) || name.includes(plain(command)))))
  return programs.some(isNamed) ? commands : commands.filter((command) => !isProgram(command))
}
