import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

const launcher = fileURLToPath(new URL("../../bin/assay", import.meta.url))

/** A real `assay serve` in a process of its own, on free ports. */
export interface RunningServer {
  readonly api: string
  readonly docs: string
  readonly admin: string
  readonly pid: number
  /** Everything written to standard error so far. */
  readonly log: () => string
  /** As the power going: no handler runs. */
  readonly kill: Effect.Effect<void>
  readonly stop: Effect.Effect<void>
}

export interface ServerOptions {
  readonly dataDir: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Default: everything in one process. */
  readonly role?: "all" | "api" | "worker"
}

const ended = (child: ChildProcess, signal: NodeJS.Signals) =>
  Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, "exit")
    child.kill(signal)
    await exit
  })

const launch = ({ dataDir, cwd, env, role }: ServerOptions) =>
  Effect.promise(async (): Promise<RunningServer> => {
    const child = spawn(process.execPath, [launcher, "serve", "--role", role ?? "all"], {
      cwd: cwd ?? dataDir,
      env: {
        PATH: process.env.PATH ?? "",
        ASSAY_DATA_DIR: join(dataDir, "data"),
        ASSAY_PORT: "0",
        ASSAY_DOCS_PORT: "0",
        ASSAY_ADMIN_PORT: "0",
        ...env
      },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let log = ""
    child.stderr.on("data", (chunk: Buffer) => {
      log += chunk.toString()
    })
    const lines = createInterface({ input: child.stdout })
    const first = await Promise.race([once(lines, "line"), once(child, "exit").then(() => null)])
    if (first === null) throw new Error(`The server ended before it was ready:\n${log}`)
    // The two streams race; tests read the sign-in link from the log.
    while (!log.includes("/readyz\n")) await once(child.stderr, "data")
    const ready = JSON.parse(first[0]) as Pick<RunningServer, "api" | "docs" | "admin">
    return {
      ...ready,
      pid: child.pid ?? 0,
      log: () => log,
      kill: ended(child, "SIGKILL"),
      stop: ended(child, "SIGTERM")
    }
  })

/** Started with the scope and stopped with it. */
export const aServer = (options: ServerOptions) => Effect.acquireRelease(launch(options), (server) => server.stop)

/** A folder that is gone with the scope. */
export const aTemporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "assay-test-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
)

export interface Answer<A> {
  readonly status: number
  readonly headers: Headers
  readonly body: A
}

/** Headers of the first owner's session, signed in by the link of the log: there is one such link. */
export const ownerSession = (server: RunningServer) =>
  Effect.promise(async () => {
    const token = /#token=(\w+)/.exec(server.log())?.[1] ?? ""
    const json = { "content-type": "application/json" }
    const session = await fetch(`${server.api}/api/session/link`, {
      method: "POST",
      headers: json,
      body: JSON.stringify({ token, password: "a password for tests" })
    })
    const { csrf_token } = (await session.json()) as { csrf_token: string }
    const cookie = session.headers.getSetCookie()[0]?.split(";")[0] ?? ""
    return { ...json, cookie, "x-assay-csrf": csrf_token }
  })

/** API keys of the given scopes that the owner of a session creates: each has rate limits of its own. */
export const keysOf = (
  server: RunningServer,
  headers: Readonly<Record<string, string>>,
  {
    scopes,
    count,
    limits = {},
    name = "test"
  }: {
    readonly scopes: ReadonlyArray<string>
    readonly count: number
    readonly limits?: object
    readonly name?: string
  }
) =>
  Effect.promise(async () => {
    const create = async (name: string) => {
      const created = await fetch(`${server.api}/api/keys`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ name, scopes, ...limits })
      })
      const text = await created.text()
      if (!created.ok) throw new Error(`The key was not created: ${created.status} ${text}`)
      const { api_key } = JSON.parse(text) as { api_key: string }
      return api_key
    }
    return Promise.all(Array.from({ length: count }, (_, n) => create(`${name} ${n}`)))
  })

/** API keys of the given scopes, created as the first owner would. */
export const createKeys = (server: RunningServer, scopes: ReadonlyArray<string>, count: number, limits: object = {}) =>
  Effect.flatMap(ownerSession(server), (headers) => keysOf(server, headers, { scopes, count, limits }))

export const signIn = (server: RunningServer, scopes: ReadonlyArray<string>) =>
  Effect.map(createKeys(server, scopes, 1), ([key = ""]) => key)

export const call = <A>(
  server: RunningServer,
  key: string,
  method: string,
  path: string,
  body?: unknown
): Effect.Effect<Answer<A>> =>
  Effect.promise(async () => {
    const response = await fetch(`${server.api}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: (text === "" ? null : JSON.parse(text)) as A }
  })

export interface StreamedEvent {
  readonly id: number
  readonly stage: string
  readonly type: string
  readonly detail: string
}

/** Reads a job's live stream until `until` says so or the stream ends; the events it saw. */
export const readEvents = (
  server: RunningServer,
  key: string,
  jobId: string,
  until: (event: StreamedEvent) => boolean = () => false
): Effect.Effect<ReadonlyArray<StreamedEvent>> =>
  Effect.promise(async (signal) => {
    const response = await fetch(`${server.api}/api/jobs/${jobId}/events`, {
      headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
      signal
    })
    const seen: Array<StreamedEvent> = []
    if (response.body === null) return seen
    let rest = ""
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split("\n\n")
      rest = blocks.pop() ?? ""
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data === undefined) continue
        const event = { id: Number(/^id: (\d+)$/m.exec(block)?.[1]), ...JSON.parse(data) } as StreamedEvent
        seen.push(event)
        if (until(event)) return seen
      }
    }
    return seen
  })
