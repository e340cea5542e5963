import { randomUUID } from "node:crypto"
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { Data, Effect } from "effect"

/** Another process works in the folder. */
export class FolderTaken extends Data.TaggedError("FolderTaken")<{ readonly message: string }> {}

const pulse = "30 seconds"
/** A holder that lives touches its lock more often than this. */
const abandonedAfterMillis = 5 * 60_000

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

const isAbandoned = async (path: string, holder: string): Promise<boolean> => {
  const [pid = "", host] = holder.split(" ")
  if (host === hostname() && !isAlive(Number(pid))) return true
  const { mtimeMs } = await stat(path)
  return Date.now() - mtimeMs > abandonedAfterMillis
}

/** Whether the lock is ours now. One that its holder left is put away first, by one of those who find it. */
const take = async (path: string, mark: string): Promise<boolean> => {
  for (const isLast of [false, true]) {
    const isTaken = await writeFile(path, mark, { flag: "wx", mode: 0o600 }).then(
      () => false,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return true
        throw error
      }
    )
    if (!isTaken) return true
    const holder = await readFile(path, "utf8").catch(() => null)
    if (isLast || (holder !== null && !(await isAbandoned(path, holder).catch(() => false)))) return false
    const away = `${path}.${randomUUID()}`
    await rename(path, away).catch(() => undefined)
    await rm(away, { force: true })
  }
  return false
}

/** Runs the effect while no other process on this folder, on whatever machine, runs one. */
export const withFolderLock = <A, E, R>(
  folder: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | FolderTaken, R> => {
  const path = join(folder, "update.lock")
  const mark = `${process.pid} ${hostname()} ${randomUUID()}`
  const acquire = Effect.promise(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return take(path, mark)
  }).pipe(
    Effect.filterOrFail(
      (isOurs) => isOurs,
      () => new FolderTaken({ message: "Another process updates the advisories now; wait for its end." })
    )
  )
  const touch = Effect.promise(() => utimes(path, new Date(), new Date()).catch(() => undefined))
  return Effect.acquireUseRelease(
    acquire,
    () => Effect.raceFirst(effect, Effect.forever(Effect.delay(touch, pulse))),
    () => Effect.promise(() => rm(path, { force: true }))
  )
}
