import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { withUnknownRoutes } from "./routeTable.ts"

export interface AdminChecks {
  /** Names of migrations the database lacks; fails when the database does not answer. */
  readonly pendingMigrations: Effect.Effect<ReadonlyArray<string>, unknown>
  /** Names of what cannot be written now, such as on a full disk. */
  readonly notWritable: Effect.Effect<ReadonlyArray<string>>
  /** Prometheus text. */
  readonly metrics: Effect.Effect<string>
}

const unavailable = (details: Readonly<Record<string, unknown>>) =>
  HttpServerResponse.json({ status: "unavailable", ...details }, { status: 503 })

const readiness = ({ pendingMigrations, notWritable }: AdminChecks) =>
  Effect.zip(Effect.timeout(pendingMigrations, "3 seconds"), notWritable).pipe(
    Effect.matchEffect({
      onFailure: () => unavailable({ database: "unreachable" }),
      onSuccess: ([pending, targets]) => {
        if (pending.length > 0) return unavailable({ pending_migrations: pending })
        return targets.length > 0
          ? unavailable({ not_writable: targets })
          : HttpServerResponse.json({ status: "ready" })
      }
    })
  )

/** Health and metrics, for operators and orchestrators: no key, so never on a public address. */
export const adminSite = (checks: AdminChecks) =>
  withUnknownRoutes(
    HttpRouter.empty.pipe(
      HttpRouter.get("/healthz", HttpServerResponse.json({ status: "ok" })),
      HttpRouter.get("/readyz", readiness(checks)),
      HttpRouter.get(
        "/metrics",
        Effect.map(checks.metrics, (text) =>
          HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
        )
      )
    ),
    Effect.succeed(HttpServerResponse.text("Not found\n", { status: 404 }))
  )
