import { SqlClient, type Statement } from "@effect/sql"
import { Effect } from "effect"
import { JobId, ObservationId, WorkspaceId } from "../../schema/Ids.ts"
import { Actor } from "../../schema/Job.ts"
import {
  CloseReason,
  DismissalCategory,
  ObservationEvent,
  type ObservationNumber,
  ObservationStatus
} from "../../schema/Observation.ts"
import { firstRow, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { LocatedObservation, observationColumns } from "./observationColumns.ts"

export interface Closing {
  readonly close_reason: CloseReason
  readonly dismissal_category?: DismissalCategory
  readonly dismissal_note?: string | null
  readonly completion_url?: string | null
  readonly completion_note?: string | null
}

/** One observation: of a live repository by its number, or of any by its id. */
export type StateTarget =
  | { readonly workspace_id: WorkspaceId; readonly number: ObservationNumber }
  | { readonly workspace_id: WorkspaceId; readonly id: ObservationId }

/** Who changes the state, when and why; `job_id` when a job does. */
interface Cause {
  readonly at: string
  readonly actor: Actor
  readonly job_id: JobId | null
}

export interface NewEvent extends Cause {
  readonly observation_id: ObservationId
  readonly event: ObservationEvent["event"]
  readonly from_status: ObservationStatus | null
  readonly to_status: ObservationStatus
  readonly reason: string | null
}

/**
 * The only place that changes an observation's status. Each change is one statement that also writes the event, so that
 * neither is without the other; it returns the observation as it is afterwards, or nothing, and writes nothing, when
 * there is no such observation in the state that the change starts from.
 */
export class ObservationStateRepo extends Effect.Service<ObservationStateRepo>()("ObservationStateRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const isTarget = (target: StateTarget) =>
      "id" in target
        ? sql`o.workspace_id = ${target.workspace_id} AND o.id = ${target.id}`
        : sql`o.workspace_id = ${target.workspace_id} AND o.number = ${target.number}::bigint
            AND EXISTS (SELECT FROM repositories r WHERE r.id = o.repository_id AND r.deleted_at IS NULL)`

    const change = (
      request: StateTarget & Cause,
      to: {
        readonly from_status: ObservationStatus
        readonly condition?: Statement.Fragment
        readonly set: Statement.Fragment
        readonly event: ObservationEvent["event"]
        readonly reason: string | null
      }
    ) =>
      firstRow(
        LocatedObservation,
        sql`
            WITH changed AS (
              UPDATE observations o SET ${to.set}, updated_at = ${request.at}
              WHERE ${isTarget(request)} AND o.status = ${to.from_status} AND ${to.condition ?? sql`true`}
              RETURNING o.*
            ), event AS (
              INSERT INTO observation_events (observation_id, at, actor, event, from_status, to_status, reason, job_id,
                dismissal_category)
              SELECT id, ${request.at}, ${jsonb(request.actor)}, ${to.event}, ${to.from_status}, status, ${to.reason},
                ${request.job_id}::uuid, dismissal_category
              FROM changed
            )
            SELECT ${sql.literal(observationColumns)}, o.locations FROM changed o`
      )

    /** Of an open observation. `evidence` replaces the stored one. */
    const close = (
      request: StateTarget &
        Cause & { readonly closing: Closing; readonly reason?: string; readonly evidence?: unknown }
    ) => {
      const { close_reason, dismissal_category, dismissal_note, completion_url, completion_note } = request.closing
      const evidence = request.evidence === undefined ? sql`` : sql`evidence = ${jsonb(request.evidence)},`
      return change(request, {
        from_status: "new",
        set: sql`${evidence} status = 'closed', close_reason = ${close_reason},
          dismissal_category = ${dismissal_category ?? null}, dismissal_note = ${dismissal_note ?? null},
          completion_url = ${completion_url ?? null}, completion_note = ${completion_note ?? null},
          closed_at = ${request.at}, closed_by = ${jsonb(request.actor)}`,
        event: close_reason,
        reason: request.reason ?? dismissal_note ?? completion_note ?? null
      })
    }

    /** Of a closed observation: by a person, or because it was found again. */
    const reopen = (
      request: StateTarget & Cause & { readonly event: "reopened" | "resurfaced"; readonly reason: string }
    ) =>
      change(request, {
        from_status: "closed",
        set: sql`status = 'new', close_reason = NULL, dismissal_category = NULL, dismissal_note = NULL,
          completion_url = NULL, completion_note = NULL, closed_at = NULL, closed_by = NULL`,
        event: request.event,
        reason: request.reason
      })

    /** Of an open observation that is not acknowledged yet. */
    const acknowledge = (request: StateTarget & Cause) =>
      change(request, {
        from_status: "new",
        condition: sql`o.acknowledged_at IS NULL`,
        set: sql`acknowledged_at = ${request.at}`,
        event: "acknowledged",
        reason: null
      })

    /** Events that come with no change of status. */
    const addEvents = (events: ReadonlyArray<NewEvent>) =>
      events.length === 0
        ? Effect.void
        : run(sql`
              INSERT INTO observation_events (observation_id, at, actor, event, from_status, to_status, reason, job_id)
              SELECT observation_id, at, actor, event, from_status, to_status, reason, job_id
              FROM jsonb_to_recordset(${jsonb(events)}) AS e (observation_id uuid, at timestamptz, actor jsonb,
                event text, from_status text, to_status text, reason text, job_id uuid)`)

    return { close, reopen, acknowledge, addEvents }
  })
}) {}
