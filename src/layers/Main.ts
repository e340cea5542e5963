import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { ConfigError, Context, Duration, Effect, Layer, Redacted } from "effect"
import { Advisories } from "../engine/index.ts"
import { EdgeSettings, hostsOf } from "../services/access/incomingCall.ts"
import { CredentialLifetime } from "../services/access/KeyCredentials.ts"
import { PasswordPolicy } from "../services/access/PasswordPolicy.ts"
import { RateLimiter } from "../services/access/RateLimiter.ts"
import { Sessions } from "../services/access/Sessions.ts"
import { SignInSettings } from "../services/access/SignInSettings.ts"
import { Site } from "../services/access/Site.ts"
import { CredentialsRepo } from "../services/credentials/CredentialsRepo.ts"
import { StoredCredentials } from "../services/credentials/StoredCredentials.ts"
import { CpuRate } from "../services/forecasts/Forecasts.ts"
import { GitHubEvents } from "../services/github/GitHubEvents.ts"
import { defaultJobLimits, JobLimits } from "../services/jobs/JobLimits.ts"
import { ServerSecrets } from "../services/support/ServerSecrets.ts"
import { AuditSettings } from "../services/workflows/AuditSettings.ts"
import { AgentCommand } from "./AgentCommand.ts"
import * as AdvisoryTimer from "./advisories/AdvisoryTimer.ts"
import { codeHosts } from "./CodeHosts.ts"
import type { AppConfig } from "./Config.ts"
import { Database, SqlLive, started } from "./Database.ts"
import { FileAuditCache } from "./FileAuditCache.ts"
import { GitWorkTrees } from "./git/GitWorkTrees.ts"
import { addressOf, adminServer, apiServer, docsServer, newServer } from "./Http.ts"
import * as JobEngine from "./JobEngine.ts"
import * as Mail from "./Mail.ts"
import { pendingMigrations } from "./Migrations.ts"
import { metrics } from "./metrics.ts"
import { NamespaceSandbox } from "./NamespaceSandbox.ts"
import * as Notifications from "./Notifications.ts"
import * as OpenIdProvider from "./OpenIdProvider.ts"
import * as OutboundHttp from "./OutboundHttp.ts"
import { outboundSettings } from "./outbound.ts"
import * as SecretKeyFile from "./SecretKeyFile.ts"
import { ServicesLive } from "./Services.ts"
import { requestLog } from "./Telemetry.ts"
import * as Trackers from "./Trackers.ts"
import { writeProbe } from "./WriteProbe.ts"

export type Role = "all" | "api" | "worker"

/** Where a started installation is reached, and how its first owner signs in. */
export interface Ready {
  readonly api: string | null
  readonly docs: string | null
  readonly admin: string
  readonly signIn: { readonly email: string; readonly url: string } | null
}

/** Nothing where the operator configured no provider. */
const identityProvider = ({ oidcIssuer, oidcClientId, oidcClientSecret, oidcName }: AppConfig) =>
  oidcIssuer === null || oidcClientId === null || oidcClientSecret === null
    ? Layer.empty
    : OpenIdProvider.layer({
        issuer: oidcIssuer,
        clientId: oidcClientId,
        clientSecret: oidcClientSecret,
        name: oidcName
      })

const outbound = (config: AppConfig) => Layer.unwrapEffect(Effect.map(outboundSettings(config), OutboundHttp.layer))

/** Code hosts, and the trackers that the app of one serves without a token. */
const hostsAndTrackers = (config: AppConfig) =>
  Trackers.layer.pipe(
    Layer.provideMerge(codeHosts(config).pipe(Layer.provide(Layer.provide(StoredCredentials, CredentialsRepo.Default))))
  )

const outsideWorld = (config: AppConfig, role: Role) =>
  Layer.mergeAll(
    hostsAndTrackers(config),
    GitWorkTrees.layer(config.dataDir),
    FileAuditCache.layer(join(config.dataDir, "cache")),
    AgentCommand.layer({
      command: config.agentCommand,
      environment: config.agentEnvironment,
      timeoutSeconds: config.agentTimeoutSeconds,
      memoryMb: config.agentMemoryMb,
      maxUsd: config.agentMaxUsd,
      maxProcesses: config.agentMaxProcesses,
      dataDir: config.dataDir
    }),
    NamespaceSandbox.layer({
      allowCommands: config.allowCommands,
      dataDir: config.dataDir,
      localRoots: config.localRepoRoots
    }),
    Notifications.layer,
    identityProvider(config),
    Layer.succeed(SignInSettings, {
      passwords: config.passwords,
      allowedDomains: config.oidcAllowedDomains,
      newcomerRole: config.oidcRole
    }),
    // Exact in memory while this is the only process that serves the API.
    role === "api" ? RateLimiter.shared : RateLimiter.inProcess,
    // Other processes, such as the operator's commands, are heard of within half a second.
    Layer.succeed(CredentialLifetime, Duration.millis(500)),
    Layer.succeed(JobLimits, { ...defaultJobLimits, slots: config.jobSlots }),
    Layer.succeed(CpuRate, config.cpuSecondUsd),
    Layer.effect(
      AuditSettings,
      Effect.map(
        Effect.flatMap(ServerSecrets, (secrets) => secrets.get("scan")),
        (salt) => ({
          limits: {
            wallTime: `${config.scanTimeoutSeconds} seconds`,
            maxRssBytes: config.scanMemoryMb * 1024 * 1024
          },
          workers: undefined,
          cpuSecondUsd: config.cpuSecondUsd,
          salt: salt.toString("hex"),
          advisories: Advisories.advisoriesFolder(config.dataDir)
        })
      )
    ).pipe(Layer.provide(ServerSecrets.Default)),
    Layer.succeed(EdgeSettings, {
      trustedProxies: config.trustedProxies,
      secureCookies: config.publicUrl?.startsWith("https://") ?? false,
      hosts: hostsOf(config.host, config)
    })
  ).pipe(
    Layer.provideMerge(
      Layer.merge(outbound(config), SecretKeyFile.layer({ dataDir: config.dataDir, key: config.secretKey }))
    )
  )

