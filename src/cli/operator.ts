import { Args, Command, Options } from "@effect/cli"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, LogLevel, Option } from "effect"
import { AppConfig } from "../layers/Config.ts"
import { Database, joined, OwnerSql } from "../layers/Database.ts"
import { migrate, pendingMigrations } from "../layers/Migrations.ts"
import { upToDate } from "../layers/OnlineIndexes.ts"
import { loggingLayer } from "../layers/Telemetry.ts"
import { IdentitiesRepo } from "../services/access/IdentitiesRepo.ts"
import { serviceCredentialLifetime } from "../services/access/KeyCredentials.ts"
import { PasswordPolicy } from "../services/access/PasswordPolicy.ts"
import { RateLimiter } from "../services/access/RateLimiter.ts"
import { Sessions } from "../services/access/Sessions.ts"
import { SessionsRepo } from "../services/access/SessionsRepo.ts"
import { SignInLimits } from "../services/access/SignInLimits.ts"
import { AuditLog } from "../services/audit_log/AuditLog.ts"
import { AuditLogRepo } from "../services/audit_log/AuditLogRepo.ts"
import { ServerSecrets } from "../services/support/ServerSecrets.ts"
import { runChecks } from "./checks.ts"
import { CommandFailed } from "./failures.ts"

/** A command's answer is its output: what a server logs as news is none here. */
const quieter = (level: LogLevel.LogLevel) => (level._tag === "Info" ? LogLevel.Warning : level)

/** Logs as the configuration says, but quieter. */
export const withLogs = (config: AppConfig) => Effect.provide(loggingLayer(quieter(config.logLevel)))

export const print = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

/** Runs against the database of a running `assay serve`, or starts the embedded one for as long as it takes. */
export const withDatabase = <A, E>(
  effect: (config: AppConfig) => Effect.Effect<A, E, SqlClient.SqlClient | Database>
) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    const database = OwnerSql.pipe(
      Layer.provideMerge(joined({ dataDir: config.dataDir, databaseUrl: config.databaseUrl })),
      Layer.provideMerge(loggingLayer(quieter(config.logLevel)))
    )
    return yield* Effect.provide(effect(config), database)
  })

/** Where the running server is reached, or will be. */
export const siteOf = (config: AppConfig) =>
  Effect.map(Database, ({ site }) => site ?? config.publicUrl ?? `http://${config.host}:${config.port}`)

/** Until every process of the service has read the changed workspace or account again: what is printed then holds. */
export const untilInForce = Effect.sleep(serviceCredentialLifetime)

export const migrateCommand = Command.make("migrate", {}, () =>
  withDatabase(() =>
    Effect.gen(function* () {
      const before = yield* pendingMigrations()
      yield* upToDate
      yield* print(before.length === 0 ? "The database is up to date." : `Applied ${before.join(", ")}.`)
    })
  )
).pipe(Command.withDescription("Bring the database up to date."))

const limits = SignInLimits.Default.pipe(Layer.provide(RateLimiter.inProcess))

/** Sessions and what they need, without a server. */
export const sessionServices = Sessions.Default.pipe(
  Layer.provideMerge(Layer.mergeAll(SessionsRepo.Default, limits, PasswordPolicy.Default, AuditLog.Default)),
  Layer.provideMerge(Layer.mergeAll(ServerSecrets.Default, AuditLogRepo.Default, IdentitiesRepo.Default))
)

export const printSignInLink = (config: AppConfig, link: { readonly email: string; readonly token: string }) =>
  Effect.flatMap(siteOf(config), (site) =>
    print(`${link.email} signs in once, within 24 hours, at\n${site}/sign-in#token=${link.token}`)
  )

export const signInLink = Command.make(
  "sign-in-link",
  {
    email: Args.text({ name: "email" }).pipe(Args.withDescription("Whom to sign in."), Args.optional)
  },
  ({ email }) =>
    withDatabase((config) =>
      Effect.gen(function* () {
        yield* migrate()
        const link = yield* Effect.flatMap(Sessions, (sessions) => sessions.linkFor(Option.getOrNull(email))).pipe(
          Effect.provide(sessionServices)
        )
        if (link === null)
          return yield* new CommandFailed({
            status: 2,
            message: "There is no such member, or the account is disabled."
          })
        yield* printSignInLink(config, link)
      })
    )
).pipe(Command.withDescription("Print a new one-time sign-in link, of the first owner if no other is named."))

const asJson = Options.boolean("json").pipe(Options.withDescription("Print the checks as JSON."))

export const doctor = Command.make("doctor", { json: asJson }, ({ json }) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    const results = yield* withLogs(config)(runChecks(config))
    if (json) yield* print(JSON.stringify(results, null, 2))
    else for (const { name, status, detail } of results) yield* print(`${status.padEnd(4)}  ${name}: ${detail}`)
    if (results.some(({ status }) => status === "fail")) return yield* new CommandFailed({ status: 1, message: "" })
  })
).pipe(Command.withDescription("Check what the service needs; nothing is changed. Exit status 1 when something fails."))
