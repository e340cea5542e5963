import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { ConfigError, Context, Duration, Effect, Layer, Redacted } from "effect"
import { Advisories } from "../engine/index.ts"
import { EdgeSettings, hostsOf } from "../services/access/incomingCall.ts"
import { CredentialLifetime, serviceCredentialLifetime } from "../services/access/KeyCredentials.ts"
import { PasswordPolicy } from "../services/access/PasswordPolicy.ts"
import { RateLimiter } from "../services/access/RateLimiter.ts"
import { Sessions } from "../services/access/Sessions.ts"
import { SignInSettings } from "../services/access/SignInSettings.ts"
import { Site } from "../services/access/Site.ts"
import { CredentialsRepo } from "../services/credentials/CredentialsRepo.ts"
import { StoredCredentials } from "../services/credentials/StoredCredentials.ts"
import { CpuRate } from "../services/forecasts/Forecasts.ts"
import { GitHubEvents } from "../services/github/GitHubEvents.ts"
import { IssueLeases } from "../services/issues/IssueLeases.ts"
import { IdempotencyWindow } from "../services/jobs/IdempotencyWindow.ts"
import { defaultJobLimits, JobLimits } from "../services/jobs/JobLimits.ts"
import { LocalGitFolders } from "../services/ports/LocalGitFolders.ts"
import { DiskBound, DiskRetention } from "../services/retention/DiskRetention.ts"
import { RetentionRepo } from "../services/retention/RetentionRepo.ts"
import { RetentionSettings } from "../services/retention/RetentionSettings.ts"
import { ServerSecrets } from "../services/support/ServerSecrets.ts"
import { AuditSettings } from "../services/workflows/AuditSettings.ts"
import { AgentCommand } from "./AgentCommand.ts"
import * as AdvisoryTimer from "./advisories/AdvisoryTimer.ts"
import { codeHosts } from "./CodeHosts.ts"
import type { AppConfig } from "./Config.ts"
import { installationChecks } from "./checks/installationChecks.ts"
import { Database, SqlLive, started } from "./Database.ts"
import { FileAuditCache } from "./FileAuditCache.ts"
import { GitWorkTrees } from "./git/GitWorkTrees.ts"
import { localGitFolders } from "./git/localGitFolders.ts"
import { addressOf, adminServer, apiServer, docsServer, newServer } from "./Http.ts"
import * as JobEngine from "./JobEngine.ts"
import * as LocalRepositoryFiles from "./LocalRepositoryFiles.ts"
import * as Mail from "./Mail.ts"
import { pendingMigrations } from "./Migrations.ts"
import { metrics } from "./metrics.ts"
import { NamespaceSandbox } from "./NamespaceSandbox.ts"
import * as Notifications from "./Notifications.ts"
import * as OpenIdProvider from "./OpenIdProvider.ts"
import * as OutboundHttp from "./OutboundHttp.ts"
import type { OpenTelemetry } from "./otlp/openTelemetry.ts"
import { hasCollector } from "./otlp/telemetrySettings.ts"
import { outboundSettings } from "./outbound.ts"
import { behindOf, scanConfinement } from "./process/scanConfinement.ts"
import * as SecretKeyFile from "./SecretKeyFile.ts"
import { ServicesLive } from "./Services.ts"
import { requestLog } from "./Telemetry.ts"
import * as Trackers from "./Trackers.ts"
import * as Webhooks from "./Webhooks.ts"
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

