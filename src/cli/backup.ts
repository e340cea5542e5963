import { existsSync } from "node:fs"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Layer } from "effect"
import { backup, restore } from "../layers/backup/Backup.ts"
import { AppConfig } from "../layers/Config.ts"
import { Database, joined, started } from "../layers/Database.ts"
import { holdsDatabase } from "../layers/EmbeddedPostgres.ts"
import { secretKeyFile } from "../layers/SecretKeyFile.ts"
import { version } from "../layers/version.ts"
import { failed } from "./failures.ts"
import { print, withLogs } from "./operator.ts"
import { busy } from "./progress.ts"

const file = Args.text({ name: "file" })

const only = Layer.unwrapEffect(Effect.map(Database, (database) => database.only({ applicationName: "assay backup" })))

const size = (bytes: number) =>
  bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`

export const backupCommand = Command.make(
  "backup",
  { file: file.pipe(Args.withDescription("A new file; it holds secrets, and only its owner may read it.")) },
  ({ file }) =>
    Effect.gen(function* () {
      const config = yield* AppConfig
      if (config.databaseUrl === null && !(yield* holdsDatabase(config.dataDir)))
        return yield* failed(`There is no database in ${config.dataDir}; set ASSAY_DATA_DIR or DATABASE_URL.`)
      const { tables, rows, bytes } = yield* busy("Backing up", backup({ file, version })).pipe(
        Effect.provide(Layer.provide(only, joined(config))),
        withLogs(config)
      )
      yield* print(`Backed up ${rows} rows of ${tables} tables to ${file} (${size(bytes)}).`)
      if (config.secretKey === null && existsSync(secretKeyFile(config.dataDir)))
        yield* print(
          `Keep ${secretKeyFile(config.dataDir)} as well, apart from it: without this key no stored credential opens.`
        )
    }).pipe(Effect.catchTag("BackupError", ({ message }) => failed(message)))
).pipe(
  Command.withDescription(
    "Write the whole database to a file, while the service runs or not. The key of stored credentials is not in it."
  )
)

const replace = Options.boolean("replace").pipe(
  Options.withDescription("Delete what is in the database, if it is not empty.")
)

export const restoreCommand = Command.make(
  "restore",
  { file: file.pipe(Args.withDescription("A file that assay backup wrote.")), replace },
  ({ file, replace }) =>
    Effect.gen(function* () {
      const config = yield* AppConfig
      const { rows, created_at } = yield* busy("Restoring", restore({ file, replace })).pipe(
        Effect.provide(Layer.provide(only, started(config))),
        withLogs(config)
      )
      yield* print(`Restored ${rows} rows as of ${created_at}. Keys, sessions and passwords of that time work again.`)
    }).pipe(Effect.catchTag("BackupError", ({ message }) => failed(message)))
).pipe(Command.withDescription("Fill an empty database from a backup; the service must be stopped."))
