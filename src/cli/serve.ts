import { Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { AppConfig } from "../layers/Config.ts"
import type { Ready } from "../layers/Main.ts"
import { loggingLayer } from "../layers/Telemetry.ts"

const role = Options.choice("role", ["all", "api", "worker"]).pipe(
  Options.withDefault("all" as const),
  Options.withDescription("all: API, docs and jobs in one process; api or worker: one of many on the same database.")
)

/** For programs: one line of JSON on standard output, once everything answers. */
const announce = (ready: Ready) =>
  Effect.sync(() => {
    process.stdout.write(`${JSON.stringify({ api: ready.api, docs: ready.docs, admin: ready.admin })}\n`)
    process.stderr.write(`${banner(ready)}\n`)
  })

const banner = ({ api, docs, admin, signIn }: Ready): string =>
  [
    "",
    "Assay is ready.",
    ...(api === null
      ? []
      : [`  Web app  ${api}/`, `  REST     ${api}/api`, `  MCP      ${api}/mcp/`, `  Docs     ${docs}/`]),
    `  Health   ${admin}/readyz`,
    ...(signIn === null
      ? []
      : ["", `  First sign-in, as ${signIn.email} (works once, for 24 hours):`, `    ${signIn.url}`]),
    ""
  ].join("\n")

export const serve = Command.make("serve", { role }, ({ role }) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    // The other commands start in half the time without the server's libraries.
    const { installation } = yield* Effect.promise(() => import("../layers/Main.ts"))
    yield* Effect.gen(function* () {
      const ready = yield* installation(config, role)
      yield* announce(ready)
      yield* Effect.never
    }).pipe(Effect.scoped, Effect.provide(loggingLayer(config.logLevel)))
  })
).pipe(Command.withDescription("Start the service."))
