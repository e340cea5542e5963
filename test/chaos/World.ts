import { randomBytes } from "node:crypto"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { isAlive } from "../../src/layers/postgres/Processes.ts"
import { scopes } from "../../src/schema/Key.ts"
import { endedJob, type LoopJob } from "../support/fixLoop.ts"
import { freePort } from "../support/freePort.ts"
import { directedDefects } from "../support/missionLoop.ts"
import { type Headers, send } from "../support/people.ts"
import { withoutRateLimits } from "../support/rateLimits.ts"
import { type Files, type Repository, repositoryAt } from "../support/repositoryAt.ts"
import { scriptedAgent } from "../support/scriptedAgent.ts"
import { aServer, call, keysOf, ownerSession, type RunningServer } from "../support/server.ts"
import type { ChaosDatabase } from "./ChaosDatabase.ts"

/** A process of the service. */
export interface Process {
  readonly role: "all" | "api" | "worker"
  /** Null while it is down. */
  server: RunningServer | null
  /** How often it ended without having been killed. */
  ownEnds: number
  readonly start: Effect.Effect<RunningServer, never, Scope.Scope>
}

export interface World {
  readonly database: ChaosDatabase
  readonly processes: ReadonlyArray<Process>
  readonly repository: Repository
  readonly owner: Headers
  readonly keys: ReadonlyArray<string>
  /** Observations for people to triage, and those that fixes and missions work on. */
  readonly observations: ReadonlyArray<string>
  readonly defects: ReadonlyArray<string>
  readonly branches: ReadonlyArray<string>
}

export interface WorldOptions {
  readonly database: ChaosDatabase
  readonly folder: string
  readonly roles: ReadonlyArray<Process["role"]>
  readonly clients: number
  readonly env?: Readonly<Record<string, string>>
  /** Variables of one process. */
  readonly envOf?: (index: number) => Readonly<Record<string, string>>
}

const defectCount = 60
const branchCount = 6
export const repositoryPath = "/api/repos/acme/shop/main"
export const project = "chaos"

/** Code that is worth some work: findings to triage beside plain functions. */
const sources = (): Files =>
  Object.fromEntries(
    Array.from({ length: 160 }, (_, n) => [
      `src/part${n % 8}/file${n}.js`,
      n % 8 === 0
        ? `import { exec } from "node:child_process"\nexport const run${n} = (req) => exec("ls " + req.query.folder${n})\n`
        : Array.from({ length: 30 }, (_, i) => `export const value${n}_${i} = (x) => x + ${n * i}`).join("\n")
    ])
  )

const aShop = (path: string) => {
  const files = { ...sources(), ...directedDefects(defectCount) }
  const repository = repositoryAt(path, files, { bare: true })
  const branches = Array.from({ length: branchCount }, (_, n) => `change/${n}`)
  for (const branch of branches) {
    repository.git("branch", branch, "main")
    const text = `import { exec } from "node:child_process"\nexport const list = (req) => exec("du " + req.query.path)\n`
    repository.commit({ [`src/${branch.replace("/", "-")}.js`]: text, "docs/notes.md": "Notes.\n" }, { branch })
  }
  return { repository, branches }
}

/** One for all processes: the worker sends webhooks with the secret that an API process has sealed. */
const secretKey = randomBytes(32).toString("base64")

interface ProcessOptions extends Pick<WorldOptions, "folder" | "env" | "envOf"> {
  readonly database: Pick<ChaosDatabase, "url">
}

export const aProcess = (options: ProcessOptions, repository: Repository, role: Process["role"], index: number) =>
  Effect.gen(function* () {
    // Slots for all jobs that run at once: what is measured is that a job goes on elsewhere, not that it waits for its turn there.
    const slots = { ASSAY_JOB_SLOTS: "4" }
    const worker = role === "worker" ? { ASSAY_WORKER_ADDRESS: `127.0.0.1:${yield* freePort}`, ...slots } : {}
    const dataDir = join(options.folder, `${role}-${index}-${randomBytes(3).toString("hex")}`)
    mkdirSync(dataDir)
    const start = aServer({
      dataDir,
      role,
      env: {
        DATABASE_URL: options.database.url,
        ASSAY_LOG_LEVEL: "warn",
        ASSAY_SECRET_KEY: secretKey,
        ASSAY_LOCAL_REPO_ROOTS: repository.path,
        ASSAY_AGENT_COMMAND: scriptedAgent,
        ...worker,
        ...options.env,
        ...options.envOf?.(index)
      }
    })
    return { role, server: yield* start, ownEnds: 0, start } satisfies Process as Process
  })

