import { execFileSync } from "node:child_process"
import { closeSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"

/** A small file system in memory at this folder, unmounted with the scope; fails where mounting is not possible. */
export const aSmallDisk = (folder: string, megabytes: number) =>
  Effect.acquireRelease(
    Effect.try({
      try: () =>
        execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0755`, "tmpfs", folder], {
          stdio: "pipe"
        }),
      catch: (cause) => new Error(`A small disk cannot be mounted here, so no full disk was tried: ${String(cause)}`)
    }),
    () => Effect.ignore(Effect.try(() => execFileSync("umount", ["--lazy", folder], { stdio: "pipe" })))
  )

const ballast = (folder: string) => join(folder, "ballast")

/** Takes all the room that is left. */
export const fillDisk = (folder: string) =>
  Effect.sync(() => {
    const file = openSync(ballast(folder), "a")
    try {
      for (const size of [1 << 20, 1 << 12]) {
        const block = Buffer.alloc(size, 1)
        for (;;) {
          try {
            if (writeSync(file, block) < size) break
          } catch {
            break
          }
        }
      }
    } finally {
      closeSync(file)
    }
  })

export const emptyDisk = (folder: string) => Effect.sync(() => rmSync(ballast(folder), { force: true }))
