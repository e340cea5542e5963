import { createWriteStream, existsSync, readdirSync, renameSync, rmSync } from "node:fs"
import { open } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import type { Writable } from "node:stream"
import { Effect } from "effect"
import { isAlive } from "../postgres/Processes.ts"
import { asBackupError, BackupError } from "./BackupError.ts"

const partialName = /\.(\d+)\.partial$/

/** What a write that was killed left beside the file. */
const removeLeftovers = (file: string) => {
  for (const name of readdirSync(dirname(file))) {
    const pid = partialName.exec(name)?.[1]
    if (name.startsWith(`${basename(file)}.`) && pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(dirname(file), name), { force: true })
  }
}

/**
 * Writes a file that only its owner may read. It gets its name when it is complete and on the disk; when `write` fails or
 * is interrupted, nothing is left.
 */
export const writePrivateFile = <A, E>(path: string, write: (target: Writable) => Effect.Effect<A, E>) => {
  const file = resolve(path)
  const partial = `${file}.${process.pid}.partial`
  const prepare = Effect.try({
    try: () => {
      if (existsSync(file)) {
        throw new BackupError({ message: `${file} exists; choose another name, or remove it first.` })
      }
      removeLeftovers(file)
    },
    catch: asBackupError(`Cannot write ${file}`)
  })
  const opened = Effect.acquireRelease(
    Effect.tryPromise({ try: () => open(partial, "wx", 0o600), catch: asBackupError(`Cannot write ${file}`) }),
    (handle) => Effect.promise(() => handle.close().catch(() => undefined))
  )
  return Effect.gen(function* () {
    yield* prepare
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(partial, { force: true })))
    const handle = yield* opened
    const result = yield* write(createWriteStream("", { fd: handle.fd, autoClose: false }))
    yield* Effect.tryPromise({
      try: async () => {
        await handle.sync()
        renameSync(partial, file)
      },
      catch: asBackupError(`Cannot write ${file}`)
    })
    return result
  }).pipe(Effect.scoped)
}
