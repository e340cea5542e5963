import { spawn } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Redacted } from "effect"
import pg from "pg"
import { startEmbeddedPostgres } from "../../../dist/layers/EmbeddedPostgres.js"
import { upToDate } from "../../../dist/layers/OnlineIndexes.js"
import { layerFromUrl } from "../../../dist/layers/Sql.js"

// Workers on a database of their own, without an API; jobs are queued by the same row and notification as submitting writes.

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const startWorker = async (url, { slots, stageMillis }) => {
  const file = fileURLToPath(new URL("worker.mjs", import.meta.url))
  return spawn(process.execPath, [file, String(await freePort()), String(slots), String(stageMillis)], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
    stdio: ["ignore", "ignore", "inherit"]
  })
}

const stopWorker = (child) =>
  new Promise((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.once("exit", resolve)
    child.kill("SIGTERM")
  })

const actor = `'{"kind":"user","label":"owner@example.org","api_key_id":null,"user_id":null}'::jsonb`

/** A workspace with some repositories. */
export const aWorkspace = async (client) => {
  const { rows } = await client.query(
    "INSERT INTO workspaces (id, name, created_at) VALUES (gen_random_uuid(), 'bench', now()) RETURNING id"
  )
  const workspace = rows[0].id
  await client.query(
    `INSERT INTO repositories (id, workspace_id, github_org, github_repo, github_base_branch, access_mode, clone_url, created_at)
      SELECT gen_random_uuid(), $1, 'acme', 'service-' || n, 'main', 'anonymous', 'https://git.example.org/' || n, now()
      FROM generate_series(1, 20) n`,
    [workspace]
  )
  return workspace
}

export const queue = (client, workspace, count) =>
  client.query(
    `WITH made AS (
      INSERT INTO jobs (id, workspace_id, repository_id, workflow, status, params, dedupe_hash, original_job_id,
        requested_by, event_seq, created_at, queued_at)
      SELECT id, $1, ids[1 + n % 20], 'audit', 'pending', jsonb_build_object('depth', n), id::text, id, ${actor}, 1, at, at
      FROM (SELECT gen_random_uuid() AS id, n, clock_timestamp() AS at FROM generate_series(1, $2::int) n) j,
        (SELECT array_agg(id) AS ids FROM repositories WHERE workspace_id = $1) r
      RETURNING id
    ), noted AS (
      INSERT INTO job_events (job_id, seq, ts, stage, type, detail) SELECT id, 1, now(), 'job', 'status_changed', 'Queued.' FROM made
    )
    SELECT pg_notify('job_dispatch', ''), array_agg(id) AS ids FROM made`,
    [workspace, count]
  )

const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis))

/** Once the condition, a query of one boolean, holds. */
export const until = async (client, condition, values = [], seconds = 300) => {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(20)) {
    const { rows } = await client.query(`SELECT (${condition}) AS holds`, values)
    if (rows[0].holds) return
  }
  throw new Error(`not within ${seconds} s: ${condition}`)
}

/** What eight workers and two API processes need; as `docs/sizing.md` says, 28 each. */
const connections = 300

/** In force from the next start. */
const allowConnections = (dataDir) =>
  Effect.gen(function* () {
    const { connection } = yield* startEmbeddedPostgres({ dataDir })
    const { host, port, user, database, password } = connection
    yield* Effect.promise(async () => {
      const client = new pg.Client({ host, port, user, database, password: Redacted.value(password) })
      await client.connect()
      await client.query(`ALTER SYSTEM SET max_connections = ${connections}`)
      await client.end()
    })
  }).pipe(Effect.scoped)

/** `use` gets a client, the address of its database, what makes a workspace and queues jobs in it, and what runs with so many workers. */
export const withWorkers = async (use) => {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-jobs-"))
  chmodSync(dataDir, 0o755)
  const inside = Effect.gen(function* () {
    yield* allowConnections(dataDir)
    const { connection } = yield* startEmbeddedPostgres({ dataDir })
    const { host, port, user, database } = connection
    const password = Redacted.value(connection.password)
    const url = `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
    yield* Effect.provide(upToDate, layerFromUrl(Redacted.make(url), { maxConnections: 2 }))
    yield* Effect.promise(async () => {
      const client = new pg.Client({ host, port, user, database, password })
      await client.connect()
      const { rows } = await client.query("SELECT pg_read_file('postmaster.pid', 0, 10) AS pid")
      const running = async (count, settings, work) => {
        const workers = await Promise.all(Array.from({ length: count }, () => startWorker(url, settings)))
        try {
          // One job of each: connections, shards and compiled code are there before anything is measured.
          const workspace = await aWorkspace(client)
          await queue(client, workspace, count * 20)
          await until(client, "NOT EXISTS (SELECT FROM jobs WHERE status IN ('pending', 'running'))")
          return await work(workers)
        } finally {
          await Promise.all(workers.map(stopWorker))
        }
      }
      try {
        await use({
          client,
          url,
          running,
          postmaster: Number(rows[0].pid.split("\n")[0]),
          aWorkspace: () => aWorkspace(client),
          queue: async (workspace, count) => (await queue(client, workspace, count)).rows[0].ids
        })
      } finally {
        await client.end()
      }
    })
  })
  try {
    await Effect.runPromise(Effect.scoped(inside))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
