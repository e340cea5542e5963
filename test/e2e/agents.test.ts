import { assert, layer } from "@effect/vitest"
import { Client as Client2026, StreamableHTTPClientTransport as Transport2026 } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import { Cause, Effect, Exit, Redacted } from "effect"
import { scopes } from "../../src/schema/Key.ts"
import { Database, TestDatabase } from "../support/Database.ts"
import { aRepository } from "../support/gitRepository.ts"
import { inspect, inspectorIsInstalled } from "../support/inspector.ts"
import { textOf } from "../support/mcp.ts"
import { aServer, aTemporaryFolder, createKeys, type RunningServer, readEvents } from "../support/server.ts"

const code = `import { exec } from "node:child_process"
import express from "express"
const app = express()
app.get("/archive", (req, res) => exec("tar cf out.tar " + req.query.folder, () => res.end()))
app.get("/host", (req, res) => exec("ping -c 1 " + req.query.host, () => res.end()))
`

const aRunningServer = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  const dataDir = yield* aTemporaryFolder
  const { path } = aRepository({ "src/server.js": code })
  const env = { DATABASE_URL: Redacted.value(url), ASSAY_LOCAL_REPO_ROOTS: path }
  const server = yield* aServer({ dataDir, env })
  return { server, clone_url: path, keys: yield* createKeys(server, scopes, 4) }
})

const headersWith = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } })

/** A client of the first line of the protocol's library, which shakes hands in the terms of 2025. */
const client2025 = ({ api }: RunningServer, key: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "an agent", version: "1" })
      const transport = new StreamableHTTPClientTransport(new URL("/mcp/", api), headersWith(key))
      // The library's own declaration of the transport is looser than its interface.
      await client.connect(transport as unknown as Parameters<typeof client.connect>[0])
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

/** A client of the second line; `auto` asks for the newest revision first. */
const clientOfTheSecondLine = ({ api }: RunningServer, key: string, mode: "auto" | "legacy") =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client2026({ name: "an agent", version: "2" }, { versionNegotiation: { mode } })
      await client.connect(new Transport2026(new URL("/mcp/", api), headersWith(key)))
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

type Args = Readonly<Record<string, unknown>>
interface Caller {
  readonly callTool: (request: { name: string; arguments?: Record<string, unknown> }) => Promise<unknown>
}

/** The result of a tool call, which must not be an error. */
const use = <A>(client: Caller, name: string, args: Args = {}): Effect.Effect<A> =>
  Effect.promise(async () => {
    const result = (await client.callTool({ name, arguments: args })) as CallToolResult
    assert.notStrictEqual(result.isError, true, `${name}: ${textOf(result)}`)
    return result.structuredContent as unknown as A
  })

const rejection = (client: Caller, name: string, args: Args = {}) =>
  Effect.promise(async () => textOf((await client.callTool({ name, arguments: args })) as CallToolResult))

interface Observation {
  readonly ref: string
  readonly status: string
  readonly close_reason?: string | null
}
interface Page {
  readonly data: ReadonlyArray<Observation>
  readonly next_cursor: string | null
}
interface Digest {
  readonly entries: ReadonlyArray<{ readonly key: string; readonly status: string; readonly etag: string }>
}

const repository = { github_org: "acme", github_repo: "shop", github_base_branch: "main" }

/** The loop that the prompt `agent_loop` describes. */
const workTheLoop = (server: RunningServer, key: string, client: Caller, clone_url: string) =>
  Effect.gen(function* () {
    yield* use(client, "register_repository", { ...repository, clone_url })
    const before = yield* use<Digest>(client, "get_repo_context_digest", repository)
    assert.deepStrictEqual(before.entries, [])
    const forecast = yield* use<{ readonly cost_mid: number }>(client, "get_cost_forecast", {
      workflow: "audit",
      repo_name: "shop@main"
    })
    assert.isAbove(forecast.cost_mid, 0)
    const job = yield* use<{ readonly id: string }>(client, "submit_job", { ...repository, workflow: "audit" })
    yield* readEvents(server, key, job.id)
    const ended = yield* use<{ readonly status: string }>(client, "get_job_status", { job_id: job.id })
    assert.strictEqual(ended.status, "completed")

    const page = { repo: "shop@main", status: "new", order: "display_rank", limit: 1 }
    const found: Array<Observation> = []
    let cursor: string | null = null
    do {
      const next: Page = yield* use<Page>(client, "list_observations", {
        ...page,
        ...(cursor === null ? {} : { cursor })
      })
      found.push(...next.data)
      cursor = next.next_cursor
    } while (cursor !== null)
    assert.strictEqual(new Set(found.map(({ ref }) => ref)).size, found.length)
    assert.isAtLeast(found.length, 2)
    const [first, second] = found as [Observation, Observation]
    const whole = yield* use<{ readonly description: string }>(client, "get_observation", { ref: first.ref })
    assert.include(whole.description, "shell")
    assert.include(
      yield* rejection(client, "dismiss_observation", { ref: first.ref }),
      "[invalid_payload] dismissal_cat"
    )
    const dismissed = yield* use<Observation>(client, "dismiss_observation", {
      ref: first.ref,
      dismissal_category: "false_positive",
      dismissal_note: "The folder comes from a list."
    })
    assert.deepInclude(dismissed, { status: "closed", close_reason: "dismissed" })
    yield* use(client, "complete_observation", { ref: second.ref })
    const left = yield* use<{ readonly data: ReadonlyArray<Observation> }>(client, "list_observations", {
      repo: "shop@main",
      status: "new"
    })
    assert.strictEqual(left.data.length, found.length - 2)
  })

