import { Effect, ExecutionStrategy, Exit, Layer, Logger, LogLevel, Option, Schema, Scope } from "effect"
import * as JobEngine from "../../src/layers/JobEngine.ts"
import { layerFromUrl } from "../../src/layers/Sql.ts"
import { closed } from "../../src/schema/closed.ts"
import { type JobId } from "../../src/schema/Ids.ts"
import { type Job, JobEvent } from "../../src/schema/Job.ts"
import { FixPrWatch } from "../../src/services/fixes/FixPrWatch.ts"
import { IssuePullRequestWatch } from "../../src/services/issues/IssuePullRequestWatch.ts"
import { JobEventsRepo } from "../../src/services/jobs/JobEventsRepo.ts"
import { JobLimits, type JobLimitsSettings } from "../../src/services/jobs/JobLimits.ts"
import { Jobs } from "../../src/services/jobs/Jobs.ts"
import { Submissions } from "../../src/services/jobs/Submissions.ts"
import { MissionRuns } from "../../src/services/missions/run/MissionRuns.ts"
import { type Stage, type StageContext, stage, type Workflow } from "../../src/services/ports/Workflow.ts"
import { Workflows } from "../../src/services/ports/Workflows.ts"
import { Database, TestDatabase } from "./Database.ts"
import { freePort } from "./freePort.ts"
import { as, jobsWithEvents, type Tenant, until } from "./jobs.ts"

export type Behaviour = (context: StageContext) => ReturnType<Stage["run"]>

/** What the middle stage of the workflow does, by the job's param `behaviour`; tests put theirs here. */
export const behaviours = new Map<string, Behaviour>()

/** Three stages; how often each was begun is in `begun`, by job and stage. */
export const begun = new Map<string, number>()

const counted = (name: string, run: Behaviour) =>
  stage(name, (context) => {
    const key = `${context.job.id}/${name}`
    begun.set(key, (begun.get(key) ?? 0) + 1)
    return run(context)
  })

const probe: Workflow = {
  name: "audit",
  params: closed({ behaviour: Schema.String }),
  stages: [
    counted("prepare", () => Effect.succeed({ prepared: true })),
    counted("scan", (context) => behaviours.get(String(context.job.params.behaviour))!(context)),
    counted("record", (context) => Effect.map(context.outputOf("scan"), (scan) => ({ ...scan, recorded: true })))
  ]
}

const enginePool = Layer.unwrapEffect(Effect.map(TestDatabase, ({ url }) => layerFromUrl(url, JobEngine.poolOptions)))

type EnginePool = Parameters<typeof JobEngine.layerSingle>[0]

const engine = (made: (pool: EnginePool) => ReturnType<typeof JobEngine.layerWorker>) =>
  Layer.unwrapEffect(
    Effect.map(Effect.context<TestDatabase>(), (context) =>
      made(Layer.provide(enginePool, Layer.succeedContext(context)))
    )
  ).pipe(
    // No pull request is opened or attached here.
    Layer.provide(Layer.mock(FixPrWatch, { _tag: "FixPrWatch", loop: Effect.never })),
    // No mission runs here.
    Layer.provide(Layer.mock(MissionRuns, { _tag: "MissionRuns", loop: Effect.never })),
    Layer.provide(Layer.mock(IssuePullRequestWatch, { _tag: "IssuePullRequestWatch", loop: Effect.never })),
    // Bugs are planted here; their log lines are not news.
    Layer.provide(Logger.minimumLogLevel(LogLevel.None))
  )

/** The jobs area with a running engine over a database of its own. */
export const engineOverDatabase = (limits?: JobLimitsSettings) =>
  engine(JobEngine.layerSingle).pipe(
    Layer.provideMerge(jobsWithEvents),
    Layer.provideMerge(Workflows.layer(probe)),
    Layer.provide(limits === undefined ? Layer.empty : Layer.succeed(JobLimits, limits)),
    Layer.provideMerge(Database)
  )

/** Workflows only, for tests that play the engine themselves. */
export const probeOverDatabase = jobsWithEvents.pipe(
  Layer.provideMerge(Workflows.layer(probe)),
  Layer.provideMerge(Database)
)

/** Starts a worker beside others in this process, over the database of `probeOverDatabase`; ends it. */
export const aWorker = (limits: JobLimitsSettings) =>
  Effect.gen(function* () {
    const address = { host: "127.0.0.1", port: yield* freePort }
    const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const worker = engine((pool) => JobEngine.layerWorker(pool, address))
    yield* Layer.buildWithScope(worker, scope).pipe(Effect.provideService(JobLimits, limits))
    return Scope.close(scope, Exit.void)
  })

export const start = (tenant: Tenant, behaviour: string, run?: Behaviour) =>
  Effect.gen(function* () {
    if (run !== undefined) behaviours.set(behaviour, run)
    const submissions = yield* Submissions
    const { job } = yield* submissions.submit({ path: tenant.path, workflow: "audit", params: { behaviour } })
    return job
  }).pipe(as(tenant))

export const jobOf = (tenant: Tenant, id: JobId) => as(tenant)(Effect.flatMap(Jobs, (jobs) => jobs.get(id)))

export const whenJob = (tenant: Tenant, id: JobId, holds: (job: Job) => boolean) => until(jobOf(tenant, id), holds)

export const whenEnded = (tenant: Tenant, id: JobId) => whenJob(tenant, id, (job) => job.finished_at !== null)

const isEvent = Schema.is(JobEvent)

/** All events of a job as `stage type`, each checked against the contract. */
export const story = (tenant: Tenant, job_id: JobId) =>
  Effect.gen(function* () {
    const repo = yield* JobEventsRepo
    const { workspace_id } = tenant.caller
    const events = yield* repo.list({ workspace_id, job_id, after: 0, limit: 1000 })
    return events.map(({ event }) => {
      if (!isEvent(event)) throw new Error(`No event: ${JSON.stringify(event)}`)
      const status = Option.fromNullable(event.data?.intended_status)
      return [event.stage, event.type, ...Option.toArray(status)].join(" ")
    })
  })
