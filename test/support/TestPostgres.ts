import { randomBytes } from "node:crypto"
import { chmodSync, existsSync, mkdtempSync, statfsSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted, type Scope } from "effect"
import pg from "pg"
import { startEmbeddedPostgres } from "../../src/layers/EmbeddedPostgres.ts"
import { upToDate } from "../../src/layers/OnlineIndexes.ts"
import { layerFromUrl } from "../../src/layers/Sql.ts"

/** The server of this run, as a test file knows it. */
export interface TestServer {
  /** Of the maintenance database, for creating and dropping others. */
  readonly url: string
  readonly template: string
}

/** Runs one statement on a connection of its own. */
export const administer = (url: string, statement: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    client.on("error", () => undefined)
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  })

/** The same server, another database. */
export const urlOf = (url: string, database: string): string => {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

const folderIn = (parent: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(parent, "assay-test-"))
      chmodSync(folder, 0o755)
      return folder
    }),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  )

/** A folder that every account may enter: as root, postgres runs as another account. */
export const temporaryFolder = folderIn(tmpdir())

const memory = "/dev/shm"
const neededBytes = 4e9

/**
 * Where the server of a run keeps its data: each test file has a database of its own, of 740 files, and ext4 takes long to
 * make so many shortly after it removed others (0.35 s of CPU, here 0.03 s). Containers often have little of this memory.
 */
const dataParent = () => {
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= neededBytes ? memory : tmpdir()
}

const embedded = Effect.gen(function* () {
  const dataDir = yield* Effect.flatMap(Effect.sync(dataParent), folderIn)
  const { connection } = yield* startEmbeddedPostgres({ dataDir, durability: "none" })
  const { user, password, host, port } = connection
  return `postgres://${user}:${Redacted.value(password)}@localhost:${port}/postgres?host=${encodeURIComponent(host)}`
})

/** A server with a migrated template; `DATABASE_URL` names one of yours, else the bundled one is started. */
export const testServer: Effect.Effect<TestServer, unknown, Scope.Scope> = Effect.gen(function* () {
  const url = process.env.DATABASE_URL ?? (yield* embedded)
  const template = `assay_template_${randomBytes(6).toString("hex")}`
  yield* Effect.acquireRelease(administer(url, `CREATE DATABASE ${template}`), () =>
    administer(url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`)
  )
  // The pool is closed before anybody clones: a template may have no other connections.
  yield* Effect.provide(upToDate, layerFromUrl(Redacted.make(urlOf(url, template)), { maxConnections: 2 }))
  return { url, template }
})
