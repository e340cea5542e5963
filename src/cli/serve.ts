import { Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { AppConfig, unknownVariables } from "../layers/Config.ts"
import type { Ready } from "../layers/Main.ts"
import { loggingLayer } from "../layers/Telemetry.ts"
import { failed } from "./failures.ts"

const role = Options.choice("role", ["all", "api", "worker"]).pipe(
  Options.withDefault("all" as const),
  Options.withDescription("all: API, docs and jobs in one process; api or worker: one of many on the same database.")
)

const json = Options.boolean("json").pipe(
  Options.withDescription("Print the addresses as a line of JSON, as is done wherever output is not a terminal.")
)

/** For programs: one line of JSON on standard output, once everything answers. People read the banner. */
const announce = (ready: Ready, isForProgram: boolean) =>
  Effect.sync(() => {
    const { api, docs, admin } = ready
    if (isForProgram) process.stdout.write(`${JSON.stringify({ api, docs, admin })}\n`)
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

/** A mistyped setting would be ignored silently; a variable that is like none may be someone else's. */
const rejectTypos = Effect.suspend(() => {
  const unknown = unknownVariables(process.env)
  const typos = unknown.flatMap(({ name, nearest }) =>
    nearest === null ? [] : `${name} is no setting; did you mean ${nearest}?`
  )
  for (const { name, nearest } of unknown)
    if (nearest === null) process.stderr.write(`assay: ${name} is no setting and has no effect.\n`)
  return typos.length === 0 ? Effect.void : Effect.fail(failed(typos.join("\n")))
})

export const serve = Command.make("serve", { role, json }, ({ role, json }) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    yield* rejectTypos
    if (role === "worker" && config.workerAddress === null)
      return yield* failed(
        "ASSAY_WORKER_ADDRESS is needed by --role worker: the host:port under which others reach it."
      )
    // The other commands start in half the time without the server's libraries.
    const { installation } = yield* Effect.promise(() => import("../layers/Main.ts"))
    yield* Effect.gen(function* () {
      const ready = yield* installation(config, role)
      yield* announce(ready, json || !process.stdout.isTTY)
      yield* Effect.never
    }).pipe(Effect.scoped, Effect.provide(loggingLayer(config.logLevel)))
  })
).pipe(Command.withDescription("Start the service."))
