import { ShardId, Sharding, Snowflake } from "@effect/cluster"
import { SqlClient } from "@effect/sql"
import { Clock, Effect, Layer, Ref } from "effect"
import { giveUp } from "./EngineLock.ts"

const round = "5 seconds"
const badRounds = 4
const unreadMillis = 20_000

/** First id that a message of that moment could have. */
const snowflakeAt = (millis: number) => (BigInt(millis) - BigInt(Snowflake.constEpochMillis)) << 22n

/**
 * Messages on a worker's own shards that no worker reads mean that its storage loop hangs while its heart still beats: the
 * process ends, and others take its shards over.
 */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const sharding = yield* Sharding.Sharding
    const bad = yield* Ref.make(0)

    const isBad = Effect.gen(function* () {
      const before = snowflakeAt((yield* Clock.currentTimeMillis) - unreadMillis).toString()
      const rows = yield* sql<{ shard_id: string }>`
        SELECT DISTINCT m.shard_id FROM cluster_messages m
        WHERE NOT m.processed AND m.last_read IS NULL AND m.deliver_at IS NULL AND m.id < ${before}::bigint
          -- Messages about a request that is answered stay unread for good.
          AND NOT EXISTS (
            SELECT 1 FROM cluster_replies r WHERE r.request_id = m.request_id AND (r.kind = 0 OR NOT r.acked))`
      return rows.some(({ shard_id }) => sharding.hasShardId(shardOf(shard_id)))
    }).pipe(Effect.timeout("10 seconds"))

    const look = Effect.gen(function* () {
      const rounds = (yield* isBad) ? yield* Ref.updateAndGet(bad, (n) => n + 1) : yield* Ref.setAndGet(bad, 0)
      if (rounds >= badRounds) yield* giveUp("This worker does not read its messages; ending it for a restart.")
    }).pipe(Effect.catchAllCause((cause) => Effect.logWarning("The worker's watchdog could not look.", cause)))

    yield* Effect.forkScoped(Effect.forever(Effect.delay(look, round)))
  })
)

const shardOf = (text: string) => {
  const colon = text.lastIndexOf(":")
  return ShardId.make(text.slice(0, colon), Number(text.slice(colon + 1)))
}
