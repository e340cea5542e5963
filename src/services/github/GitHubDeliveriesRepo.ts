import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { countRows, firstRow, hasRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { DeliveryFacts } from "./deliveryFacts.ts"

/** Says that a delivery was accepted. */
export const arrivalChannel = "assay_github_deliveries"

const Delivery = Schema.Struct({
  delivery_id: Schema.String,
  facts: DeliveryFacts,
  attempts: Schema.Int
})
export type Delivery = typeof Delivery.Type

const Registered = Schema.Struct({
  id: RepositoryId,
  workspace_id: WorkspaceId,
  github_org: Schema.String,
  github_repo: Schema.String,
  github_base_branch: Schema.String,
  clone_url: Schema.String,
  auto_review: Schema.Literal("off", "on")
})
export type RegisteredOnGitHub = typeof Registered.Type

/** Deliveries of the app's webhook, and the repositories of all workspaces that they are about. */
export class GitHubDeliveriesRepo extends Effect.Service<GitHubDeliveriesRepo>()("GitHubDeliveriesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** `false` where the delivery was accepted before. */
    const accept = (delivery: {
      readonly delivery_id: string
      readonly event: string
      readonly facts: DeliveryFacts
      readonly at: string
    }) =>
      hasRow(sql`INSERT INTO github_deliveries (delivery_id, event, facts, received_at, next_attempt_at)
          VALUES (${delivery.delivery_id}, ${delivery.event}, ${jsonb(delivery.facts)},
            ${delivery.at}, ${delivery.at})
          ON CONFLICT (delivery_id) DO NOTHING RETURNING 1`)

    /** The oldest that is due; no one else gets it before `until`. */
    const claimDue = (request: { readonly now: string; readonly until: string }) =>
      firstRow(
        Delivery,
        sql`UPDATE github_deliveries SET attempts = attempts + 1, next_attempt_at = ${request.until}
            WHERE delivery_id = (SELECT delivery_id FROM github_deliveries
              WHERE processed_at IS NULL AND next_attempt_at <= ${request.now}
              ORDER BY next_attempt_at, delivery_id LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING delivery_id, facts, attempts`
      )

    const markProcessed = (request: {
      readonly delivery_id: string
      readonly at: string
      readonly error: string | null
    }) =>
      run(sql`UPDATE github_deliveries SET processed_at = ${request.at}, error = ${request.error}
          WHERE delivery_id = ${request.delivery_id}`)

    const postpone = (request: { readonly delivery_id: string; readonly until: string; readonly error: string }) =>
      run(sql`UPDATE github_deliveries SET next_attempt_at = ${request.until}, error = ${request.error}
          WHERE delivery_id = ${request.delivery_id} AND processed_at IS NULL`)

    const forget = (before: string) =>
      countRows(sql`DELETE FROM github_deliveries WHERE received_at < ${before} RETURNING 1`)

    /** Live repositories of all workspaces whose clone URL may mean `owner/repo`: the caller looks closer. */
    const candidates = (name: string) =>
      rows(
        Registered,
        sql`SELECT r.id, r.workspace_id, r.github_org, r.github_repo, r.github_base_branch, r.clone_url, r.auto_review
            FROM repositories r JOIN workspaces w ON w.id = r.workspace_id
            WHERE r.deleted_at IS NULL AND w.suspended_at IS NULL AND r.access_mode = 'installed'
              AND strpos(lower(r.clone_url), lower(${name})) > 0
            ORDER BY r.id`
      )

    const setStatus = (request: { readonly ids: ReadonlyArray<RepositoryId>; readonly status: "active" | "removed" }) =>
      run(sql`UPDATE repositories SET installation_status = ${request.status}
          WHERE id = ANY (${[...request.ids]}::uuid[]) AND installation_status <> ${request.status}`)

    return { accept, claimDue, markProcessed, postpone, forget, candidates, setStatus }
  })
}) {}
