import { randomBytes } from "node:crypto"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, type Scope } from "effect"
import pg from "pg"
import { keyPrefix } from "../../../src/services/access/apiKeyFormat.ts"
import { anEditor, type Headers, type SignedIn, send } from "../../support/people.ts"
import { withoutRateLimits } from "../../support/rateLimits.ts"
import { aServer, call, keysOf, ownerSession, type RunningServer } from "../../support/server.ts"

/** One of the API processes; `server` is null while it is down. */
export interface Process {
  server: RunningServer | null
  /** Its clock, in milliseconds ahead of the machine's. */
  offset: number
}

/** One that can hold claims of its own. */
export interface WorldCaller {
  /** As events name it: the beginning of the key, or the ID of the person. */
  readonly name: string
  readonly headers: Headers
  readonly isManager: boolean
  /** The other interface takes API keys only. */
  readonly isPerson: boolean
}

export interface World {
  readonly processes: ReadonlyArray<Process>
  /** As the owner of the database: what a test does behind the service's back. */
  readonly database: pg.Pool
  readonly callers: ReadonlyArray<WorldCaller>
  readonly issues: ReadonlyArray<string>
  /** Starts a process that is down, with its clock on the other side. */
  readonly restart: (process: Process) => Effect.Effect<void, never, Scope.Scope>
}

export interface WorldOptions {
  /** Of a migrated database that nothing else uses. */
  readonly databaseUrl: string
  readonly folder: string
  /** Keys of an editor of the project. */
  readonly keys: number
  /** Editors who are signed in. */
  readonly people: number
  /** Keys of the workspace's owner, who is a manager of every project. */
  readonly managers: number
  readonly issues: number
}

const movedClock = new URL("movedClock.mjs", import.meta.url)
const hour = 3_600_000
const scopes = ["view_issues", "manage_issues"]

const started = ({ databaseUrl, folder }: WorldOptions, offset: number) =>
  Effect.gen(function* () {
    const dataDir = join(folder, randomBytes(4).toString("hex"))
    yield* Effect.promise(() => mkdir(dataDir))
    return yield* aServer({
      dataDir,
      role: "api",
      env: {
        DATABASE_URL: databaseUrl,
        ASSAY_LOG_LEVEL: "warn",
        NODE_OPTIONS: `--import=${fileURLToPath(movedClock)}`,
        TEST_CLOCK_OFFSET: String(offset)
      }
    })
  })

/** Two API processes on one database, one with a clock an hour ahead and one an hour behind, and issues to claim. */
export const aWorld = (options: WorldOptions) =>
  Effect.gen(function* () {
    const database = yield* Effect.acquireRelease(
      Effect.sync(() => new pg.Pool({ connectionString: options.databaseUrl, max: 8 })),
      (pool) => Effect.promise(() => pool.end())
    )
    const first = yield* started(options, hour)
    const second = yield* started(options, -hour)
    yield* withoutRateLimits(options.databaseUrl)
    const owner = yield* ownerSession(first)
    yield* send(first, "POST", "/api/projects", owner, { name: project, slug: project })
    const editors = yield* Effect.forEach(Array.from({ length: options.people }), (_, i) =>
      Effect.map(anEditor(first, owner, project, `editor-${i}@example.org`), aPerson)
    )
    const keys = yield* keysOf(first, editors[0]?.headers ?? {}, { scopes, count: options.keys, name: "editor" })
    const managers = yield* keysOf(first, owner, { scopes, count: options.managers, name: "manager" })
    const callers = [...editors, ...keys.map((key) => aKey(key, false)), ...managers.map((key) => aKey(key, true))]
    const issues = yield* Effect.forEach(Array.from({ length: options.issues }), (_, i) =>
      anIssue(first, managers[0] ?? "", `Issue ${i}`)
    )
    const restart = (process: Process) =>
      Effect.gen(function* () {
        process.offset = -process.offset
        process.server = yield* started(options, process.offset)
      })
    const processes: ReadonlyArray<Process> = [
      { server: first, offset: hour },
      { server: second, offset: -hour }
    ]
    return { processes, database, callers, issues, restart } satisfies World
  })

const project = "soak"

const aKey = (key: string, isManager: boolean): WorldCaller => ({
  name: keyPrefix(key),
  headers: { authorization: `Bearer ${key}` },
  isManager,
  isPerson: false
})

/** An editor of the project who is signed in. */
const aPerson = ({ user_id, headers }: SignedIn): WorldCaller => ({
  name: user_id,
  headers,
  isManager: false,
  isPerson: true
})

const anIssue = (server: RunningServer, key: string, title: string) =>
  Effect.map(
    call<{ readonly ref: string }>(server, key, "POST", "/api/issues", {
      project,
      title,
      acceptance_criteria: ["It works."]
    }),
    ({ status, body }) => {
      if (status !== 201) throw new Error(`The issue was not filed: ${status} ${JSON.stringify(body)}`)
      return body.ref
    }
  )
