import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { RepositoryId, WebhookId, type WorkspaceId } from "../../schema/Ids.ts"
import { Count } from "../../schema/Text.ts"
import { Webhook } from "../../schema/Webhook.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, onlyRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"

export const WebhookRow = Schema.Struct({
  ...Webhook.fields,
  repository_ids: Schema.NullOr(Schema.Array(RepositoryId)),
  sealed_secret: Schema.String
})
export type WebhookRow = typeof WebhookRow.Type

export interface WebhookKey {
  readonly workspace_id: WorkspaceId
  readonly id: WebhookId
}

/** What people decide of an endpoint. */
export type WebhookContent = Pick<WebhookRow, "url" | "events" | "description" | "repository_ids" | "min_priority"> &
  Pick<WebhookRow, "active" | "disabled_reason" | "failing_since">

const Total = Schema.Struct({ n: Count })
const oldestFirst = keyset("ASC", { "w.created_at": "timestamptz", "w.id": "uuid" })

/** Webhook endpoints. */
export class WebhooksRepo extends Effect.Service<WebhooksRepo>()("WebhooksRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const webhooksOf = (workspace_id: WorkspaceId) =>
      sql`SELECT w.id, w.url, w.events, w.description, w.min_priority, w.active, w.disabled_reason, w.failing_since,
          w.previous_secret_expires_at, w.created_by, w.created_at, w.updated_at, w.repository_ids, w.sealed_secret,
          CASE WHEN w.repository_ids IS NOT NULL THEN ARRAY(
            SELECT r.github_org || '/' || r.repo_name FROM repositories r
            WHERE r.id = ANY (w.repository_ids) AND r.deleted_at IS NULL ORDER BY 1) END AS repos
        FROM webhooks w WHERE w.workspace_id = ${workspace_id}`

    const list = (request: {
      readonly workspace_id: WorkspaceId
      readonly after: Position | null
      readonly limit: number
    }) =>
      rows(
        WebhookRow,
        sql`${webhooksOf(request.workspace_id)} AND ${oldestFirst.after(request.after)}
          ORDER BY ${oldestFirst.by} LIMIT ${request.limit + 1}`
      )

    const find = ({ workspace_id, id }: WebhookKey) =>
      firstRow(WebhookRow, sql`${webhooksOf(workspace_id)} AND w.id = ${id}`)

    /** No one else changes it until the transaction ends. */
    const lock = ({ workspace_id, id }: WebhookKey) =>
      firstRow(WebhookRow, sql`${webhooksOf(workspace_id)} AND w.id = ${id} FOR NO KEY UPDATE OF w`)

    /** Endpoints of a workspace are made one at a time: their number is checked exactly. */
    const lockWebhooksOf = (workspace_id: WorkspaceId) =>
      run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`assay/webhooks/${workspace_id}`}, 0))`)

    const countOf = (workspace_id: WorkspaceId) =>
      Effect.map(
        onlyRow(Total, sql`SELECT count(*)::int AS n FROM webhooks WHERE workspace_id = ${workspace_id}`),
        ({ n }) => n
      )

    const insert = ({
      repository_ids,
      created_by,
      events,
      ...webhook
    }: WebhookKey &
      Omit<WebhookContent, "active" | "disabled_reason" | "failing_since"> &
      Pick<WebhookRow, "sealed_secret" | "created_by" | "created_at">) =>
      run(sql`INSERT INTO webhooks (id, workspace_id, url, events, description, repository_ids, min_priority,
          sealed_secret, created_by, created_at, updated_at)
        VALUES (${webhook.id}, ${webhook.workspace_id}, ${webhook.url}, ${[...events]}::text[], ${webhook.description},
          ${repository_ids === null ? null : [...repository_ids]}::uuid[], ${webhook.min_priority},
          ${webhook.sealed_secret}, ${jsonb(created_by)}, ${webhook.created_at}, ${webhook.created_at})`)

    const update = ({ workspace_id, id, at, ...content }: WebhookKey & WebhookContent & { readonly at: string }) =>
      run(sql`UPDATE webhooks SET url = ${content.url}, events = ${[...content.events]}::text[],
          description = ${content.description}, min_priority = ${content.min_priority}, active = ${content.active},
          repository_ids = ${content.repository_ids === null ? null : [...content.repository_ids]}::uuid[],
          disabled_reason = ${content.disabled_reason}, failing_since = ${content.failing_since}::timestamptz,
          updated_at = ${at}
        WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    /** The secret in force becomes the previous one. */
    const rotate = (
      change: WebhookKey & { readonly sealed_secret: string; readonly expires_at: string; readonly at: string }
    ) =>
      run(sql`UPDATE webhooks SET sealed_previous_secret = sealed_secret, sealed_secret = ${change.sealed_secret},
          previous_secret_expires_at = ${change.expires_at}, updated_at = ${change.at}
        WHERE workspace_id = ${change.workspace_id} AND id = ${change.id}`)

    const remove = ({ workspace_id, id }: WebhookKey) =>
      run(sql`DELETE FROM webhooks WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    return { list, find, lock, lockWebhooksOf, countOf, insert, update, rotate, remove }
  })
}) {}
