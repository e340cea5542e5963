import { Effect, Record } from "effect"
import type { AppConfig } from "../layers/Config.ts"
import { databaseChecks } from "../layers/checks/databaseChecks.ts"
import { ok } from "../layers/checks/Found.ts"
import { embeddedState } from "../layers/EmbeddedPostgres.ts"
import { layerFromConnection, layerFromUrl } from "../layers/Sql.ts"

const through = (pool: ReturnType<typeof layerFromUrl>) =>
  Record.map(databaseChecks, (check) => Effect.provide(check, pool))

const unasked = (detail: string) => ({ database: Effect.succeed(ok(detail)) })

/** The checks of the database, which is neither made nor started for them; and the process that runs it, if one does. */
export const database = ({ dataDir, databaseUrl }: AppConfig) =>
  Effect.gen(function* () {
    const options = { maxConnections: 2, applicationName: "assay doctor" }
    if (databaseUrl !== null) return { running: null, results: through(layerFromUrl(databaseUrl, options)) }
    const state = yield* Effect.either(embeddedState(dataDir))
    if (state._tag === "Left") return { running: null, results: { database: Effect.fail(state.left) } }
    switch (state.right.status) {
      case "running":
        return { running: state.right.pid, results: through(layerFromConnection(state.right.connection, options)) }
      case "stopped":
        return { running: null, results: unasked(`stopped, in ${state.right.data}; its migrations show while it runs`) }
      case "none":
        return { running: null, results: unasked("none yet; the first start makes it") }
    }
  })
