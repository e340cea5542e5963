import { Command } from "@effect/cli"
import type { NodeContext } from "@effect/platform-node/NodeContext"
import type { Effect } from "effect"
import { version } from "../layers/version.ts"
import type { HelpNode } from "./help.ts"

/** Commands with what `--help` knows of them. */
export interface CommandLine {
  readonly help: HelpNode
  readonly run: (args: ReadonlyArray<string>) => Effect.Effect<void, unknown, NodeContext>
}

export const root = Command.make("assay").pipe(Command.withDescription(`Assay ${version} audits git repositories.`))

export const runnerOf = <Name extends string, E, A>(command: Command.Command<Name, NodeContext, E, A>) =>
  Command.run(command, { name: "Assay", version })
