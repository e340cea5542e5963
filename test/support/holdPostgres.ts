import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Logger, LogLevel } from "effect"
import { startEmbeddedPostgres } from "../../src/layers/EmbeddedPostgres.ts"

/** A process of its own that holds the embedded server until it is killed; says so with a line on stdout. */
startEmbeddedPostgres({ dataDir: process.argv[2]!, durability: "full" }).pipe(
  Effect.flatMap(({ data }) => Console.log(JSON.stringify({ data }))),
  Effect.zipRight(Effect.never),
  Effect.catchTag("EmbeddedPostgresError", ({ reason, message, pid }) =>
    Console.log(JSON.stringify({ reason, message, pid }))
  ),
  Effect.scoped,
  Logger.withMinimumLogLevel(LogLevel.None),
  NodeRuntime.runMain
)
