import { chmodSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"

/** A folder that no other user can enter, for the time of one call. Its path is short: sockets' paths must be. */
export const privateFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "assay-git-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** A socket in the folder that answers this user's processes for the time of the scope; gives its path. */
export const privateSocket = (
  folder: string,
  name: string,
  accept: (socket: Socket) => void
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.suspend(() => {
    const path = join(folder, name)
    const open = new Set<Socket>()
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      open.add(socket)
      // git may be gone before it has read its answer.
      socket.on("error", () => {}).on("close", () => open.delete(socket))
      accept(socket)
    })
    const listening = Effect.async<string>((resume) => {
      server.once("error", (error) => resume(Effect.die(error)))
      server.listen(path, () => {
        chmodSync(path, 0o600)
        resume(Effect.succeed(path))
      })
    })
    const close = Effect.async<void>((resume) => {
      for (const socket of open) socket.destroy()
      server.close(() => resume(Effect.void))
    })
    return Effect.acquireRelease(listening, () => close)
  })
