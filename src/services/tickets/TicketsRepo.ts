import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { ObservationId, type RepositoryId, TicketId, type WorkspaceId } from "../../schema/Ids.ts"
import { Count, Instant } from "../../schema/Text.ts"
import type { TrackerKind } from "../../schema/Tracker.ts"
import { firstRow, hasRow, run } from "../support/rows.ts"

/** The right to publish an observation's ticket until `held_until`. */
export const Claim = Schema.Struct({
  id: TicketId,
  /** When it was claimed for the first time: its ticket is no older. */
  claimed_at: Instant,
  /** Counts those who tried. */
  attempt: Count
})
export type Claim = typeof Claim.Type

/** The observation whose ticket it is. */
interface Subject {
  readonly workspace_id: WorkspaceId
  readonly observation_id: ObservationId
}

const Repository = Schema.Struct({ repository_id: Schema.String })

export class TicketsRepo extends Effect.Service<TicketsRepo>()("TicketsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const repositoryOf = ({ workspace_id, observation_id }: Subject) =>
      firstRow(
        Repository,
        sql`SELECT repository_id FROM observations WHERE workspace_id = ${workspace_id} AND id = ${observation_id}`
      )

    /** One of all who ask gets it, until its time is over or it is released; no one once the ticket is published. */
    const claim = (
      request: Subject & {
        readonly id: TicketId
        readonly repository_id: RepositoryId
        readonly kind: TrackerKind
        readonly base_url: string
        readonly project: string
        readonly now: string
        readonly until: string
      }
    ) =>
      firstRow(
        Claim,
        sql`INSERT INTO tickets AS t (observation_id, workspace_id, repository_id, id, kind, base_url, project,
            claimed_at, held_until, attempt)
          VALUES (${request.observation_id}, ${request.workspace_id}, ${request.repository_id}, ${request.id},
            ${request.kind}, ${request.base_url}, ${request.project}, ${request.now}, ${request.until}, 1)
          ON CONFLICT (observation_id) DO UPDATE SET held_until = excluded.held_until, attempt = t.attempt + 1,
            kind = excluded.kind, base_url = excluded.base_url, project = excluded.project
          WHERE t.workspace_id = excluded.workspace_id AND t.url IS NULL AND t.held_until <= ${request.now}
          RETURNING id, claimed_at, attempt`
      )

    /** Lets the next one try from `at` on. */
    const release = (request: Subject & Pick<Claim, "attempt"> & { readonly at: string }) =>
      run(sql`UPDATE tickets SET held_until = ${request.at}
        WHERE workspace_id = ${request.workspace_id} AND observation_id = ${request.observation_id}
          AND attempt = ${request.attempt} AND url IS NULL`)

    /** Whether it was not published before. An observation that was closed meanwhile gets the comment that says so. */
    const publish = (request: Subject & { readonly key: string; readonly url: string; readonly at: string }) =>
      hasRow(sql`WITH published AS (
          UPDATE tickets SET key = ${request.key}, url = ${request.url}, published_at = ${request.at}
          WHERE workspace_id = ${request.workspace_id} AND observation_id = ${request.observation_id} AND url IS NULL
          RETURNING observation_id
        ), shown AS (
          UPDATE observations o SET ticket_url = ${request.url}, updated_at = ${request.at}
          FROM published p WHERE o.id = p.observation_id RETURNING o.*
        ), commented AS (
          INSERT INTO ticket_comments (id, workspace_id, repository_id, observation_id, status, close_reason,
            dismissal_category, note, url, at, next_attempt_at)
          SELECT uuid_v7(${request.at}::timestamptz), workspace_id, repository_id, id, status, close_reason,
            dismissal_category, coalesce(dismissal_note, completion_note), completion_url,
            coalesce(closed_at, ${request.at}::timestamptz), ${request.at}::timestamptz
          FROM shown WHERE status = 'closed'
        )
        SELECT 1 FROM shown`)

    return { repositoryOf, claim, release, publish }
  })
}) {}
