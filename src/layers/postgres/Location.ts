import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import type { Account } from "./Account.ts"
import { attempt, EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import {
  accountFolder,
  elsewhere,
  guardFolder,
  openFolder,
  ownFolder,
  reaches,
  removeFolder,
  removeIfEmpty,
  shortHash
} from "./Folders.ts"

/** Where one installation's database lives. */
export interface Location {
  /** Below the data folder: the lock and, when the data is elsewhere, the note that says where. */
  readonly home: string
  /** Holds the data, the password and, where their names are short enough, the sockets. */
  readonly root: string
  readonly data: string
}

export const isCluster = (data: string) => existsSync(join(data, "PG_VERSION"))

/** The major version of PostgreSQL that made the data. */
export const majorOf = ({ data }: Location) =>
  attempt(`reading the version of ${data}`, () => Number(readFileSync(join(data, "PG_VERSION"), "utf8")))

/** Names the folder the data was moved to; stays beside the lock so that the next start finds the same data. */
const noteIn = (home: string) => join(home, "location")

/** Makes `<dataDir>/postgres`. */
export const homeIn = (dataDir: string, account: { readonly isRoot: boolean }) =>
  attempt(`making ${dataDir}`, () => {
    openFolder(dataDir)
    const home = join(realpathSync(dataDir), "postgres")
    if (account.isRoot) openFolder(home)
    else mkdirSync(home, { recursive: true, mode: 0o700 })
    try {
      accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch (cause) {
      throw new EmbeddedPostgresError({
        reason: "unreachable",
        message: `${home} belongs to the user ${statSync(home).uid} and is closed to this one. Start as that user, or choose another ASSAY_DATA_DIR.`,
        cause
      })
    }
    return home
  })

/** The data an earlier start made, if any. */
export const earlier = (home: string): Effect.Effect<Location | undefined, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    const file = noteIn(home)
    if (existsSync(file)) {
      const root = (yield* attempt(`reading ${file}`, () => readFileSync(file, "utf8"))).trim()
      if (!isCluster(join(root, "data"))) {
        return yield* new EmbeddedPostgresError({
          reason: "data",
          message: `${file} says that the database is in ${root}, but it is not there. Bring it back, or remove ${file} to start with an empty one.`
        })
      }
      return { home, root, data: join(root, "data") }
    }
    return isCluster(join(home, "data")) ? { home, root: home, data: join(home, "data") } : undefined
  })

const unreachable = (data: string, account: Account | undefined) =>
  new EmbeddedPostgresError({
    reason: "unreachable",
    message: `${account === undefined ? "This user" : `The user ${account.name} (${account.uid})`} cannot reach the database in ${data}. Start as the user that made it, open the folders above it, or choose another ASSAY_DATA_DIR.`
  })

export const prepare = (home: string, root: string, account: Account | undefined) =>
  attempt(`making ${root}`, () => {
    if (root !== home) {
      openFolder(join(root, ".."))
      ownFolder(root, 0o710)
    }
    guardFolder(root, account)
    accountFolder(join(root, "data"), account)
    return { home, root, data: join(root, "data") } satisfies Location
  })

/** The next start looks here for the database: in the one folder or, after a crash, in the other. */
export const note = ({ home, root }: Pick<Location, "home" | "root">) =>
  attempt(`writing ${noteIn(home)}`, () => {
    writeFileSync(`${noteIn(home)}.new`, `${root}\n`)
    renameSync(`${noteIn(home)}.new`, noteIn(home))
  })

const noteElsewhere = (home: string, root: string, account: Account | undefined) =>
  Effect.zipRight(
    note({ home, root }),
    Effect.logWarning(`The user ${account?.name} cannot reach ${home}; the database is in ${root}.`)
  )

/** A data folder below a root; undefined, and nothing left behind, where the account cannot reach it. */
const preparedIn = (home: string, root: string, account: Account | undefined, pgCtl: string) =>
  Effect.gen(function* () {
    const made = yield* Effect.option(prepare(home, root, account))
    if (made._tag === "None") return undefined
    if (yield* reaches(pgCtl, made.value.data, account)) {
      if (root !== home) yield* noteElsewhere(home, root, account)
      return made.value
    }
    yield* removeIfEmpty(made.value.data)
    if (root !== home) yield* removeIfEmpty(root)
    return undefined
  })

const rootsFor = (home: string, account: Account | undefined): ReadonlyArray<string> =>
  account === undefined ? [home] : [home, ...elsewhere(shortHash(home))]

/** The earlier start's data, else an empty folder for it: below the data folder if the account gets there. */
export const locate = (home: string, account: Account | undefined, pgCtl: string) =>
  Effect.gen(function* () {
    const known = yield* earlier(home)
    if (known !== undefined) {
      yield* attempt(`closing ${known.root}`, () => guardFolder(known.root, account))
      return (yield* reaches(pgCtl, known.data, account)) ? known : yield* unreachable(known.data, account)
    }
    for (const root of rootsFor(home, account)) {
      const location = yield* preparedIn(home, root, account, pgCtl)
      if (location !== undefined) return location
    }
    return yield* unreachable(join(home, "data"), account)
  })

const socketName = "/.s.PGSQL.5432"
const longestSocket = process.platform === "linux" ? 107 : 103
const shared = "assay-pg-"

const fits = (folder: string) => Buffer.byteLength(folder + socketName) <= longestSocket

/** Folder of the Unix socket, empty: a socket path has room for 107 bytes, so a deep data folder's is elsewhere. */
export const socketFolder = (root: string, account: Account | undefined, pgCtl: string) =>
  Effect.gen(function* () {
    const near = join(root, "run")
    if (fits(near)) {
      yield* removeFolder(near)
      yield* attempt(`making ${near}`, () => accountFolder(near, account))
      return near
    }
    for (const parent of [tmpdir(), "/tmp"]) {
      const made = yield* Effect.option(
        attempt(`making a folder in ${parent}`, () => mkdtempSync(join(parent, shared)))
      )
      if (made._tag === "None") continue
      yield* Effect.addFinalizer(() => removeFolder(made.value))
      const inner = join(made.value, "s")
      yield* attempt(`opening ${inner}`, () => {
        guardFolder(made.value, account)
        accountFolder(inner, account)
      })
      if (fits(inner) && (yield* reaches(pgCtl, inner, account))) return inner
    }
    return yield* new EmbeddedPostgresError({
      reason: "unreachable",
      message: `No folder for PostgreSQL's socket: ${near} is longer than the ${longestSocket} bytes a socket may have and neither ${tmpdir()} nor /tmp serves.`
    })
  })
