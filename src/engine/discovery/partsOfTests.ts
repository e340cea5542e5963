import type { Command } from "./commands/Command.ts"

const lastWord = (command: string): string => command.split(" ").at(-1)!

/** Below the folder of all tests. */
const oneFolder = /\s(?:\.\/)?(?:tests?|specs?|t)\/[\w./-]*\w\/?$/

/** `npm run test:http` beside `npm test`, and a runner that is given a folder: some of what the first command runs. */
export const isPartOf = ({ command, purpose }: Command, first: Command): boolean => {
  if (purpose !== "test" || command === first.command) return false
  const rest = lastWord(command).slice(lastWord(first.command).length)
  const isVariant = lastWord(command).startsWith(lastWord(first.command)) && /^[:._-](?!all\b)\w/.test(rest)
  return isVariant || (oneFolder.test(command) && !oneFolder.test(first.command))
}
