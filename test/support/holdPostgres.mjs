// Holds the embedded server until it is killed; says so with a line on stdout. Run on dist: node holdPostgres.mjs <folder>
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Logger, LogLevel } from "effect"
import { startEmbeddedPostgres } from "../../dist/layers/EmbeddedPostgres.js"

startEmbeddedPostgres({ dataDir: process.argv[2], durability: "full" }).pipe(
  Effect.flatMap(({ data }) => Console.log(JSON.stringify({ data }))),
  Effect.zipRight(Effect.never),
  Effect.catchTag("EmbeddedPostgresError", ({ reason, message, pid }) =>
    Console.log(JSON.stringify({ reason, message, pid }))
  ),
  Effect.scoped,
  Logger.withMinimumLogLevel(LogLevel.None),
  NodeRuntime.runMain
)
