import { Command } from "@effect/cli"
import type { NodeContext } from "@effect/platform-node/NodeContext"
import { type CommandLine, root, runnerOf } from "./commandLine.ts"

const alone = <Name extends string, E, A>(command: Command.Command<Name, NodeContext, E, A>): CommandLine => {
  const only = root.pipe(Command.withSubcommands([command]))
  return { help: { command: only, children: [{ command }] }, run: runnerOf(only) }
}

/** Commands without a server: the others' code would take longer to load than a small audit. */
const quick: Readonly<Record<string, () => Promise<CommandLine>>> = {
  audit: () => import("./audit.ts").then(({ audit }) => alone(audit)),
  review: () => import("./review.ts").then(({ review }) => alone(review)),
  discover: () => import("./discover.ts").then(({ discover }) => alone(discover)),
  rules: () => import("./rules.ts").then(({ rules }) => alone(rules)),
  explain: () => import("./rules.ts").then(({ explain }) => alone(explain))
}

/** The part of the command line that these arguments need. */
export const commandLineFor = ([word = ""]: ReadonlyArray<string>): Promise<CommandLine> =>
  Object.hasOwn(quick, word) ? quick[word]!() : import("./allCommands.ts").then(({ commandLine }) => commandLine)
