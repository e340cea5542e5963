import { Effect } from "effect"
import { commandNames } from "../../schema/RepositoryCommands.ts"
import { commandGate } from "../fixes/commandGates.ts"
import { type Gate, isFailed, skipped } from "../fixes/gates.ts"
import { type CommandOutcome, CommandSandbox, commandLimits } from "../ports/CommandSandbox.ts"
import type { StageContext } from "../ports/Workflow.ts"
import type { WorkTree } from "../ports/WorkTrees.ts"
import { RepositoryCommands } from "../repositories/RepositoryCommands.ts"
import { hostFailed } from "./Scanning.ts"

export interface CommandsRequest {
  readonly context: StageContext
  readonly tree: WorkTree
  readonly base: string
  /** The commit with the edit. */
  readonly head: string
}

/** The repository's own commands, before an edit and after it. They end with the first that fails because of the edit. */
export class FixCommands extends Effect.Service<FixCommands>()("FixCommands", {
  effect: Effect.gen(function* () {
    const commands = yield* RepositoryCommands
    const sandbox = yield* CommandSandbox

    const evaluate = Effect.fn("FixCommands.evaluate")(function* ({ context, tree, base, head }: CommandsRequest) {
      const lines = yield* commands.of(context.job)
      const configured = commandNames.flatMap((name) => {
        const command = lines[name]
        return command === null ? [] : [{ name, command }]
      })
      const without = commandNames
        .filter((name) => lines[name] === null)
        .map((name) => skipped(name, `The repository has no command for ${name}.`))
      if (configured.length === 0) return without
      const state = yield* sandbox.available
      if (!state.ok) return [...without, ...configured.map(({ name }) => skipped(name, state.reason))]
      const before = yield* Effect.mapError(tree.checkout(base), hostFailed)
      const after = yield* Effect.mapError(tree.checkout(head), hostFailed)
      const gates: Array<Gate> = []
      for (const { name, command } of configured) {
        const run = (folder: string) => sandbox.run({ folder, command, limits: commandLimits })
        const gate = yield* Effect.all([run(before), run(after)]).pipe(
          Effect.tap(([first, second]) =>
            context.artifact.publish(
              `command_${name}`,
              `${name}.txt`,
              "text/plain; charset=utf-8",
              outputs(first, second)
            )
          ),
          Effect.map(([first, second]) => commandGate(name, first, second)),
          Effect.catchTag("SandboxUnavailable", ({ reason }) => Effect.succeed(skipped(name, reason)))
        )
        gates.push(gate)
        if (isFailed(gate)) break
      }
      return inOrder([...without, ...gates])
    })

    return { evaluate }
  })
}) {}

const inOrder = (gates: ReadonlyArray<Gate>) =>
  commandNames.flatMap((name) => gates.filter((gate) => gate.name === name))

const outputs = (before: CommandOutcome, after: CommandOutcome) =>
  `Before the edit (exit code ${before.exit_code}):\n${before.output}\n\nAfter the edit (exit code ${after.exit_code}):\n${after.output}\n`
