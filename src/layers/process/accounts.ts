import { spawnSync } from "node:child_process"
import { openSync, type Stats, statSync } from "node:fs"
import { callNumbers, launcher } from "./launcher.ts"
import { machine } from "./machine.ts"

/** An account for the children of root's service. Of a range that no distribution gives to people or packages. */
export const ownAccount = (id: number): number | null => (process.getuid?.() === 0 ? id : null)

const launched = (steps: ReadonlyArray<string>) => {
  if (machine === null) return null
  const { status, stdout } = spawnSync("perl", ["-e", launcher, callNumbers(machine), ...steps], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env.PATH },
    timeout: 30_000
  })
  return status === 0 ? stdout : null
}

/** By owner and account. A namespace lives as long as a descriptor of it, and costs milliseconds to make. */
const namespaces = new Map<string, string | null>()

/** The user namespace in which the owner of a file is the account, as a file; null where there can be none. */
const namespaceOf = ({ uid, gid }: Stats, account: number): string | null => {
  const key = `${uid} ${gid} ${account}`
  const known = namespaces.get(key)
  if (known !== undefined) return known
  const made = openedNamespace(launched(["owners", String(uid), String(gid), String(account)]))
  namespaces.set(key, made)
  return made
}

const openedNamespace = (printed: string | null): string | null => {
  const pid = Number(printed ?? 0)
  if (!Number.isInteger(pid) || pid <= 0) return null
  try {
    return `/proc/${process.pid}/fd/${openSync(`/proc/${pid}/ns/user`, "r")}`
  } catch {
    return null
  } finally {
    process.kill(pid, "SIGKILL")
  }
}

/** The paths, each with everything below it, as the account's where they are their owner's. Nothing changes on the disk. */
export const owned = (account: number, paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const each = paths.flatMap((path) => {
    const status = statSync(path, { throwIfNoEntry: false })
    return status === undefined ? [] : [[path, namespaceOf(status, account) ?? ""]]
  })
  return ["owned", String(each.length), ...each.flat()]
}

/** By file system, owner and account: the kernel can show some file systems' files as another account's, and not all. */
const givable = new Map<string, boolean>()

/** Whether an account can be given what its owner has at the path. It is tried once, which takes some milliseconds. */
export const canBeGiven = (path: string, account: number): boolean => {
  const status = statSync(path, { throwIfNoEntry: false })
  if (status === undefined) return true
  const key = `${status.dev} ${status.uid} ${status.gid} ${account}`
  const known = givable.get(key)
  if (known !== undefined) return known
  const can = namespaceOf(status, account) !== null && launched([...owned(account, [path]), "run", "true"]) !== null
  givable.set(key, can)
  return can
}

/** In a user namespace root is the owner of its own files only: what is another user's, and closed to others, cannot be shown. */
export const canBeShown = (path: string): boolean => {
  const { uid, mode } = statSync(path, { throwIfNoEntry: false }) ?? { uid: 0, mode: 0o005 }
  return process.getuid?.() !== 0 || uid === 0 || (mode & 0o005) === 0o005
}
