import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"

export interface AdminChecks {
  /** Names of migrations the database lacks; fails when the database does not answer. */
  readonly pendingMigrations: Effect.Effect<ReadonlyArray<string>, unknown>
  /** Prometheus text. */
  readonly metrics: Effect.Effect<string>
}

/** Health and metrics, for operators and orchestrators: no key, so never on a public address. */
export const adminSite = ({ pendingMigrations, metrics }: AdminChecks) =>
  HttpRouter.empty.pipe(
    HttpRouter.get("/healthz", HttpServerResponse.json({ status: "ok" })),
    HttpRouter.get(
      "/readyz",
      pendingMigrations.pipe(
        Effect.timeout("3 seconds"),
        Effect.matchEffect({
          onFailure: () => HttpServerResponse.json({ status: "unavailable", database: "unreachable" }, { status: 503 }),
          onSuccess: (pending) =>
            pending.length === 0
              ? HttpServerResponse.json({ status: "ready" })
              : HttpServerResponse.json({ status: "unavailable", pending_migrations: pending }, { status: 503 })
        })
      )
    ),
    HttpRouter.get(
      "/metrics",
      Effect.map(metrics, (text) =>
        HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
      )
    ),
    Effect.catchTag("RouteNotFound", () => HttpServerResponse.text("Not found\n", { status: 404 }))
  )
