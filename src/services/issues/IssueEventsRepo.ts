import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { AuditActor } from "../../schema/AuditLog.ts"
import type { IssueId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { IssueEvent, type IssueEventName } from "../../schema/Issue.ts"
import { Count } from "../../schema/Text.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { onlyRow, rows } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { IssueColumnsRepo, type Sight } from "./IssueColumnsRepo.ts"

export interface EventRow {
  readonly id: string
  readonly workspace_id: WorkspaceId
  readonly issue_id: IssueId
  readonly event: IssueEventName
  readonly actor: AuditActor
  readonly at: string
  readonly detail: Readonly<Record<string, unknown>> | null
  readonly fence: number | null
  readonly repository_id: RepositoryId | null
  readonly other_id: IssueId | null
}

/** With its position in the list. */
const ListedEvent = Schema.Struct({ ...IssueEvent.fields, seq: Count })

const newestFirst = keyset("DESC", { "e.seq": "bigint" })

export class IssueEventsRepo extends Effect.Service<IssueEventsRepo>()("IssueEventsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { unhidden } = yield* IssueColumnsRepo

    const shown = sql.literal("e.id, e.event, e.actor, e.at, e.detail, e.fence")

    /** Slug of a level whose ID the detail holds; null where it is hidden. */
    const levelOf = (sight: Sight, name: "from" | "to") => sql`(SELECT p.slug FROM projects p
      WHERE p.workspace_id = ${sight.workspace_id} AND p.id = (e.detail ->> ${sql.literal(`'${name}'`)})::uuid
        AND p.id <> ALL (${[...sight.hidden_levels]}::uuid[]))`

    const insert = (event: EventRow) =>
      onlyRow(
        IssueEvent,
        sql`/* prepared */
          INSERT INTO issue_events AS e (id, workspace_id, issue_id, event, actor, at, detail, fence, repository_id,
              other_id)
            VALUES (${event.id}, ${event.workspace_id}, ${event.issue_id}, ${event.event}, ${jsonb(event.actor)},
              ${event.at}, ${jsonb(event.detail)}, ${event.fence}, ${event.repository_id}, ${event.other_id})
            RETURNING ${shown}`
      )

    /** Newest first, without those that name an issue which the caller may not see. */
    const list = (
      sight: Sight,
      request: { readonly issue_id: IssueId; readonly after: Position | null; readonly limit: number }
    ) =>
      rows(
        ListedEvent,
        sql`/* prepared */
          SELECT e.id, e.event, e.actor, e.at, e.fence, e.seq,
            CASE e.event WHEN 'moved' THEN jsonb_build_object('from', ${levelOf(sight, "from")}, 'to',
              ${levelOf(sight, "to")}) ELSE e.detail END AS detail
          FROM issue_events e
          WHERE e.workspace_id = ${sight.workspace_id} AND e.issue_id = ${request.issue_id}
            AND (e.other_id IS NULL OR EXISTS (SELECT 1 FROM issues o
              WHERE o.id = e.other_id AND o.workspace_id = ${sight.workspace_id} AND ${unhidden("o", sight)}))
            AND ${newestFirst.after(request.after)}
          ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
      )

    return { insert, list }
  })
}) {}
