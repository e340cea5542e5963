import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { type InstallationCheck, InstallationChecks } from "../../services/ports/InstallationChecks.ts"
import type { AppConfig } from "../Config.ts"
import { databaseChecks } from "./databaseChecks.ts"
import type { Found } from "./Found.ts"
import { machineChecks } from "./machineChecks.ts"

const shownOf = ({ status, detail, shown = detail }: Found) => ({ status, detail: shown })

/** Of a failure only that there is one: its text may name a path or an address. */
const check = <E, R>(name: string, effect: Effect.Effect<Found, E, R>): Effect.Effect<InstallationCheck, never, R> =>
  effect.pipe(
    Effect.timeout("10 seconds"),
    Effect.sandbox,
    Effect.match({
      onSuccess: (found) => ({ name, ...shownOf(found) }),
      onFailure: () => ({ name, status: "fail", detail: "the check could not be made" })
    })
  )

/** They reach out, so that a page that is opened often does not. */
const keptFor = "10 seconds"

/** What `assay doctor` checks, as far as owners of workspaces may know it. */
export const installationChecks = (config: AppConfig) =>
  Layer.effect(
    InstallationChecks,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { settings, node, git, memory, disk, ...others } = machineChecks(config)
      const checks = { settings, node, git, memory, disk, ...databaseChecks, ...others }
      const all = Effect.all(
        Object.entries(checks).map(([name, effect]) => check<unknown, SqlClient.SqlClient>(name, effect)),
        { concurrency: "unbounded" }
      )
      return yield* Effect.cachedWithTTL(Effect.provideService(all, SqlClient.SqlClient, sql), keptFor)
    })
  )
