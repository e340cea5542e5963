import { Command, ValidationError } from "@effect/cli"
// Not from the package itself: its server and cluster halves would triple the time to the first line.
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect } from "effect"
import { advisories, advisoriesCommands } from "./advisories.ts"
import { api } from "./api.ts"
import { audit } from "./audit.ts"
import { backupCommand, restoreCommand } from "./backup.ts"
import { discover } from "./discover.ts"
import { CommandFailed, explain as explained } from "./failures.ts"
import { type HelpNode, helpFor, plainText } from "./help.ts"
import { doctor, migrateCommand, signInLink } from "./operator.ts"
import { review } from "./review.ts"
import { explain, rules } from "./rules.ts"
import { serve } from "./serve.ts"
import { paintFor, writeOut } from "./terminal.ts"
import { usageError } from "./usage.ts"
import { user, userCommands } from "./user.ts"
import { version } from "./version.ts"
import { workspace, workspaceCommands } from "./workspace.ts"

const assay = Command.make("assay").pipe(
  Command.withDescription(`Assay ${version} audits git repositories.`),
  Command.withSubcommands([
    serve,
    audit,
    review,
    discover,
    rules,
    explain,
    api,
    advisories,
    signInLink,
    workspace,
    user,
    migrateCommand,
    backupCommand,
    restoreCommand,
    doctor
  ])
)

/** What `--help` knows. */
export const help: HelpNode = {
  command: assay,
  children: [
    { command: serve },
    { command: audit },
    { command: review },
    { command: discover },
    { command: rules },
    { command: explain },
    { command: api },
    { command: advisories, children: advisoriesCommands.map((command) => ({ command })) },
    { command: signInLink },
    { command: workspace, children: workspaceCommands.map((command) => ({ command })) },
    { command: user, children: userCommands.map((command) => ({ command })) },
    { command: migrateCommand },
    { command: backupCommand },
    { command: restoreCommand },
    { command: doctor }
  ]
}

const cli = Command.run(assay, { name: "Assay", version })

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

const command = Effect.suspend(() => {
  const args = process.argv.slice(2)
  const page = helpFor(help, args, paintFor(process.stdout))
  if (page !== null) return writeOut(`${page}\n`)
  const mistake = usageError(help, args)
  if (mistake !== null)
    return Effect.fail(
      new CommandFailed({
        status: unusable,
        message: `assay: ${mistake}\nSee assay --help and assay <command> --help for usage.`
      })
    )
  return Effect.flatMap(withoutParserOutput, (console) => Effect.withConsole(cli(process.argv), console))
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
