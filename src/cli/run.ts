import { Command, ValidationError } from "@effect/cli"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Cause, Effect } from "effect"
import { audit } from "./audit.ts"
import { CommandFailed, explain } from "./failures.ts"
import { doctor, migrateCommand, signInLink, workspace } from "./operator.ts"
import { serve } from "./serve.ts"
import { version } from "./version.ts"

const assay = Command.make("assay").pipe(
  Command.withDescription("Audits git repositories."),
  Command.withSubcommands([serve, audit, signInLink, workspace, migrateCommand, doctor])
)

const cli = Command.run(assay, { name: "Assay", version })

/** Exit status 2: the command could not do its work; 1 is kept for `audit --fail-on`. */
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
    // The command line's own parser has printed what is wrong already.
    if (!ValidationError.isValidationError(error)) process.stderr.write(`assay: ${explain(error)}\n`)
    process.exitCode = unusable
  })

export const run = () =>
  cli(process.argv).pipe(
    Effect.catchAllCause(report),
    Effect.provide(NodeContext.layer),
    NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
  )
