import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { ObservationId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import {
  Location,
  ObservationDetail,
  ObservationEvent,
  type ObservationNumber,
  Step
} from "../../schema/Observation.ts"
import { SimilarObservation } from "../../schema/ObservationExplanation.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, rows } from "../support/rows.ts"
import { LocatedObservation, observationColumns } from "./observationColumns.ts"

const { events: _, ...detail } = ObservationDetail.fields
/** A detail without its events, which are rows of their own. */
const StoredDetail = Schema.Struct(detail)

const LastOccurrence = Schema.Struct({
  repository_id: RepositoryId,
  locations: Schema.Array(Location),
  steps: Schema.Array(Step),
  commit: Schema.NullOr(Schema.String)
})
const EventRow = Schema.Struct({ ...ObservationEvent.fields, id: Schema.String })
const newestEventFirst = keyset("DESC", { "e.id": "bigint" })

interface Request {
  readonly workspace_id: WorkspaceId
  readonly number: ObservationNumber
}

/** Reads one observation and what belongs to it. */
export class ObservationsRepo extends Effect.Service<ObservationsRepo>()("ObservationsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const read = <A, I>(schema: Schema.Schema<A, I>, { workspace_id, number }: Request, columns: string) =>
      firstRow(
        schema,
        sql`/* prepared */
          SELECT ${sql.literal(`${observationColumns}, ${columns}`)}
          FROM observations o JOIN repositories r ON r.id = o.repository_id
          WHERE o.workspace_id = ${workspace_id} AND o.number = ${number}::bigint AND r.deleted_at IS NULL`
      )

    const find = (request: Request) => read(LocatedObservation, request, "o.locations")

    /** With all but its events. */
    const findDetail = (request: Request) => read(StoredDetail, request, "o.locations, o.steps, o.suggested_diff")

    /** Where it is, and in which commit an audit found it last; the last one that was audited, where that job is gone. */
    const lastOccurrence = ({ workspace_id, number }: Request) =>
      firstRow(
        LastOccurrence,
        sql`
          SELECT o.repository_id, o.locations, o.steps, coalesce(j.result->>'commit_sha', j.commit_sha, r.last_audit_sha) AS commit
          FROM observations o JOIN repositories r ON r.id = o.repository_id
            LEFT JOIN jobs j ON j.id = o.last_seen_job_id
          WHERE o.workspace_id = ${workspace_id} AND o.number = ${number}::bigint AND r.deleted_at IS NULL`
      )

    /** Oldest first. */
    const eventsOf = (request: { readonly workspace_id: WorkspaceId; readonly id: ObservationId }) =>
      rows(
        ObservationEvent,
        sql`/* prepared */
          SELECT e.at, e.actor, e.event, e.from_status, e.to_status, e.reason
          FROM observation_events e JOIN observations o ON o.id = e.observation_id
          WHERE e.observation_id = ${request.id} AND o.workspace_id = ${request.workspace_id} ORDER BY e.id`
      )

    /** Newest first, one row more than `limit` when there are more. */
    const eventsBefore = (request: {
      readonly workspace_id: WorkspaceId
      readonly id: ObservationId
      readonly after: Position | null
      readonly limit: number
    }) =>
      rows(
        EventRow,
        sql`
          SELECT e.id::text, e.at, e.actor, e.event, e.from_status, e.to_status, e.reason
          FROM observation_events e JOIN observations o ON o.id = e.observation_id
          WHERE e.observation_id = ${request.id} AND o.workspace_id = ${request.workspace_id}
            AND ${newestEventFirst.after(request.after)}
          ORDER BY ${newestEventFirst.by} LIMIT ${request.limit + 1}`
      )

    /** Others of the same rule in the same repository, open ones first. */
    const similar = (request: {
      readonly workspace_id: WorkspaceId
      readonly id: ObservationId
      readonly limit: number
    }) =>
      rows(
        SimilarObservation,
        sql`
          SELECT 'OBS-' || s.number AS ref, s.title, s.status, s.priority, s.file_path
          FROM observations o JOIN observations s ON s.repository_id = o.repository_id AND s.rule_id = o.rule_id
          WHERE o.workspace_id = ${request.workspace_id} AND o.id = ${request.id} AND s.id <> o.id
          ORDER BY s.status DESC, s.number DESC LIMIT ${request.limit}`
      )

    return { find, findDetail, lastOccurrence, eventsOf, eventsBefore, similar }
  })
}) {}
