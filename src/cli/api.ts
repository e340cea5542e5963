import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { AppConfig } from "../layers/Config.ts"
import { runningEmbeddedPostgres } from "../layers/EmbeddedPostgres.ts"
import { renderResponse } from "./apiTable.ts"
import { CommandFailed, failed } from "./failures.ts"
import { paintFor, writeOut } from "./terminal.ts"

const options = {
  method: Args.choice(
    ["get", "post", "put", "patch", "delete"].map((name) => [name, name.toUpperCase()] as const),
    { name: "get|post|put|patch|delete" }
  ).pipe(Args.withDescription("What to do with the path.")),
  path: Args.text({ name: "path" }).pipe(Args.withDescription("Path of the API with its query, such as /api/jobs.")),
  data: Options.text("data").pipe(
    Options.withAlias("d"),
    Options.withPseudoName("json"),
    Options.withDescription("Body of the request, as JSON."),
    Options.optional
  ),
  json: Options.boolean("json").pipe(Options.withDescription("Print the response as it is, not as a table."))
}

/** `ASSAY_URL`, else the server that runs on the data folder, else the one that would. */
const baseUrl = Effect.gen(function* () {
  const named = process.env.ASSAY_URL
  if (named !== undefined && named !== "") return named.replace(/\/+$/, "")
  const { dataDir, host, port } = yield* AppConfig
  const running = yield* runningEmbeddedPostgres(dataDir)
  return running?.site ?? `http://${host}:${port}`
})

const pathOf = (text: string) =>
  text.startsWith("/") && URL.canParse(text, "http://localhost")
    ? Effect.succeed(text)
    : Effect.fail(failed(`${text} is no path of the API; try /api/observations.`))

const keyOf = Effect.suspend(() => {
  const key = process.env.ASSAY_API_KEY
  return key === undefined || key === ""
    ? Effect.fail(failed("set ASSAY_API_KEY to an API key; the web app creates one under “API keys”."))
    : Effect.succeed(key)
})

const send = (url: string, method: string, key: string, data: string | undefined) =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(url, {
        method,
        signal,
        redirect: "error",
        headers: {
          authorization: `Bearer ${key}`,
          ...(data === undefined ? {} : { "content-type": "application/json" })
        },
        ...(data === undefined ? {} : { body: data })
      })
      return { status: response.status, text: await response.text() }
    },
    catch: (error) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
      return failed(`${new URL(url).origin} does not answer (${cause}). Is it running? ASSAY_URL names another one.`)
    }
  })

export const api = Command.make("api", options, ({ method, path, data, json }) =>
  Effect.gen(function* () {
    const key = yield* keyOf
    const url = `${yield* baseUrl}${yield* pathOf(path)}`
    const { status, text } = yield* send(url, method, key, Option.getOrUndefined(data))
    const width = process.stdout.isTTY ? process.stdout.columns : null
    const shown = json ? text : renderResponse(text, { width, paint: paintFor(process.stdout) })
    if (shown !== "") yield* writeOut(`${shown}\n`)
    if (status >= 400) return yield* new CommandFailed({ status: 1, message: `The server answered ${status}.` })
  })
).pipe(Command.withDescription("Call the REST API with the key in ASSAY_API_KEY."))
