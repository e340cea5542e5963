import { SqlClient } from "@effect/sql"
import { Effect, Layer, Logger, LogLevel } from "effect"
import { FileAuditCache } from "../../src/layers/FileAuditCache.ts"
import { GitWorkTrees } from "../../src/layers/git/GitWorkTrees.ts"
import type { GitUnusable } from "../../src/layers/git/program.ts"
import * as JobEngine from "../../src/layers/JobEngine.ts"
import { PlainGitCodeHost } from "../../src/layers/PlainGitCodeHost.ts"
import * as SecretKeyFile from "../../src/layers/SecretKeyFile.ts"
import { ServicesLive } from "../../src/layers/Services.ts"
import { layerFromUrl } from "../../src/layers/Sql.ts"
import type { Workflow } from "../../src/schema/Job.ts"
import type { JsonObject } from "../../src/schema/Text.ts"
import { RateLimiter } from "../../src/services/access/RateLimiter.ts"
import { Jobs } from "../../src/services/jobs/Jobs.ts"
import { Submissions } from "../../src/services/jobs/Submissions.ts"
import { Observations } from "../../src/services/observations/Observations.ts"
import type { AgentRunner } from "../../src/services/ports/AgentRunner.ts"
import type { CodeHost } from "../../src/services/ports/CodeHost.ts"
import type { CommandSandbox } from "../../src/services/ports/CommandSandbox.ts"
import { AuditSettings } from "../../src/services/workflows/AuditSettings.ts"
import { noAgent, noCommands } from "./agent.ts"
import { Database, TestDatabase } from "./Database.ts"
import { aFolder, aRepository, type Files } from "./gitRepository.ts"
import { as, aTenant, type Tenant, until } from "./jobs.ts"
import { NotificationsLive } from "./notifications.ts"
import { TrackersLive } from "./trackers/TrackersLive.ts"
import { WebhooksLive } from "./webhooks.ts"

/** Repositories below it may be read. */
export const localRoot = aFolder()

const enginePool = Layer.unwrapEffect(Effect.map(TestDatabase, ({ url }) => layerFromUrl(url, JobEngine.poolOptions)))

interface Outside {
  readonly agent?: Layer.Layer<AgentRunner>
  readonly commands?: Layer.Layer<CommandSandbox>
  /** Plain git over the tests' own folders unless given. */
  readonly host?: Layer.Layer<CodeHost, GitUnusable>
}

const plainGit = PlainGitCodeHost.layer({ dataDir: aFolder(), localRoots: [localRoot], allowPrivateNetwork: false })

/** All services with a running engine and real workflows over a database of its own, without interfaces. */
export const workshopWith = ({ agent = noAgent, commands = noCommands, host = plainGit }: Outside) =>
  Layer.unwrapEffect(
    Effect.map(Effect.context<TestDatabase>(), (context) =>
      JobEngine.layerSingle(Layer.provide(enginePool, Layer.succeedContext(context)))
    )
  ).pipe(
    Layer.provideMerge(ServicesLive),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.orDie(host),
        GitWorkTrees.layer(aFolder()),
        Layer.orDie(SecretKeyFile.layer({ dataDir: aFolder(), key: null })),
        TrackersLive,
        WebhooksLive,
        FileAuditCache.layer(aFolder()),
        NotificationsLive,
        agent,
        commands,
        RateLimiter.inProcess,
        Layer.succeed(AuditSettings, { limits: {}, workers: 1, cpuSecondUsd: 0.00005, salt: "salt", advisories: null })
      )
    ),
    Layer.provide(Logger.minimumLogLevel(LogLevel.None)),
    Layer.provideMerge(Database)
  )

export const Workshop = workshopWith({})

let counter = 0

/** A workspace whose repository is a real one, with these files. */
export const aWorkplace = (files: Files) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const repository = aRepository(files, { path: `${localRoot}/r${counter++}`, bare: true })
    const tenant = yield* aTenant()
    yield* sql`UPDATE repositories SET clone_url = ${repository.path} WHERE id = ${tenant.repository_id}`
    return { repository, tenant }
  })

/** Submits a job and waits for its end. */
export const ran = (tenant: Tenant, workflow: Workflow, params: JsonObject = {}) =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const submissions = yield* Submissions
    const { job } = yield* submissions.submit({ path: tenant.path, workflow, params, force: true })
    return yield* until(jobs.get(job.id), ({ finished_at }) => finished_at !== null)
  }).pipe(as(tenant))

/** Every observation, by ref. */
export const observed = (tenant: Tenant) =>
  Effect.gen(function* () {
    const observations = yield* Observations
    const { data } = yield* observations.list({ include: "locations", limit: 100 })
    return new Map(data.map((row) => [row.ref, row]))
  }).pipe(as(tenant))
