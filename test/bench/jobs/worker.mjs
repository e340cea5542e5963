// A worker whose jobs do nothing but take some time: node worker.mjs <port> <slots> <milliseconds a stage>
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer, Redacted, Schema } from "effect"
import * as JobEngine from "../../../dist/layers/JobEngine.js"
import * as Notifications from "../../../dist/layers/Notifications.js"
import { layerFromUrl } from "../../../dist/layers/Sql.js"
import { closed } from "../../../dist/schema/closed.js"
import { defaultJobLimits, JobLimits } from "../../../dist/services/jobs/JobLimits.js"
import { stage } from "../../../dist/services/ports/Workflow.js"
import { Workflows } from "../../../dist/services/ports/Workflows.js"
import { engineParts } from "../../support/engineParts.mjs"

const [port, slots, millis] = process.argv.slice(2).map(Number)
const url = Redacted.make(process.env.DATABASE_URL)

const workflows = Workflows.layer({
  name: "audit",
  params: closed({ depth: Schema.Int }),
  stages: [stage("only", () => Effect.as(Effect.sleep(`${millis} millis`), {}))]
})

const limits = Layer.succeed(JobLimits, {
  ...defaultJobLimits,
  slots,
  running: slots * 8,
  runningPerWorkspace: slots * 8,
  runningPerRepository: slots * 8
})

Layer.launch(
  JobEngine.layerWorker(layerFromUrl(url, JobEngine.poolOptions), { host: "127.0.0.1", port }).pipe(
    Layer.provide(engineParts),
    Layer.provide(workflows),
    Layer.provide(limits),
    Layer.provide(Notifications.layer),
    Layer.provide(layerFromUrl(url, { maxConnections: 20 }))
  )
).pipe(NodeRuntime.runMain)
