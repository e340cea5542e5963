import { EntityId, type ShardId, Sharding } from "@effect/cluster"
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import type { RepositoryId } from "../schema/Ids.ts"
import { Count } from "../schema/Text.ts"
import { JobLimits } from "../services/jobs/JobLimits.ts"
import { rows } from "../services/support/rows.ts"

/** A worker as the engine's tables show it: the shards that it holds, and the runs on them that have not ended. */
const Worker = Schema.Struct({ shards: Schema.Array(Schema.String), running: Count })
export type Worker = typeof Worker.Type

type Choose = (repository: RepositoryId) => ShardId.ShardId
export type ShardOf = (text: string) => ShardId.ShardId

// With eight workers, one that has room is overlooked once in five thousand times.
const choices = 64

/**
 * Shards for one run after another. Every repository has an order of shards, always the same, so that its mirror and its cache
 * are where it runs. It takes the first whose worker has a free slot, and when no worker has one, that of the worker with
 * the fewest runs.
 */
export const placing = (workers: ReadonlyArray<Worker>, slots: number, shardOf: ShardOf): Choose => {
  const holders = new Map<string, { running: number }>()
  for (const { shards, running } of workers) {
    const holder = { running }
    for (const shard of shards) holders.set(shard, holder)
  }
  const holderOf = (shard: ShardId.ShardId) => holders.get(shard.toString())
  const crowd = (shard: ShardId.ShardId) => {
    const running = holderOf(shard)?.running ?? Number.POSITIVE_INFINITY
    return running < slots ? 0 : running
  }
  return (repository) => {
    const order = Array.from({ length: choices }, (_, n) => shardOf(`${repository}/${n}`))
    const chosen = order.reduce((best, shard) => (crowd(shard) < crowd(best) ? shard : best))
    const holder = holderOf(chosen)
    if (holder !== undefined) holder.running++
    return chosen
  }
}

/** Which shard, and with it which worker, gets a run. */
export class JobPlacement extends Context.Tag("JobPlacement")<
  JobPlacement,
  {
    /** Looks at what the workers do now, and chooses for the next runs. */
    readonly look: Effect.Effect<Choose>
  }
>() {}

const shardOf = Effect.map(
  Sharding.Sharding,
  ({ getShardId }): ShardOf =>
    (text) =>
      getShardId(EntityId.make(text), "default")
)

/** The one process that runs all jobs has all shards. */
export const layerSingle = Layer.effect(
  JobPlacement,
  Effect.map(shardOf, (of) => ({ look: Effect.succeed(of) }))
)

/** Among workers that share the jobs. `messageType` is that of the messages that are runs. */
export const layer = (messageType: string) =>
  Layer.effect(
    JobPlacement,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const of = yield* shardOf
      const { slots } = yield* JobLimits
      // A worker renews its hold every three seconds; others may take its shards over after twelve.
      const workers = rows(
        Worker,
        sql`
          SELECT array_agg(l.shard_id) AS shards, sum(m.running)::int AS running
          FROM engine.cluster_locks l CROSS JOIN LATERAL (
            SELECT count(*) AS running FROM engine.cluster_messages m
            WHERE m.shard_id = l.shard_id AND NOT m.processed AND m.entity_type = ${messageType} AND m.tag = 'run') m
          WHERE l.acquired_at > now() - interval '6 seconds'
          GROUP BY l.address`
      )
      const look = workers.pipe(
        Effect.catchAllCause((cause) =>
          Effect.as(Effect.logWarning("What the workers do could not be looked up.", cause), [])
        ),
        Effect.map((found) => placing(found, slots, of))
      )
      return { look }
    })
  )
