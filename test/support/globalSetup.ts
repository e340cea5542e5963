import type { TestProject } from "vitest/node"
import { onDemand, type Running } from "./onDemand.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Where test files ask for the PostgreSQL of this run. */
    readonly testServerPort: number
    /** Where they ask for its browser. */
    readonly browserPort: number
  }
}

/** Loaded when it is needed only: a run of pure tests then pays for no database, not even for its modules. */
const startServer = async (): Promise<Running> => {
  const { Effect, Exit, Logger, LogLevel, Scope } = await import("effect")
  const { testServer } = await import("./TestPostgres.ts")
  const scope = Effect.runSync(Scope.make())
  const stop = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const quiet = Logger.withMinimumLogLevel(LogLevel.Error)
  return Effect.runPromise(quiet(Scope.extend(testServer, scope))).then(
    (answer) => ({ answer, stop }),
    async (error) => {
      await stop()
      throw error
    }
  )
}

const startBrowser = async (): Promise<Running> => {
  const { browserServer } = await import("../web/support/browserServer.ts")
  return browserServer()
}

/** One database server and one browser for the whole run, gone with their folders when it ends. */
export default async function setup({ provide }: TestProject) {
  const server = await onDemand(startServer)
  provide("testServerPort", server.port)
  const browser = await onDemand(startBrowser)
  provide("browserPort", browser.port)
  return async () => {
    await browser.stop()
    await server.stop()
  }
}
