import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { rows, run } from "../support/rows.ts"

export interface Charge {
  readonly keys: ReadonlyArray<string>
  /** Seconds that one call costs, per key. */
  readonly steps: ReadonlyArray<number>
  /** Seconds. */
  readonly now: number
}

const ArrivalTime = Schema.Struct({ key: Schema.String, tat: Schema.Number })

export class RateBucketsRepo extends Effect.Service<RateBucketsRepo>()("RateBucketsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /**
     * The arrival times after this call; they are kept when all of them pass. Rows are locked in key order, judged
     * together and charged together. Answers fewer rows than keys, and charges nothing, when some row is missing.
     */
    const charge = ({ keys, steps, now }: Charge) =>
      rows(
        ArrivalTime,
        sql`
        WITH want AS (SELECT * FROM unnest(${keys}::text[], ${steps}::float8[]) AS w (key, step)),
        locked AS (
          SELECT b.key, b.tat FROM rate_buckets b JOIN want USING (key) ORDER BY b.key FOR UPDATE OF b
        ),
        next AS (SELECT l.key, greatest(l.tat, ${now}::float8) + w.step AS tat FROM locked l JOIN want w USING (key)),
        charged AS (
          UPDATE rate_buckets b SET tat = n.tat FROM next n
          WHERE b.key = n.key
            AND (SELECT count(*) = ${keys.length}::int AND bool_and(tat - ${now}::float8 <= 60 + 1e-6) FROM next)
        )
        SELECT key, tat FROM next`
      )

    /** Makes the rows that are missing, so that two first calls cannot both find an untouched bucket. */
    const insertMissing = ({ keys, now }: Charge) =>
      run(sql`
        INSERT INTO rate_buckets (key, tat) SELECT key, ${now}::float8 FROM unnest(${keys}::text[]) AS k (key)
        ORDER BY key ON CONFLICT DO NOTHING`)

    /** Forgets buckets that have been full for a minute: what they would say, a new one says too. */
    const deleteFull = (now: number) => run(sql`DELETE FROM rate_buckets WHERE tat < ${now - 60}::float8`)

    const refund = ({ keys, steps }: Omit<Charge, "now">) =>
      run(sql`
        WITH back AS (SELECT * FROM unnest(${keys}::text[], ${steps}::float8[]) AS w (key, step)),
        locked AS (SELECT b.key, back.step FROM rate_buckets b JOIN back USING (key) ORDER BY b.key FOR UPDATE OF b)
        UPDATE rate_buckets b SET tat = b.tat - l.step FROM locked l WHERE b.key = l.key`)

    const deleteByKey = (keys: ReadonlyArray<string>) =>
      run(sql`DELETE FROM rate_buckets WHERE key = ANY(${[...keys]}::text[])`)

    return { charge, insertMissing, deleteFull, refund, delete: deleteByKey }
  })
}) {}
