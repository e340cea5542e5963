import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { JobId, ObservationId, WorkspaceId } from "../../schema/Ids.ts"
import { Actor } from "../../schema/Job.ts"
import {
  CloseReason,
  DismissalCategory,
  ObservationEvent,
  ObservationNumber,
  ObservationStatus
} from "../../schema/Observation.ts"
import { Count, JsonObject } from "../../schema/Text.ts"
import { firstRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { LocatedObservation, observationColumns } from "./observationColumns.ts"

export interface Closing {
  readonly close_reason: CloseReason
  readonly dismissal_category?: DismissalCategory
  readonly dismissal_note?: string | null
  readonly completion_url?: string | null
  readonly completion_note?: string | null
}

/** A change of an observation's state. `evidence` replaces the stored one. */
export type StateChange =
  | { readonly kind: "close"; readonly closing: Closing; readonly reason?: string; readonly evidence?: unknown }
  /** By a person, or because it was found again. */
  | { readonly kind: "reopen"; readonly event: "reopened" | "resurfaced"; readonly reason: string }
  | { readonly kind: "acknowledge" }

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

/** The columns that a change of state sets, with their types: all that has to be put back to undo it. */
const stateColumns = {
  status: "text",
  close_reason: "text",
  dismissal_category: "text",
  dismissal_note: "text",
  completion_url: "text",
  completion_note: "text",
  closed_at: "timestamptz",
  closed_by: "jsonb",
  acknowledged_at: "timestamptz"
} as const
const stateNames = Object.keys(stateColumns)
const stateAsJson = `jsonb_build_object(${stateNames.map((name) => `'${name}', o.${name}`).join(", ")})`
const stateFromJson = Object.entries(stateColumns)
  .map(([name, type]) => `${name} ${type}`)
  .join(", ")

/** What a change of many observations did to one of them, and what it was before. */
export const Changed = Schema.Struct({
  id: ObservationId,
  number: ObservationNumber,
  event_id: Count,
  previous: JsonObject
})
export type Changed = typeof Changed.Type

const ChangedRow = Schema.Struct({ ...LocatedObservation.fields, previous: JsonObject })

/** One observation after a change, and its state before. */
export interface ChangedObservation {
  readonly after: typeof LocatedObservation.Type
  readonly previous: JsonObject
}

const Restored = Schema.Struct({ id: ObservationId })

/** The state that a change starts from, what it sets and the event that it leaves. */
interface Transition {
  readonly from_status: ObservationStatus
  readonly condition: Statement.Fragment
  readonly set: Statement.Fragment
  readonly event: ObservationEvent["event"]
  readonly reason: string | null
}

/**
 * The only place that changes an observation's status. Each change is one statement that also writes the events, so that
 * neither is without the other; it returns the observations that it changed, and passes over those that are not there or
 * not in the state that the change starts from.
 */
export class ObservationStateRepo extends Effect.Service<ObservationStateRepo>()("ObservationStateRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const isTarget = (target: StateTarget) =>
      "id" in target
        ? sql`o.workspace_id = ${target.workspace_id} AND o.id = ${target.id}`
        : sql`o.workspace_id = ${target.workspace_id} AND o.number = ${target.number}::bigint
            AND EXISTS (SELECT FROM repositories r WHERE r.id = o.repository_id AND r.deleted_at IS NULL)`

    const transitionOf = (change: StateChange, { at, actor }: Cause): Transition => {
      switch (change.kind) {
        case "close": {
          const { close_reason, dismissal_category, dismissal_note, completion_url, completion_note } = change.closing
          const evidence = change.evidence === undefined ? sql`` : sql`evidence = ${jsonb(change.evidence)},`
          return {
            from_status: "new",
            condition: sql`true`,
            set: sql`${evidence} status = 'closed', close_reason = ${close_reason},
              dismissal_category = ${dismissal_category ?? null}, dismissal_note = ${dismissal_note ?? null},
              completion_url = ${completion_url ?? null}, completion_note = ${completion_note ?? null},
              closed_at = ${at}, closed_by = ${jsonb(actor)}`,
            event: close_reason,
            reason: change.reason ?? dismissal_note ?? completion_note ?? null
          }
        }
        case "reopen":
          return {
            from_status: "closed",
            condition: sql`true`,
            set: sql`status = 'new', close_reason = NULL, dismissal_category = NULL, dismissal_note = NULL,
              completion_url = NULL, completion_note = NULL, closed_at = NULL, closed_by = NULL`,
            event: change.event,
            reason: change.reason
          }
        case "acknowledge":
          return {
            from_status: "new",
            condition: sql`o.acknowledged_at IS NULL`,
            set: sql`acknowledged_at = ${at}`,
            event: "acknowledged",
            reason: null
          }
      }
    }

    /** The change as two steps of a statement: the rows `changed`, with these columns, and their rows `event`. */
    const changing = (target: Statement.Fragment, change: StateChange, cause: Cause, returning: string) => {
      const { from_status, condition, set, event, reason } = transitionOf(change, cause)
      return sql`changed AS (
          UPDATE observations o SET ${set}, updated_at = ${cause.at}
          WHERE ${target} AND o.status = ${from_status} AND ${condition}
          RETURNING ${sql.literal(returning)}
        ), event AS (
          INSERT INTO observation_events (observation_id, at, actor, event, from_status, to_status, reason, job_id,
            dismissal_category)
          SELECT id, ${cause.at}, ${jsonb(cause.actor)}, ${event}, ${from_status}, status, ${reason},
            ${cause.job_id}::uuid, dismissal_category
          FROM changed RETURNING id, observation_id
        )`
    }

    /** What the observations were before. A state of the same statement: the change is not seen by it. */
    const previousOf = (target: Statement.Fragment) =>
      sql`previous AS (SELECT o.id, ${sql.literal(stateAsJson)} AS state FROM observations o WHERE ${target})`

    /** Of one observation, which is returned as it is afterwards. */
    const change = (request: StateTarget & Cause, change: StateChange) => {
      const target = isTarget(request)
      return Effect.map(
        firstRow(
          ChangedRow,
          sql`/* prepared */ WITH ${previousOf(target)}, ${changing(target, change, request, "o.*")}
            SELECT ${sql.literal(observationColumns)}, o.locations, p.state AS previous
            FROM changed o JOIN previous p ON p.id = o.id`
        ),
        Option.map(({ previous, ...after }): ChangedObservation => ({ after, previous }))
      )
    }

    const close = ({ closing, reason, evidence, ...request }: StateTarget & Cause & Omit<ClosingChange, "kind">) =>
      change(request, {
        kind: "close",
        closing,
        ...(reason === undefined ? {} : { reason }),
        ...(evidence === undefined ? {} : { evidence })
      })

    const reopen = ({ event, reason, ...request }: StateTarget & Cause & Omit<ReopeningChange, "kind">) =>
      change(request, { kind: "reopen", event, reason })

    /** Of many observations, with what they were before. */
    const changeAll = (
      request: Cause & { readonly workspace_id: WorkspaceId; readonly ids: ReadonlyArray<ObservationId> },
      change: StateChange
    ) => {
      const target = sql`o.workspace_id = ${request.workspace_id} AND o.id = ANY(${[...request.ids]}::uuid[])`
      return rows(
        Changed,
        sql`WITH ${previousOf(target)}, ${changing(target, change, request, "o.id, o.number, o.status, o.dismissal_category")}
          SELECT c.id, c.number, e.id AS event_id, p.state AS previous
          FROM changed c JOIN event e ON e.observation_id = c.id JOIN previous p ON p.id = c.id ORDER BY c.number DESC`
      )
    }

    /**
     * Puts back the state before `changeAll`, where no later event says that it was changed again; returns those that were.
     * The time of the last change moves on: who asks for changes since then has to learn of this one, too.
     */
    const restoreAll = (
      request: Cause & {
        readonly workspace_id: WorkspaceId
        readonly changed: ReadonlyArray<Changed>
        readonly reason: string
      }
    ) =>
      Effect.map(
        rows(
          Restored,
          sql`WITH unchanged AS (
              SELECT o.id, o.status, r.previous
              FROM jsonb_to_recordset(${jsonb(request.changed)}) AS r (id uuid, event_id bigint, previous jsonb)
                JOIN observations o ON o.id = r.id
              WHERE o.workspace_id = ${request.workspace_id}
                AND NOT EXISTS (SELECT FROM observation_events e
                  WHERE e.observation_id = o.id AND e.id > r.event_id AND e.event <> 'seen_again'
                    -- What attempts at fixes do, they do beside the state.
                    AND e.event NOT LIKE 'fix\\_%')
            ), restored AS (
              UPDATE observations o SET
                ${sql.literal(stateNames.map((name) => `${name} = p.${name}`).join(", "))}, updated_at = ${request.at}
              FROM unchanged u, jsonb_to_record(u.previous) AS p (${sql.literal(stateFromJson)})
              WHERE o.id = u.id RETURNING o.id, u.status AS from_status, o.status AS to_status, o.dismissal_category
            ), event AS (
              INSERT INTO observation_events (observation_id, at, actor, event, from_status, to_status, reason, job_id,
                dismissal_category)
              SELECT id, ${request.at}, ${jsonb(request.actor)}, 'undone', from_status, to_status, ${request.reason},
                ${request.job_id}::uuid, dismissal_category
              FROM restored
            )
            SELECT id FROM restored`
        ),
        (found) => new Set(found.map(({ id }) => id))
      )

    /** Events that come with no change of status. */
    const addEvents = (events: ReadonlyArray<NewEvent>) =>
      events.length === 0
        ? Effect.void
        : run(sql`
              INSERT INTO observation_events (observation_id, at, actor, event, from_status, to_status, reason, job_id)
              SELECT observation_id, at, actor, event, from_status, to_status, reason, job_id
              FROM jsonb_to_recordset(${jsonb(events)}) AS e (observation_id uuid, at timestamptz, actor jsonb,
                event text, from_status text, to_status text, reason text, job_id uuid)`)

    return { change, close, reopen, changeAll, restoreAll, addEvents }
  })
}) {}

type ClosingChange = Extract<StateChange, { readonly kind: "close" }>
type ReopeningChange = Extract<StateChange, { readonly kind: "reopen" }>
