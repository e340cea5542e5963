// A worker of its own process, run on dist: node engineWorker.mjs single | node engineWorker.mjs <port>
import { NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Redacted, Schema } from "effect"
import * as JobEngine from "../../dist/layers/JobEngine.js"
import * as Notifications from "../../dist/layers/Notifications.js"
import { layerFromUrl } from "../../dist/layers/Sql.js"
import { closed } from "../../dist/schema/closed.js"
import { stage } from "../../dist/services/ports/Workflow.js"
import { Workflows } from "../../dist/services/ports/Workflows.js"
import { engineParts } from "./engineParts.mjs"

const url = Redacted.make(process.env.DATABASE_URL)

/** Reports its start, then writes in a transaction; the first to reach the second stage stays inside it for ever. */
const probe = (sql, name) =>
  stage(name, (context) =>
    Effect.gen(function* () {
      const key = { job_id: context.job.id, stage: name, pid: process.pid }
      const earlier =
        yield* sql`SELECT 1 FROM probe_log WHERE ${sql.and([sql`job_id = ${key.job_id}`, sql`stage = ${name}`])}`
      yield* sql`INSERT INTO probe_log ${sql.insert({ ...key, kind: "begin" })}`
      yield* context.commit(
        Effect.gen(function* () {
          yield* sql`INSERT INTO probe_log ${sql.insert({ ...key, kind: "write" })}`
          if (name !== "second" || earlier.length > 0) return
          console.log("holding")
          yield* Effect.never
        })
      )
      return { by: process.pid }
    }).pipe(Effect.catchTag("SqlError", Effect.die))
  )

const workflows = Layer.unwrapEffect(
  Effect.map(SqlClient.SqlClient, (sql) =>
    Workflows.layer({
      name: "audit",
      params: closed({ depth: Schema.Int }),
      stages: ["first", "second", "third"].map((name) => probe(sql, name))
    })
  )
)

const pool = layerFromUrl(url, JobEngine.poolOptions)
const engine =
  process.argv[2] === "single"
    ? JobEngine.layerSingle(pool)
    : JobEngine.layerWorker(pool, { host: "127.0.0.1", port: Number(process.argv[2]) })

Layer.launch(
  engine.pipe(
    Layer.provide(engineParts),
    Layer.provide(workflows),
    Layer.provide(Notifications.layer),
    Layer.provide(layerFromUrl(url))
  )
).pipe(NodeRuntime.runMain)
