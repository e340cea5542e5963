import { createServer } from "node:net"
import type { TestProject } from "vitest/node"
import type { TestServer } from "./TestPostgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Where test files ask for the PostgreSQL of this run. */
    readonly testServerPort: number
  }
}

interface Running {
  readonly server: TestServer
  readonly stop: () => Promise<void>
}

/** Loaded when it is needed only: a run of pure tests then pays for no database, not even for its modules. */
const startServer = async (): Promise<Running> => {
  const { Effect, Exit, Logger, LogLevel, Scope } = await import("effect")
  const { testServer } = await import("./TestPostgres.ts")
  const scope = Effect.runSync(Scope.make())
  const stop = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const quiet = Logger.withMinimumLogLevel(LogLevel.Error)
  return Effect.runPromise(quiet(Scope.extend(testServer, scope))).then(
    (server) => ({ server, stop }),
    async (error) => {
      await stop()
      throw error
    }
  )
}

/**
 * One server for the whole run, started when the first test file asks and gone with its folders when the run ends. It
 * answers on a loopback port because the forks of a run share no memory.
 */
export default async function setup({ provide }: TestProject) {
  let running: Promise<Running> | undefined
  const listener = createServer((socket) => {
    socket.on("error", () => undefined)
    running ??= startServer()
    running.then(
      ({ server }) => socket.end(JSON.stringify(server)),
      (error) => socket.end(JSON.stringify({ error: String(error) }))
    )
  })
  await new Promise<void>((resolve, reject) => listener.once("error", reject).listen(0, "127.0.0.1", resolve))
  const address = listener.address()
  provide("testServerPort", typeof address === "object" && address !== null ? address.port : 0)
  return async () => {
    listener.close()
    await running?.then(
      ({ stop }) => stop(),
      () => undefined
    )
  }
}
