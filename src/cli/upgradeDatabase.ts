import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { AppConfig } from "../layers/Config.ts"
import { upgradeEmbeddedPostgres } from "../layers/PostgresUpgrade.ts"
import { version } from "../layers/version.ts"
import { failed } from "./failures.ts"
import { print, withLogs } from "./operator.ts"
import { busy } from "./progress.ts"

const programs = Options.text("programs").pipe(
  Options.withDescription("Folder with the programs of the PostgreSQL that made the data, as npm installs them."),
  Options.optional
)

export const upgradeDatabase = Command.make("upgrade-database", { programs }, ({ programs }) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    if (config.databaseUrl !== null) {
      return yield* failed("DATABASE_URL names a server of its own; this command is for the embedded PostgreSQL.")
    }
    const upgrade = upgradeEmbeddedPostgres({
      dataDir: config.dataDir,
      programs: Option.getOrNull(programs),
      version
    })
    const done = yield* busy("Carrying the database over", upgrade).pipe(withLogs(config))
    yield* print(
      done.status === "same"
        ? `The database is of PostgreSQL ${done.major}, as this version of Assay needs it.`
        : `Carried ${done.rows} rows over from PostgreSQL ${done.from} to ${done.to}. The database is in ${done.data} now.\n` +
            `Settings changed by hand in postgresql.conf are to be made there again. Once all is well, delete ${done.former}.`
    )
  }).pipe(
    Effect.catchTags({
      BackupError: ({ message }) => failed(message),
      EmbeddedPostgresError: ({ message }) => failed(message)
    })
  )
).pipe(
  Command.withDescription("Carry the embedded PostgreSQL's data over to the major version that this Assay brings.")
)