const engine = (config: AppConfig, role: Role) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      if (role === "api") return Layer.empty
      const pool = (yield* Database).pool(JobEngine.poolOptions)
      if (role === "all") return JobEngine.layerSingle(pool)
      if (config.workerAddress === null) {
        return yield* Effect.fail(ConfigError.MissingData(["ASSAY_WORKER_ADDRESS"], "is needed by --role worker"))
      }
      return JobEngine.layerWorker(pool, config.workerAddress)
    })
  )

/** Every process may work on deliveries. */
const gitHubEvents = Layer.scopedDiscard(Effect.flatMap(GitHubEvents, ({ loop }) => Effect.forkScoped(loop)))

const mail = (config: AppConfig, role: Role) => (role === "api" ? Layer.empty : Mail.layer(config))

/** Where jobs run: that is where advisories are read. */
const advisoryTimer = (config: AppConfig, role: Role) => (role === "api" ? Layer.empty : AdvisoryTimer.layer(config))

const ticketComments = (role: Role) => (role === "api" ? Layer.empty : Trackers.comments)

const bootstrapOf = (config: AppConfig) =>
  config.bootstrapEmail !== null && config.bootstrapPassword !== null
    ? { email: config.bootstrapEmail, password: Redacted.value(config.bootstrapPassword) }
    : null

/** Everything of one process; built once, answers where it listens. */
export const installation = (config: AppConfig, role: Role) =>
  Effect.gen(function* () {
    const database = started({ dataDir: config.dataDir, databaseUrl: config.databaseUrl })
    const core = ServicesLive.pipe(
      Layer.provideMerge(outsideWorld(config, role)),
      Layer.provideMerge(SqlLive),
      Layer.provideMerge(database)
    )
    const context = yield* Layer.build(core)
    const sql = Context.get(context, SqlClient.SqlClient)
    const { observer, text } = yield* Effect.provideService(metrics(config.dataDir), SqlClient.SqlClient, sql)
    const log = yield* requestLog
    const api = newServer({
      underWay: observer.underWay,
      ended: (request) => {
        observer.ended(request)
        log(request)
      }
    })
    const [docs, admin] = [newServer(), newServer()]
    const servers =
      role === "worker"
        ? Layer.empty
        : Layer.merge(
            apiServer(api, { host: config.host, port: config.port }),
            docsServer(docs, { host: config.host, port: config.docsPort }, () => config.publicUrl ?? addressOf(api))
          )
    const operators = adminServer(
      admin,
      { host: config.adminHost, port: config.adminPort },
      {
        pendingMigrations: Effect.provideService(pendingMigrations(), SqlClient.SqlClient, sql),
        notWritable: yield* Effect.provideService(
          writeProbe(role === "api" ? null : config.dataDir),
          SqlClient.SqlClient,
          sql
        ),
        metrics: text
      }
    )
    const link = role === "worker" ? null : yield* Context.get(context, Sessions).firstStart(bootstrapOf(config))
    yield* Layer.build(
      Layer.mergeAll(
        engine(config, role),
        mail(config, role),
        advisoryTimer(config, role),
        ticketComments(role),
        gitHubEvents,
        servers,
        operators
      )
    ).pipe(Effect.provide(context))
    if (role !== "worker") yield* Context.get(context, PasswordPolicy).warnWhenPending
    if (role === "worker") return { api: null, docs: null, admin: addressOf(admin), signIn: null } satisfies Ready
    const site = config.publicUrl ?? addressOf(api)
    yield* Context.get(context, Site).announce(site)
    yield* Context.get(context, Database).announceSite(site)
    return {
      api: addressOf(api),
      docs: addressOf(docs),
      admin: addressOf(admin),
      signIn: link === null ? null : { email: link.email, url: `${site}/sign-in#token=${link.token}` }
    } satisfies Ready
  })