/** What the agent leaves to the next one, who checks it. */
const leaveANote = (author: Caller, checker: Caller) =>
  Effect.gen(function* () {
    const note = { key: "shells", kind: "convention", title: "Shells", summary: "Commands start without a shell." }
    const { etag } = yield* use<{ readonly etag: string }>(author, "create_context_entry", note)
    const stale = { key: "shells", expected_etag: etag, summary: "Commands never start a shell." }
    const changed = yield* use<{ readonly etag: string }>(author, "update_context_entry", stale)
    assert.include(yield* rejection(author, "update_context_entry", stale), `[version_conflict] `)
    assert.include(yield* rejection(author, "update_context_entry", stale), changed.etag)
    const claim = { key: "shells", expected_etag: changed.etag }
    assert.match(yield* rejection(author, "corroborate_context_entry", claim), /^\[self_corroboration\] /)
    yield* use(checker, "corroborate_context_entry", claim)
    const { entries } = yield* use<Digest>(checker, "get_context_digest")
    assert.deepStrictEqual(
      entries.map(({ key, status, etag }) => ({ key, status, etag })),
      [{ key: "shells", status: "proposed", etag: changed.etag }]
    )
  })

layer(Database)("agents", (it) => {
  it.scoped(
    "work the whole loop with the clients of both lines of the protocol's library, and its inspector",
    () =>
      Effect.gen(function* () {
        const { server, clone_url, keys } = yield* aRunningServer
        const [first = "", second = "", third = "", fourth = ""] = keys
        const older = yield* client2025(server, first)
        const newest = yield* clientOfTheSecondLine(server, second, "auto")
        const legacy = yield* clientOfTheSecondLine(server, third, "legacy")

        assert.deepStrictEqual(
          [newest, legacy].map((client) => client.getNegotiatedProtocolVersion()),
          ["2026-07-28", "2025-11-25"]
        )
        const lists = yield* Effect.promise(() =>
          Promise.all([older.listTools(), newest.listTools(), legacy.listTools()].map((list) => list))
        )
        const [names, ...same] = lists.map(({ tools }) => tools.map(({ name }) => name))
        for (const other of same) assert.deepStrictEqual(other, names)
        for (const client of [older, newest]) {
          const { messages } = yield* Effect.promise(() => client.getPrompt({ name: "hyrax_agent_loop" }))
          assert.include(JSON.stringify(messages), "submit_job")
        }

        yield* reportsTheWrongKey(server)
        yield* workTheLoop(server, first, older, clone_url)
        yield* leaveANote(older, newest)
        if (inspectorIsInstalled) yield* inspectEverything(server, fourth)
      }),
    600_000
  )
})

const reportsTheWrongKey = (server: RunningServer) =>
  Effect.gen(function* () {
    const outcomeOf = <A, R>(attempt: Effect.Effect<A, never, R>) =>
      Effect.map(Effect.exit(attempt), (exit) => (Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "connected"))
    assert.include(yield* outcomeOf(client2025(server, "asy_nonsense")), "This API key is not valid.")
    assert.match(yield* outcomeOf(clientOfTheSecondLine(server, "asy_nonsense", "auto")), /\b401\b/)
  })

const inspectEverything = ({ api }: RunningServer, key: string) =>
  Effect.gen(function* () {
    const run = (...args: ReadonlyArray<string>) => inspect(`${api}/mcp/`, key, ...args)
    for (const era of ["legacy", "modern"]) {
      const list = yield* run("--protocol-era", era, "--method", "tools/list", "--strict")
      assert.strictEqual(list.code, 0, list.log)
      assert.isAbove((JSON.parse(list.out) as { readonly tools: ReadonlyArray<unknown> }).tools.length, 30)
    }
    const called = yield* run("--method", "tools/call", "--tool-name", "list_observations", "--tool-arg", "limit=2")
    assert.strictEqual(called.code, 0, called.log)
    assert.include(called.out, "OBS-")
    const prompt = ["--prompt-name", "investigate_finding"]
    const args = ["--prompt-args", "org=acme", "repo=shop", "branch=main", "ref=OBS-1"]
    const given = yield* run("--method", "prompts/get", ...prompt, ...args)
    assert.deepStrictEqual([given.code, given.out.includes("OBS-1")], [0, true], given.log)
    const missing = yield* run("--method", "tools/call", "--tool-name", "get_observation", "--tool-arg", "ref=OBS-999")
    assert.deepStrictEqual([missing.code, missing.out.includes("[not_found]")], [5, true], missing.log)
    const rejected = yield* inspect(`${api}/mcp/`, "asy_nonsense", "--method", "tools/list")
    assert.strictEqual(rejected.code, 3, rejected.log)
  })