export const apisOf = ({ processes }: World) => processes.filter(({ role }) => role !== "worker")
export const workersOf = ({ processes }: World) => processes.filter(({ role }) => role !== "api")

/** Starts a process that is down; one that cannot start, because the database is away, tries again. */
export const startAgain = (process: Process): Effect.Effect<RunningServer, never, Scope.Scope> =>
  process.start.pipe(
    Effect.sandbox,
    Effect.retry({ times: 20 }),
    Effect.orDie,
    Effect.tap((server) =>
      Effect.sync(() => {
        process.server = server
      })
    )
  )

/** As the power going, without a new start. */
export const killProcess = (process: Process) =>
  Effect.gen(function* () {
    const { server } = process
    process.server = null
    if (server !== null) yield* server.kill
    return server?.pid ?? 0
  })

/** What a supervisor does: a process that ended by itself is started again. */
export const supervise = ({ processes }: World): Effect.Effect<never, never, Scope.Scope> =>
  Effect.forEach(
    processes,
    (process) =>
      Effect.suspend(() => {
        if (process.server === null || isAlive(process.server.pid)) return Effect.void
        process.ownEnds++
        process.server = null
        return startAgain(process)
      }).pipe(Effect.delay("250 millis"), Effect.forever),
    { concurrency: "unbounded" }
  ).pipe(Effect.zipRight(Effect.never))

interface Found {
  readonly ref: string
  readonly rule_id: string
}

const observationsOf = (server: RunningServer, key: string) =>
  Effect.map(
    call<{ readonly data: ReadonlyArray<Found> }>(server, key, "GET", "/api/observations?limit=200"),
    ({ body }) => body.data
  )

/** Processes of the service on one database, with a repository that was audited and callers with keys. */
export const aWorld = (options: WorldOptions) =>
  Effect.gen(function* () {
    const { database, folder, roles, clients } = options
    const { repository, branches } = aShop(join(folder, "shop"))
    const processes: Array<Process> = []
    for (const [index, role] of roles.entries()) processes.push(yield* aProcess(options, repository, role, index))
    const server = processes[0]?.server
    if (server === undefined || server === null) return yield* Effect.dieMessage("A world needs a process.")
    yield* withoutRateLimits(database.url)
    const owner = yield* ownerSession(server)
    const keys = yield* keysOf(server, owner, { scopes, count: clients })
    yield* database.rows(
      "UPDATE workspaces SET plan = 'paid', features = '{missions,change_reviews,webhooks}', fix_runner = 'agent', max_queued = 200"
    )
    yield* send(server, "POST", "/api/projects", owner, { name: project, slug: project })
    const [key = ""] = keys
    yield* call(server, key, "POST", "/api/repos", {
      github_org: "acme",
      github_repo: "shop",
      clone_url: repository.path
    })
    const audit = yield* call<LoopJob>(server, key, "POST", `${repositoryPath}/jobs`, { workflow: "audit" })
    const ended = yield* endedJob(server, key, audit.body.id)
    if (ended.status !== "completed") return yield* Effect.dieMessage(`The first audit failed: ${ended.error}`)
    const found = yield* observationsOf(server, key)
    const isDefect = ({ rule_id }: Found) => rule_id.endsWith("unsafe_yaml_load")
    return {
      database,
      processes,
      repository,
      owner,
      keys,
      branches,
      observations: found.filter((one) => !isDefect(one)).map(({ ref }) => ref),
      defects: found.filter(isDefect).map(({ ref }) => ref)
    } satisfies World
  })