const daysOf = (days: number | null) => (days === null ? null : Duration.days(days))

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
    Webhooks.transport,
    identityProvider(config),
    Layer.succeed(SignInSettings, {
      passwords: config.passwords,
      allowedDomains: config.oidcAllowedDomains,
      newcomerRole: config.oidcRole
    }),
    Layer.succeed(LocalGitFolders, localGitFolders(config.localRepoRoots)),
    installationChecks(config),
    // Exact in memory while this is the only process that serves the API.
    role === "api" ? RateLimiter.shared : RateLimiter.inProcess,
    // Other processes, such as the operator's commands, are heard of within half a second.
    Layer.succeed(CredentialLifetime, serviceCredentialLifetime),
    Layer.succeed(JobLimits, {
      ...defaultJobLimits,
      slots: config.jobSlots,
      running: config.jobsRunning,
      runningPerWorkspace: config.jobsPerWorkspace,
      runningPerRepository: config.jobsPerRepository
    }),
    Layer.succeed(CpuRate, config.cpuSecondUsd),
    Layer.succeed(IdempotencyWindow, Duration.hours(config.idempotencyHours)),
    Layer.succeed(RetentionSettings, {
      events: daysOf(config.retentionEventsDays),
      artifacts: daysOf(config.retentionArtifactsDays),
      outbox: daysOf(config.retentionOutboxDays),
      auditLog: daysOf(config.retentionAuditLogDays)
    }),
    Layer.effect(
      AuditSettings,
      Effect.map(
        Effect.all([Effect.flatMap(ServerSecrets, (secrets) => secrets.get("scan")), scanConfinement]),
        ([salt, confinement]) => ({
          limits: {
            wallTime: `${config.scanTimeoutSeconds} seconds`,
            maxRssBytes: config.scanMemoryMb * 1024 * 1024,
            behind: behindOf(confinement, { wallSeconds: config.scanTimeoutSeconds, memoryMb: config.scanMemoryMb })
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

/** Where jobs run: that is where mirrors and caches are. */
const diskRetention = (config: AppConfig, role: Role) =>
  role === "api"
    ? Layer.empty
    : Layer.scopedDiscard(Effect.flatMap(DiskRetention, ({ loop }) => Effect.forkScoped(loop))).pipe(
        Layer.provide(DiskRetention.Default),
        Layer.provide(RetentionRepo.Default),
        Layer.provide(LocalRepositoryFiles.layer(config.dataDir)),
        Layer.provide(Layer.succeed(DiskBound, config.repositoriesGb * 1024 ** 3))
      )

const ticketComments = (role: Role) => (role === "api" ? Layer.empty : Trackers.comments)

const issueLeases = (role: Role) =>
  role === "api" ? Layer.empty : Layer.scopedDiscard(Effect.flatMap(IssueLeases, ({ loop }) => Effect.forkScoped(loop)))

const webhooks = (role: Role) => (role === "api" ? Layer.empty : Webhooks.sender)

const bootstrapOf = (config: AppConfig) =>
  config.bootstrapEmail !== null && config.bootstrapPassword !== null
    ? { email: config.bootstrapEmail, password: Redacted.value(config.bootstrapPassword) }
    : null

const noTelemetry: OpenTelemetry = { traces: null, sendMetrics: () => Effect.void }

/** Loaded only where there is a collector: otherwise no span is made at all. */
const telemetry = (config: AppConfig, role: Role) =>
  hasCollector(config)
    ? Effect.flatMap(
        Effect.promise(() => import("./otlp/openTelemetry.ts")),
        ({ openTelemetry }) => openTelemetry(config, role)
      )
    : Effect.succeed(noTelemetry)

/** Everything of one process; built once, answers where it listens. */
export const installation = (config: AppConfig, role: Role) =>
  Effect.flatMap(telemetry(config, role), (open) => {
    const installed = installationWith(config, role, open)
    return open.traces === null
      ? Effect.withTracerEnabled(installed, false)
      : Effect.withTracer(installed, open.traces.tracer)
  })

const installationWith = (config: AppConfig, role: Role, open: OpenTelemetry) =>
  Effect.gen(function* () {
    const database = started({ dataDir: config.dataDir, databaseUrl: config.databaseUrl })
    const core = ServicesLive.pipe(
      Layer.provideMerge(outsideWorld(config, role)),
      Layer.provideMerge(SqlLive),
      Layer.provideMerge(database)
    )
    const context = yield* Layer.build(core)
    const sql = Context.get(context, SqlClient.SqlClient)
    const { observer, registry, counted, text } = yield* Effect.provideService(
      metrics(config.dataDir),
      SqlClient.SqlClient,
      sql
    )
    yield* open.sendMetrics(registry, counted)
    const log = yield* requestLog
    const api = newServer({
      underWay: observer.underWay,
      ended: (request) => {
        observer.ended(request)
        log(request)
        open.traces?.ended(request)
      }
    })
    const [docs, admin] = [newServer(), newServer()]
    const servers =
      role === "worker"
        ? Layer.empty
        : Layer.merge(
            apiServer(api, { host: config.host, port: config.port }, open.traces?.requests),
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
    // Links in what a worker sends begin with it, too.
    if (config.publicUrl !== null) yield* Context.get(context, Site).announce(config.publicUrl)
    const link = role === "worker" ? null : yield* Context.get(context, Sessions).firstStart(bootstrapOf(config))
    yield* Layer.build(
      Layer.mergeAll(
        engine(config, role),
        mail(config, role),
        advisoryTimer(config, role),
        diskRetention(config, role),
        ticketComments(role),
        issueLeases(role),
        webhooks(role),
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
