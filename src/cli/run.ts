import { ValidationError } from "@effect/cli"
// Not from the package itself: its server and cluster halves would triple the time to the first line.
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect } from "effect"
import type { CommandLine } from "./commandLine.ts"
import { commandLineFor } from "./commandLineFor.ts"
import { CommandFailed, explain as explained } from "./failures.ts"
import { helpFor, plainText } from "./help.ts"
import { paintFor, writeOut } from "./terminal.ts"
import { usageError } from "./usage.ts"

/** Exit status 2: the command could not do its work; 1 is kept for `audit --fail-on` and `review`. */
const unusable = 2

const report = (cause: Cause.Cause<unknown>) =>
  Effect.sync(() => {
    if (Cause.isInterruptedOnly(cause)) return
    const error = Cause.squash(cause)
    if (error instanceof CommandFailed) {
      if (error.message !== "") process.stderr.write(`${error.message}\n`)
      process.exitCode = error.status
      return
    }
    const isUsage = ValidationError.isValidationError(error)
    process.stderr.write(`assay: ${isUsage ? plainText(error.error) : explained(error)}\n`)
    if (isUsage) process.stderr.write("See assay --help and assay <command> --help for usage.\n")
    process.exitCode = unusable
  })

/** The parser prints its complaints in colours to whatever there is; `report` says them once, plainly. */
const withoutParserOutput = Effect.flatMap(Effect.console, (console) =>
  Effect.succeed({ ...console, error: () => Effect.void })
)

/** What the parser rejects gets the words of `usageError`, where that knows what is wrong. */
const parsed = ({ help, run }: CommandLine, args: ReadonlyArray<string>) =>
  Effect.flatMap(withoutParserOutput, (console) => Effect.withConsole(run(process.argv), console)).pipe(
    Effect.catchIf(ValidationError.isValidationError, (rejected) => {
      const mistake = usageError(help, args)
      return Effect.fail(
        mistake === null
          ? rejected
          : new CommandFailed({
              status: unusable,
              message: `assay: ${mistake}\nSee assay --help and assay <command> --help for usage.`
            })
      )
    })
  )

const command = Effect.suspend(() => {
  const args = process.argv.slice(2)
  return Effect.flatMap(
    Effect.promise(() => commandLineFor(args)),
    (commandLine) => {
      const page = helpFor(commandLine.help, args, paintFor(process.stdout))
      return page === null ? parsed(commandLine, args) : writeOut(`${page}\n`)
    }
  )
})

export const run = () => {
  // `assay audit . | head`: who has read enough ends us.
  process.stdout.on("error", () => process.exit(process.exitCode ?? 0))
  NodeRuntime.runMain(Effect.catchAllCause(command, report).pipe(Effect.provide(NodeContext.layer)), {
    disableErrorReporting: true,
    disablePrettyLogger: true,
    teardown: (_, end) => end(Number(process.exitCode ?? 0))
  })
}
