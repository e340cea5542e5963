import { randomBytes } from "node:crypto"
import { chownSync, existsSync, readdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import type { Account } from "./Account.ts"
import type { Binaries } from "./Binaries.ts"
import { attempt, EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { accountFolder, removeFolder } from "./Folders.ts"
import { isCluster, type Location } from "./Location.ts"
import { run } from "./Processes.ts"

export const superuser = "assay"

/** For two cores and little memory, written once: `postgresql.conf` is the operator's from then on. */
const settings = {
  shared_buffers: "128MB",
  max_connections: "100",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  effective_cache_size: "512MB",
  random_page_cost: "1.1",
  jit: "off",
  max_wal_size: "512MB",
  min_wal_size: "80MB",
  wal_compression: "on",
  checkpoint_timeout: "15min",
  log_checkpoints: "off",
  log_timezone: "UTC",
  timezone: "UTC",
  // A statement of a process that was killed ends, and its locks with it, rather than when it is done.
  client_connection_check_interval: "1s",
  password_encryption: "scram-sha-256"
}

const draft = "data.new-"

const passwordFile = (root: string) => join(root, "password")

/** The superuser's password: made with the data, readable only by the account that starts the server. */
export const passwordOf = ({ root }: Location) =>
  attempt(`reading ${passwordFile(root)}`, () => readFileSync(passwordFile(root), "utf8").trim())

/** Makes an empty database cluster where there is none; half-made ones of a start that was killed are thrown away. */
export const initialise = (
  { initdb }: Binaries,
  { root, data }: Location,
  account: Account | undefined,
  durable: boolean
): Effect.Effect<void, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    const leftovers = yield* attempt(`reading ${root}`, () =>
      readdirSync(root).filter((name) => name.startsWith(draft))
    )
    yield* Effect.forEach(leftovers, (name) => removeFolder(join(root, name)), { discard: true })
    if (isCluster(data)) return

    const password = randomBytes(24).toString("base64url")
    const staging = join(root, `${draft}${randomBytes(6).toString("hex")}`)
    const given = join(staging, "password")
    yield* attempt(`preparing ${staging}`, () => {
      accountFolder(staging, account)
      accountFolder(join(staging, "data"), account)
      writeFileSync(given, password, { mode: 0o600 })
      if (account !== undefined) chownSync(given, account.uid, account.gid)
      writeFileSync(passwordFile(root), password, { mode: 0o600 })
    })
    const flags = [
      ...["-D", join(staging, "data"), "--username", superuser, "--pwfile", given, "--auth", "scram-sha-256"],
      // The built-in provider sorts by code point and needs no locale of the system.
      ...["--encoding", "UTF8", "--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"],
      "--no-instructions",
      ...(durable ? [] : ["--no-sync"]),
      ...Object.entries(settings).flatMap(([name, value]) => ["--set", `${name}=${value}`])
    ]
    const { code, output } = yield* run(initdb, flags, account)
    if (code !== 0) {
      yield* removeFolder(staging)
      return yield* new EmbeddedPostgresError(
        output.includes("could not look up effective user ID")
          ? {
              reason: "no_account",
              message: `PostgreSQL needs its user in /etc/passwd, and ${process.geteuid?.()} is not there. Add it, start as another user, or set DATABASE_URL.`
            }
          : { reason: "failed", message: `initdb failed (${code}): ${output}` }
      )
    }
    yield* attempt(`moving the new database to ${data}`, () => {
      if (existsSync(data)) rmdirSync(data)
      renameSync(join(staging, "data"), data)
    })
    yield* removeFolder(staging)
  }).pipe(Effect.uninterruptible)
