import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { JobId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import {
  type EventType,
  FailureKind,
  JobEvent,
  JobEventMetadata,
  JobStatus,
  Progress,
  Workflow
} from "../../schema/Job.ts"
import { Amount, Count } from "../../schema/Text.ts"
import { jobEndedNotices } from "../notices/NoticesRepo.ts"
import { firstRow, rows } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { storableText } from "../support/storable.ts"

/** Channels of the database; the payload is the job's id. */
export const channels = {
  /** A job has a new event. */
  events: "job_events",
  /** A job changed its status. */
  status: "job_status",
  /** There may be work to claim: a job was queued, or one has ended. */
  dispatch: "job_dispatch"
} as const

/** Stage name of the events that concern the job as a whole. */
export const wholeJob = "job"

export interface NewEvent {
  readonly job_id: JobId
  readonly stage: string
  readonly type: EventType
  readonly detail: string
  readonly data: JobEventMetadata | null
  readonly at: string
}

export interface NumberedEvent {
  readonly seq: number
  readonly event: JobEvent
  /** Whether the job had ended when the event was read. */
  readonly isOfEnded: boolean
}

const Sequence = Schema.Struct({ seq: Count })
const Changed = Schema.Struct({
  id: JobId,
  repository_id: RepositoryId,
  workflow: Workflow,
  status: JobStatus,
  attempt: Count,
  run: Count,
  cost_usd: Amount,
  failure_kind: Schema.NullOr(FailureKind),
  /** Since it was queued, or since it started once it has ended. */
  seconds: Schema.NullOr(Amount)
})

const logChange = ({ id, workflow, status, attempt, cost_usd, failure_kind, seconds }: typeof Changed.Type) =>
  Effect.annotateLogs(Effect.logInfo(`Job ${statusWords[status]}.`), {
    job_id: id,
    workflow,
    status,
    attempt,
    cost_usd,
    failure_kind,
    seconds
  })

const statusWords = {
  pending: "queued",
  running: "started",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled"
} as const
const EventRow = Schema.Struct({ ...JobEvent.fields, seq: Count, is_of_ended: Schema.Boolean })
const Cap = Schema.Struct({ cap: Amount })

/**
 * The only place that writes events and statuses. Each event takes its number from the job's row in the statement that
 * writes it, so the row's lock makes events of a job commit in the order of their numbers, without gaps.
 */
export class JobEventsRepo extends Effect.Service<JobEventsRepo>()("JobEventsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** `set` changes more of the job's row; `where` is a condition without which nothing is written. */
    const append = (event: NewEvent, set = sql``, where = sql``) =>
      rows(
        Sequence,
        sql`/* prepared */
          WITH changed AS (
            UPDATE jobs SET event_seq = event_seq + 1 ${set} WHERE id = ${event.job_id} ${where} RETURNING id, event_seq
          ), event AS (
            INSERT INTO job_events (job_id, seq, ts, stage, type, detail, data)
            SELECT id, event_seq, ${event.at}::timestamptz, ${event.stage}, ${event.type}, ${storableText(event.detail)},
              ${jsonb(event.data)}
            FROM changed
          )
          SELECT event_seq AS seq, pg_notify(${channels.events}, id::text) FROM changed`
      )

    const progress = (event: NewEvent, progress: Progress) => append(event, sql`, progress = ${jsonb(progress)}`)

    /** Adds to what the job and its stage cost; the cap, when the job now costs more. */
    const addCost = ({ job_id, stage }: { readonly job_id: JobId; readonly stage: string }, usd: number) =>
      Effect.map(
        firstRow(
          Cap,
          sql`
          WITH charged AS (
            UPDATE jobs SET cost_usd = cost_usd + ${usd} WHERE id = ${job_id} RETURNING workspace_id, cost_usd
          ), stage AS (
            UPDATE job_stages SET cost_usd = cost_usd + ${usd} WHERE job_id = ${job_id} AND stage = ${stage}
          )
          SELECT w.job_cap_usd::float8 AS cap FROM charged j JOIN workspaces w ON w.id = j.workspace_id
          WHERE round(j.cost_usd::numeric, 9) > w.job_cap_usd`
        ),
        Option.map(({ cap }) => cap)
      )

    /**
     * Writes a status with the event that reports it, and with what it means for the money: a job that is queued
     * reserves, one that ends releases that, settles what it cost and takes it off the credit; and with the notice to the
     * person who waits for the end. One statement, so that none can be without the others. `mutation` is an INSERT or UPDATE of `jobs` that sets `status` and raises
     * `event_seq`; `prelude` may name CTEs before it, each ending with a comma.
     */
    const changeStatus = (change: {
      readonly mutation: Statement.Fragment
      readonly prelude?: Statement.Fragment
      readonly at: string
      readonly detail: string
    }) =>
      rows(
        Changed,
        sql`/* prepared */
          WITH ${change.prelude ?? sql``} changed AS (
            ${change.mutation} RETURNING jobs.*
          ), event AS (
            INSERT INTO job_events (job_id, seq, ts, stage, type, detail, data)
            SELECT id, event_seq, coalesce(finished_at, started_at, queued_at), ${wholeJob}, 'status_changed', ${change.detail},
              jsonb_strip_nulls(jsonb_build_object(
                'intended_status', status, 'attempt_number', attempt, 'failure_kind', failure_kind, 'error', error,
                'created_by', CASE WHEN status = 'pending' THEN requested_by ->> 'label' END))
            FROM changed
          ), ledger AS (
            INSERT INTO spend_entries (workspace_id, repository_id, job_id, api_key_id, kind, amount_usd, at)
            SELECT c.workspace_id, c.repository_id, c.id, (c.requested_by ->> 'api_key_id')::uuid, entry.kind, entry.amount, ${change.at}
            FROM changed c CROSS JOIN LATERAL (VALUES
              ('reserve', c.reserved_usd, c.status = 'pending'),
              ('release', c.reserved_usd, c.finished_at IS NOT NULL),
              ('settle', round(c.cost_usd::numeric, 9), c.finished_at IS NOT NULL)) entry (kind, amount, due)
            WHERE entry.due
            ON CONFLICT ON CONSTRAINT spend_entries_once DO NOTHING
            RETURNING workspace_id, kind, amount_usd
          ), charged AS (
            UPDATE workspaces w SET credit_usd = w.credit_usd - ended.cost
            FROM (
              SELECT workspace_id, sum(amount_usd) AS cost FROM ledger WHERE kind = 'settle' GROUP BY workspace_id
            ) ended
            WHERE w.id = ended.workspace_id AND w.credit_usd IS NOT NULL AND ended.cost > 0
          ), notices AS (${jobEndedNotices(sql, change.at)})
          SELECT id, repository_id, workflow, status, attempt, run, cost_usd, failure_kind,
            round(extract(epoch FROM CASE WHEN finished_at IS NULL THEN started_at - queued_at
              ELSE finished_at - started_at END)::numeric, 3)::float8 AS seconds,
            pg_notify(${channels.events}, id::text), pg_notify(${channels.status}, id::text),
            CASE WHEN status <> 'running' THEN pg_notify(${channels.dispatch}, '-') END FROM changed`
      ).pipe(Effect.tap(Effect.forEach(logChange, { discard: true })))

    /** Events numbered above `after`, oldest first. */
    const list = (request: {
      readonly workspace_id: WorkspaceId
      readonly job_id: JobId
      readonly after: number
      readonly limit: number
    }) =>
      Effect.map(
        rows(
          EventRow,
          sql`/* prepared */
            SELECT e.seq, e.ts, e.stage, e.type, e.detail, e.data, j.finished_at IS NOT NULL AS is_of_ended
            FROM job_events e JOIN jobs j ON j.id = e.job_id AND j.workspace_id = ${request.workspace_id}
            WHERE e.job_id = ${request.job_id} AND e.seq > ${request.after}
            ORDER BY e.seq LIMIT ${request.limit}`
        ),
        (rows): ReadonlyArray<NumberedEvent> =>
          rows.map(({ seq, is_of_ended, ...event }) => ({ seq, event, isOfEnded: is_of_ended }))
      )

    return { append, progress, addCost, changeStatus, list }
  })
}) {}
