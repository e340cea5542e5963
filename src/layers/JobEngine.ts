import {
  ClusterSchema,
  ClusterWorkflowEngine,
  EntityAddress,
  EntityId,
  EntityType,
  Envelope,
  Message,
  RunnerAddress,
  RunnerHealth,
  Runners,
  Sharding,
  ShardingConfig,
  Singleton,
  SocketRunner
} from "@effect/cluster"
import { Headers } from "@effect/platform"
import { NodeClusterSocket } from "@effect/platform-node"
import { Rpc, RpcSerialization } from "@effect/rpc"
import { SqlClient, type SqlError } from "@effect/sql"
import { Workflow, WorkflowEngine } from "@effect/workflow"
import { Cause, Chunk, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { JobId } from "../schema/Ids.ts"
import { FixPrWatch } from "../services/fixes/FixPrWatch.ts"
import { IssuePullRequestWatch } from "../services/issues/IssuePullRequestWatch.ts"
import { Dispatcher } from "../services/jobs/Dispatcher.ts"
import { JobLimits } from "../services/jobs/JobLimits.ts"
import { type JobRun, JobRuns, type RunOfRepository } from "../services/jobs/JobRuns.ts"
import { Stages } from "../services/jobs/Stages.ts"
import { MissionRuns } from "../services/missions/run/MissionRuns.ts"
import { NoticesRepo } from "../services/notices/NoticesRepo.ts"
import { NoticeWriter } from "../services/notices/NoticeWriter.ts"
import { Retention } from "../services/retention/Retention.ts"
import { RetentionRepo } from "../services/retention/RetentionRepo.ts"
import { isDatabaseLoss } from "../services/support/databaseLoss.ts"
import { onlyRow } from "../services/support/rows.ts"
import * as EngineLock from "./EngineLock.ts"
import * as EngineStorage from "./EngineStorage.ts"
import * as EngineWatchdog from "./EngineWatchdog.ts"
import * as JobPlacement from "./JobPlacement.ts"
import type { PoolOptions } from "./Sql.ts"

/**
 * How the engine's own pool is made (`Sql.layerFromUrl(url, poolOptions)`): its tables live apart from the product's, and
 * a silent network is noticed. Long statements belong to the other pool.
 */
export const poolOptions: PoolOptions = {
  maxConnections: 6,
  applicationName: "assay job engine",
  queryTimeout: "8 seconds",
  searchPath: "engine"
}

/** Ids only: stored messages outlive a deployment, and the job's row is the truth. */
const RunJob = Workflow.make({
  name: "RunJob",
  payload: { job_id: JobId, run: Schema.Int },
  idempotencyKey: ({ job_id, run }) => `${job_id}/${run}`
})

const payloadOf = ({ id, run }: JobRun) => ({ job_id: id, run })

const messageType = `Workflow/${RunJob.name}`

/**
 * What starts an execution, as the engine's own client would write it, but for a shard of our choice: the client has only the
 * one that follows from the execution's id. By that id, not by the shard, the engine knows a message that it has already.
 */
const RunMessage = Rpc.make("run", { payload: RunJob.payloadSchema.fields, primaryKey: () => "" }).annotate(
  ClusterSchema.Persisted,
  true
)

/**
 * A straight sequence of stages; never suspended, never interrupted from outside, never failing. Its checkpoints are the rows
 * of the stages: an activity of the engine for each would store the same again, in a message and a reply.
 */
const runJob = RunJob.toLayer(({ job_id, run }) =>
  Effect.gen(function* () {
    const stages = yield* Stages
    const opened = yield* stages.open({ id: job_id, run })
    if (Option.isNone(opened)) return
    const { job, workflow } = opened.value
    for (const stage of workflow.stages) {
      if ((yield* stages.run(job, stage)) === "stopped") return
    }
    yield* stages.complete(job, workflow)
  }).pipe(Effect.annotateLogs({ job_id }))
)

const isStorageFailure = (cause: Cause.Cause<unknown>) =>
  isDatabaseLoss(cause) ||
  Chunk.some(
    Cause.defects(cause),
    (defect) => typeof defect === "object" && defect !== null && "_tag" in defect && defect._tag === "PersistenceError"
  )

const Forgotten = Schema.Struct({ runs: Schema.Int })

const jobRuns = Layer.effect(
  JobRuns,
  Effect.gen(function* () {
    const engine = yield* WorkflowEngine.WorkflowEngine
    const sql = yield* SqlClient.SqlClient

    const sharding = yield* Sharding.Sharding
    const { look } = yield* JobPlacement.JobPlacement

    const sender = Effect.map(look, (choose) => (run: RunOfRepository) => {
      const shardId = choose(run.repository_id)
      return Effect.gen(function* () {
        const address = EntityAddress.make({
          shardId,
          entityType: EntityType.EntityType.make(messageType),
          entityId: EntityId.make(yield* RunJob.executionId(payloadOf(run)))
        })
        const envelope = Envelope.makeRequest<typeof RunMessage>({
          requestId: yield* sharding.getSnowflake,
          address,
          tag: "run",
          payload: RunMessage.payloadSchema.make(payloadOf(run)),
          headers: Headers.empty
        })
        const message = new Message.OutgoingRequest({
          envelope,
          context: Context.empty(),
          lastReceivedReply: Option.none(),
          rpc: RunMessage,
          respond: () => Effect.void
        })
        yield* sharding.sendOutgoing(message, true)
      }).pipe(Effect.orDie)
    })

    // A worker that takes over shards marks their messages as unread. It goes on when it cannot, and the engine would read
    // them again after ten minutes. A message that a worker is busy with is dropped by it.
    const resend = (run: JobRun) =>
      Effect.flatMap(RunJob.executionId(payloadOf(run)), (id) =>
        Effect.orDie(sql`
          UPDATE engine.cluster_messages SET last_read = NULL
          WHERE entity_type = ${messageType} AND entity_id = ${id} AND NOT processed
            AND last_read < clock_timestamp() - interval '10 seconds'`)
      ).pipe(Effect.asVoid)

    const hasEnded = (run: JobRun) =>
      Effect.flatMap(RunJob.executionId(payloadOf(run)), RunJob.poll).pipe(
        Effect.provideService(WorkflowEngine.WorkflowEngine, engine),
        Effect.map((result) => result?._tag === "Complete"),
        // A message that no runner could take is answered by a defect, which is kept for good.
        Effect.catchAllCause((cause) => (isStorageFailure(cause) ? Effect.failCause(cause) : Effect.succeed(true)))
      )

    const forget = ({ before, most }: { readonly before: string; readonly most: number }) =>
      onlyRow(
        Forgotten,
        sql`
          WITH old AS MATERIALIZED (
            SELECT DISTINCT m.entity_type, m.entity_id FROM engine.cluster_messages m
              LEFT JOIN jobs j ON j.id = (m.payload::json ->> 'job_id')::uuid
            WHERE m.entity_type = ${messageType} AND m.tag = 'run' AND m.processed
              AND (j.id IS NULL OR j.finished_at < ${before})
            LIMIT ${most}
          ), gone AS (
            DELETE FROM engine.cluster_messages m USING old
            WHERE m.entity_type = old.entity_type AND m.entity_id = old.entity_id RETURNING m.request_id
          ), replies AS (
            DELETE FROM engine.cluster_replies r USING gone WHERE r.request_id = gone.request_id
          )
          SELECT count(*)::int AS runs FROM old`
      ).pipe(Effect.map(({ runs }) => runs))

    return { sender, resend, hasEnded, forget }
  })
)

const dispatcher = Singleton.make(
  "JobDispatcher",
  Effect.flatMap(Dispatcher, ({ loop }) => loop)
)

const watch = Singleton.make(
  "FixPrWatch",
  Effect.flatMap(FixPrWatch, ({ loop }) => loop)
)

const missions = Singleton.make(
  "MissionRuns",
  Effect.flatMap(MissionRuns, ({ loop }) => loop)
)

const issuePrs = Singleton.make(
  "IssuePullRequestWatch",
  Effect.flatMap(IssuePullRequestWatch, ({ loop }) => loop)
)

const retention = Singleton.make(
  "Retention",
  Effect.flatMap(Retention, ({ loop }) => loop)
)

const jobs = Layer.mergeAll(dispatcher, watch, issuePrs, missions, retention).pipe(
  Layer.provideMerge(Layer.merge(Dispatcher.Default, Retention.Default)),
  Layer.provide(jobRuns),
  Layer.provide(Layer.merge(RetentionRepo.Default, Layer.provide(NoticeWriter.Default, NoticesRepo.Default))),
  // Registered before anything is sent.
  Layer.provide(runJob),
  Layer.provide(Stages.Default)
)

type EnginePool = Layer.Layer<SqlClient.SqlClient, SqlError.SqlError>

const singleConfig: Partial<ShardingConfig.ShardingConfig["Type"]> = {
  entityTerminationTimeout: Duration.seconds(2)
}

/**
 * No other process has slots here. What there is no slot for stays in the queue, and after `kill -9` there is one for each
 * job at once: one that had waited for a slot may have an older message than one that worked, and would be first.
 */
const withinOwnSlots = Layer.effect(
  JobLimits,
  Effect.map(JobLimits, (limits) => ({ ...limits, running: Math.min(limits.running, limits.slots) }))
)

/** Runs all jobs of the database in this process. Needs a pool of its own, made with `poolOptions`. */
export const layerSingle = (pool: EnginePool) =>
  jobs.pipe(
    Layer.provide(JobPlacement.layerSingle),
    Layer.provide(withinOwnSlots),
    Layer.provide(
      ClusterWorkflowEngine.layer.pipe(
        Layer.provideMerge(Sharding.layer),
        Layer.provide(Runners.layerNoop),
        Layer.provideMerge(EngineStorage.layerSingle),
        Layer.provide(RunnerHealth.layerNoop),
        Layer.provide(ShardingConfig.layer(singleConfig)),
        Layer.provide(EngineLock.layer("single")),
        Layer.provide(pool)
      )
    )
  )

/** Where other workers reach this one: unique, and never this machine's name for itself when there are several. */
export interface WorkerAddress {
  readonly host: string
  readonly port: number
}

const workerConfig = ({ host, port }: WorkerAddress): Partial<ShardingConfig.ShardingConfig["Type"]> => ({
  runnerAddress: Option.some(RunnerAddress.make(host, port)),
  // Table leases: with advisory locks, no worker takes over from one that hangs or lost its network.
  shardLockDisableAdvisory: true,
  shardLockExpiration: Duration.seconds(12),
  shardLockRefreshInterval: Duration.seconds(3),
  refreshAssignmentsInterval: Duration.seconds(1),
  entityMessagePollInterval: Duration.seconds(3),
  runnerHealthCheckInterval: Duration.seconds(5),
  entityTerminationTimeout: Duration.seconds(2)
})

/** Shares the jobs of the database with other workers. Needs a pool of its own, made with `poolOptions`. */
export const layerWorker = (pool: EnginePool, address: WorkerAddress) =>
  jobs.pipe(
    Layer.provide(JobPlacement.layer(messageType)),
    Layer.provide(
      Layer.merge(ClusterWorkflowEngine.layer, EngineWatchdog.layer).pipe(
        Layer.provideMerge(
          Layer.provide(SocketRunner.layer, [
            NodeClusterSocket.layerSocketServer,
            NodeClusterSocket.layerClientProtocol
          ])
        ),
        Layer.provide(
          RunnerHealth.layerPing.pipe(
            Layer.provide(Runners.layerRpc),
            Layer.provide(NodeClusterSocket.layerClientProtocol)
          )
        ),
        Layer.provideMerge(EngineStorage.layer),
        Layer.provide(ShardingConfig.layer(workerConfig(address))),
        Layer.provide(RpcSerialization.layerMsgPack),
        Layer.provide(EngineLock.layer("cluster")),
        Layer.provide(pool)
      )
    )
  )
