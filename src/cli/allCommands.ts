import { Command } from "@effect/cli"
import { advisories, advisoriesCommands } from "./advisories.ts"
import { api } from "./api.ts"
import { audit } from "./audit.ts"
import { backupCommand, restoreCommand } from "./backup.ts"
import { type CommandLine, root, runnerOf } from "./commandLine.ts"
import { discover } from "./discover.ts"
import type { HelpNode } from "./help.ts"
import { doctor, migrateCommand, signInLink } from "./operator.ts"
import { review } from "./review.ts"
import { explain, rules } from "./rules.ts"
import { serve } from "./serve.ts"
import { upgradeDatabase } from "./upgradeDatabase.ts"
import { user, userCommands } from "./user.ts"
import { workspace, workspaceCommands } from "./workspace.ts"

const assay = root.pipe(
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
    upgradeDatabase,
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
    { command: upgradeDatabase },
    { command: doctor }
  ]
}

/** The whole command line, for help, for completions and for all commands that need more than the engine. */
export const commandLine: CommandLine = { help, run: runnerOf(assay) }
