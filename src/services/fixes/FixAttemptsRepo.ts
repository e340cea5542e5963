import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema, Struct } from "effect"
import { FixAttempt, FixOutcome, FixPrStatus, FixPrSummary } from "../../schema/Fix.ts"
import { AttemptId, JobId, ObservationId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { Location, Observation, type ObservationNumber } from "../../schema/Observation.ts"
import { RepositoryPath } from "../../schema/Repository.ts"
import { Count } from "../../schema/Text.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, hasRow, rows, run } from "../support/rows.ts"
import { storableText } from "../support/storable.ts"

interface Target {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
  readonly observation_id: ObservationId
}

export interface NewAttempt extends Target {
  readonly id: AttemptId
  readonly job_id: JobId
  readonly at: string
}

export interface OpenedPr {
  readonly pr_url: string
  readonly pr_number: number | null
}

/** An attempt of a workspace. */
export interface AttemptKey {
  readonly workspace_id: WorkspaceId
  readonly id: AttemptId
}

export interface Change extends AttemptKey {
  readonly at: string
}

/** What a rule needs of an attempt beyond its record. */
export const AttemptState = Schema.Struct({
  workspace_id: WorkspaceId,
  repository_id: RepositoryId,
  observation_id: ObservationId,
  id: AttemptId,
  outcome: FixOutcome,
  pr_status: Schema.NullOr(FixPrStatus)
})
export type AttemptState = typeof AttemptState.Type

/** What decides whether a fix can be asked for. */
export const FixTarget = Schema.Struct({
  ...Struct.pick(Observation.fields, "id", "ref", "kind", "status", "close_reason", "fix_attempts"),
  repository_id: RepositoryId,
  locations: Schema.Array(Location),
  open_fix_pr: Schema.Boolean,
  in_flight: Schema.Boolean,
  path: RepositoryPath
})
export type FixTarget = typeof FixTarget.Type

const Used = Schema.Struct({ fix_attempts: Count })
const OpenAttempt = Schema.Struct({ id: AttemptId, revisions: Count })
const newestFirst = keyset("DESC", { "a.id": "uuid" })

/** Tries to fix observations. The observation's own columns about them follow by triggers. */
export class FixAttemptsRepo extends Effect.Service<FixAttemptsRepo>()("FixAttemptsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const target = (request: {
      readonly workspace_id: WorkspaceId
      readonly number: ObservationNumber
      readonly lock: boolean
    }) =>
      firstRow(
        FixTarget,
        sql`
            SELECT o.id, 'OBS-' || o.number AS ref, o.repository_id, o.kind, o.status, o.close_reason, o.locations,
              o.fix_attempts, o.open_fix_pr, EXISTS (
                SELECT FROM fix_attempts a WHERE a.observation_id = o.id AND a.outcome = 'started') AS in_flight,
              jsonb_build_object('github_org', r.github_org, 'github_repo', r.github_repo,
                'github_base_branch', r.github_base_branch) AS path
            FROM observations o JOIN repositories r ON r.id = o.repository_id
            WHERE o.workspace_id = ${request.workspace_id} AND o.number = ${request.number}::bigint
              AND r.deleted_at IS NULL ${sql.literal(request.lock ? "FOR UPDATE OF o" : "")}`
      )

    /** How many attempts the observation has had; those that a person called off do not count. */
    const used = (request: { readonly workspace_id: WorkspaceId; readonly observation_id: ObservationId }) =>
      Effect.map(
        firstRow(
          Used,
          sql`SELECT fix_attempts FROM observations
            WHERE workspace_id = ${request.workspace_id} AND id = ${request.observation_id}`
        ),
        Option.match({ onNone: () => 0, onSome: ({ fix_attempts }) => fix_attempts })
      )

    /** `false` while another attempt at the observation is under way or has an open pull request. */
    const insertUnlessInFlight = (attempt: NewAttempt) =>
      hasRow(sql`INSERT INTO fix_attempts (id, workspace_id, repository_id, observation_id, job_id, started_at, updated_at)
            VALUES (${attempt.id}, ${attempt.workspace_id}, ${attempt.repository_id}, ${attempt.observation_id},
              ${attempt.job_id}, ${attempt.at}, ${attempt.at})
            ON CONFLICT (observation_id) WHERE outcome = 'started' DO NOTHING RETURNING 1`)

    /** Locked until the transaction ends; its observation first, as everything does that locks both. */
    const open = ({ workspace_id, id }: AttemptKey) =>
      Effect.zipRight(
        run(sql`SELECT 1 FROM observations WHERE workspace_id = ${workspace_id}
          AND id = (SELECT observation_id FROM fix_attempts WHERE id = ${id}) FOR UPDATE`),
        firstRow(
          AttemptState,
          sql`SELECT id, workspace_id, repository_id, observation_id, outcome, pr_status FROM fix_attempts
            WHERE workspace_id = ${workspace_id} AND id = ${id} FOR UPDATE`
        )
      )

    const ofJob = (request: { readonly workspace_id: WorkspaceId; readonly job_id: JobId }) =>
      firstRow(
        AttemptState,
        sql`SELECT id, workspace_id, repository_id, observation_id, outcome, pr_status FROM fix_attempts
            WHERE workspace_id = ${request.workspace_id} AND job_id = ${request.job_id}`
      )

    /** Oldest first. */
    const ofObservation = (request: { readonly workspace_id: WorkspaceId; readonly observation_id: ObservationId }) =>
      rows(
        FixAttempt,
        sql`/* prepared */
          SELECT id AS attempt_id, job_id, outcome, pr_status AS status, pr_url, pr_number AS number,
            last_failure_reason, started_at, finished_at
          FROM fix_attempts
          WHERE workspace_id = ${request.workspace_id} AND observation_id = ${request.observation_id} ORDER BY id`
      )

    const setPr = (change: Change & OpenedPr & { readonly pr_status: FixPrStatus }) =>
      run(sql`UPDATE fix_attempts SET pr_status = ${change.pr_status}, pr_url = ${change.pr_url},
          pr_number = ${change.pr_number}, updated_at = ${change.at} WHERE workspace_id = ${change.workspace_id} AND id = ${change.id}`)

    const setPrStatus = (change: Change & { readonly pr_status: FixPrStatus; readonly reason: string | null }) =>
      run(sql`UPDATE fix_attempts SET pr_status = ${change.pr_status}, updated_at = ${change.at},
          last_failure_reason = coalesce(${change.reason === null ? null : storableText(change.reason)}, last_failure_reason)
          WHERE workspace_id = ${change.workspace_id} AND id = ${change.id}`)

    /** The attempt whose open pull request waits for people, locked until the transaction ends. */
    const inReview = (request: { readonly workspace_id: WorkspaceId; readonly observation_id: ObservationId }) =>
      firstRow(
        OpenAttempt,
        sql`SELECT id, revisions FROM fix_attempts
            WHERE workspace_id = ${request.workspace_id} AND observation_id = ${request.observation_id}
              AND outcome = 'started' AND pr_status IN ('in_review', 'needs_attention') FOR UPDATE`
      )

    const revise = ({ workspace_id, id, at }: Change) =>
      run(sql`UPDATE fix_attempts SET pr_status = 'revising', revisions = revisions + 1, updated_at = ${at}
          WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    const end = (
      change: Change & {
        readonly outcome: FixOutcome
        readonly pr_status: FixPrStatus | null
        readonly reason: string | null
      }
    ) =>
      run(sql`UPDATE fix_attempts SET outcome = ${change.outcome}, pr_status = ${change.pr_status},
          last_failure_reason = coalesce(${change.reason === null ? null : storableText(change.reason)}, last_failure_reason),
          updated_at = ${change.at}, finished_at = ${change.at} WHERE workspace_id = ${change.workspace_id} AND id = ${change.id}`)

    /** Attempts with a pull request, newest first, one more than `limit` when there are more. */
    const listPrs = (request: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
      readonly after: Position | null
      readonly limit: number
    }) =>
      rows(
        FixPrSummary,
        sql`
          SELECT a.id AS attempt_id, a.observation_id, 'OBS-' || o.number AS ref, o.title, a.pr_url,
            a.pr_status AS status, a.pr_number AS number, a.outcome, o.dismissal_category, o.dismissal_note,
            a.finished_at, a.last_failure_reason, a.started_at
          FROM fix_attempts a JOIN observations o ON o.id = a.observation_id
          WHERE a.workspace_id = ${request.workspace_id} AND a.repository_id = ${request.repository_id}
            AND a.pr_url IS NOT NULL AND ${newestFirst.after(request.after)}
          ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
      )

    return {
      target,
      used,
      insertUnlessInFlight,
      open,
      ofJob,
      ofObservation,
      setPr,
      setPrStatus,
      inReview,
      revise,
      end,
      listPrs
    }
  })
}) {}
