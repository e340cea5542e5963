import { createHash } from "node:crypto"
import { chmodSync, chownSync, lstatSync, mkdirSync, rmdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import type { Account } from "./Account.ts"
import { attempt, EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { run } from "./Processes.ts"

/** Folders outside the data folder, best first; used when the postgres account cannot reach what we would rather use. */
export const elsewhere = (name: string): ReadonlyArray<string> =>
  process.platform === "win32"
    ? [join(tmpdir(), `assay-${name}`)]
    : [join("/var/lib/assay", name), join(tmpdir(), `assay-${name}`)]

/** A short name that stays the same for the same path. */
export const shortHash = (path: string): string => createHash("sha256").update(path).digest("hex").slice(0, 12)

/**
 * Makes a folder of ours. One that another user owns or may write to is rejected: under a shared temporary folder it could
 * be a trap.
 */
export const ownFolder = (path: string, mode: number) => {
  mkdirSync(path, { recursive: true, mode })
  const stat = lstatSync(path)
  const uid = process.geteuid?.()
  if (!stat.isDirectory() || (uid !== undefined && (stat.uid !== uid || (stat.mode & 0o022) !== 0))) {
    throw new EmbeddedPostgresError({
      reason: "unreachable",
      message: `${path} exists and belongs to, or may be changed by, another user.`
    })
  }
}

/** Makes a folder, where it is missing, that everybody may pass through whatever our umask is. */
export const openFolder = (path: string) => {
  if (mkdirSync(path, { recursive: true, mode: 0o755 }) !== undefined) chmodSync(path, 0o755)
}

/** Makes a folder that only the postgres account may enter. */
export const accountFolder = (path: string, account: Account | undefined) => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (account !== undefined) {
    chownSync(path, account.uid, account.gid)
    chmodSync(path, 0o700)
  }
}

/**
 * Closes a folder of root's to everyone but root and the account's group. What is in it belongs to the account, and would
 * be open to every process of the account otherwise.
 */
export const guardFolder = (path: string, account: Account | undefined) => {
  if (account === undefined || lstatSync(path).uid !== 0) return
  chownSync(path, 0, account.gid)
  chmodSync(path, 0o710)
}

/** Whether the account gets to a folder, tried for real: modes alone do not know of ACLs and network mounts. */
export const reaches = (pgCtl: string, folder: string, account: Account | undefined) =>
  Effect.map(
    run(pgCtl, ["status", "-D", folder], account),
    ({ output }) => !/could not (access|read|open)/.test(output)
  )

export const removeFolder = (path: string) =>
  Effect.ignore(attempt(`removing ${path}`, () => rmSync(path, { recursive: true, force: true })))

export const removeIfEmpty = (path: string) => Effect.ignore(attempt(`removing ${path}`, () => rmdirSync(path)))
