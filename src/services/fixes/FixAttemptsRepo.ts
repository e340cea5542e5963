import { SqlClient } from "@effect/sql"
import { Effect, Schema, Struct } from "effect"
import { FixOutcome, FixPrStatus } from "../../schema/Fix.ts"
import { AttemptId, JobId, MissionId, ObservationId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { Actor } from "../../schema/Job.ts"
import { Location, Observation, ObservationNumber, ObservationStatus } from "../../schema/Observation.ts"
import { RepositoryPath } from "../../schema/Repository.ts"
import { Count } from "../../schema/Text.ts"
import { firstRow, onlyRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { storableText } from "../support/storable.ts"
import type { StateColumns } from "./transitions.ts"

/** An attempt of a workspace. */
export interface AttemptKey {
  readonly workspace_id: WorkspaceId
  readonly id: AttemptId
}

interface OfObservation {
  readonly workspace_id: WorkspaceId
  readonly observation_id: ObservationId
}

export interface NewAttempt extends AttemptKey, OfObservation {
  readonly repository_id: RepositoryId
  /** The mission that it is a part of. */
  readonly mission_id: MissionId | null
  readonly number: number
  readonly branch: string
  readonly at: string
}

export const JobKind = Schema.Literal("fix", "revise", "retry")
export type JobKind = typeof JobKind.Type

/** An attempt with what decides on its next change. */
export const AttemptRow = Schema.Struct({
  workspace_id: WorkspaceId,
  repository_id: RepositoryId,
  observation_id: ObservationId,
  id: AttemptId,
  number: Count,
  branch: Schema.NullOr(Schema.String),
  base_commit: Schema.NullOr(Schema.String),
  head_commit: Schema.NullOr(Schema.String),
  outcome: FixOutcome,
  pr_status: Schema.NullOr(FixPrStatus),
  conflicted: Schema.Boolean,
  pr_url: Schema.NullOr(Schema.String),
  pr_number: Schema.NullOr(Count),
  revisions: Count,
  withdrawn_by: Schema.NullOr(Actor),
  /** The mission whose pull request has the fix; null where it has one of its own. */
  mission_ref: Schema.NullOr(Schema.String),
  ref: Observation.fields.ref,
  observation_number: ObservationNumber,
  observation_status: ObservationStatus,
  ...Struct.pick(Observation.fields, "close_reason", "dismissal_category", "fix_attempts")
})
export type AttemptRow = typeof AttemptRow.Type

const JobLink = Schema.Struct({
  attempt_id: AttemptId,
  job_id: JobId,
  kind: JobKind,
  instructions: Schema.NullOr(Schema.String),
  is_newest: Schema.Boolean
})
export type JobLink = typeof JobLink.Type

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

/** What a change of state may set beside the state. */
export interface AttemptFields {
  readonly pr_url?: string
  readonly pr_number?: number | null
  readonly branch?: string
  readonly merge_commit?: string | null
}

/** What a runner made of the finding. */
export interface Proposal {
  readonly base_commit: string
  readonly head_commit: string | null
  readonly diff: string
  readonly runner: string
}

const Highest = Schema.Struct({ highest: Count })
const Id = Schema.Struct({ id: AttemptId })
const Found = Schema.Struct({ found: Schema.Boolean })
const JobKey = Schema.Struct({ id: JobId })

/** States of attempts to fix observations. The observation's own columns about them follow by a trigger. */
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
              AND r.deleted_at IS NULL ${sql.literal(request.lock ? "FOR NO KEY UPDATE OF o" : "")}`
      )

    /** The highest number of an attempt at the observation, whose row the caller has locked. */
    const highestNumber = ({ workspace_id, observation_id }: OfObservation) =>
      Effect.map(
        onlyRow(
          Highest,
          sql`SELECT coalesce(max(number), 0)::int AS highest FROM fix_attempts
            WHERE workspace_id = ${workspace_id} AND observation_id = ${observation_id}`
        ),
        ({ highest }) => highest
      )

    /** Nothing while another attempt at the observation is under way or has an open pull request. */
    const insertUnlessInFlight = (attempt: NewAttempt) =>
      firstRow(
        Id,
        sql`INSERT INTO fix_attempts (id, workspace_id, repository_id, observation_id, mission_id, number, branch,
              started_at, updated_at)
            VALUES (${attempt.id}, ${attempt.workspace_id}, ${attempt.repository_id}, ${attempt.observation_id},
              ${attempt.mission_id}, ${attempt.number}, ${attempt.branch}, ${attempt.at}, ${attempt.at})
            ON CONFLICT (observation_id) WHERE outcome = 'started' DO NOTHING RETURNING id`
      )

    const addJob = (link: AttemptKey & { readonly job_id: JobId; readonly kind: JobKind; readonly at: string }) =>
      run(sql`INSERT INTO fix_attempt_jobs (job_id, attempt_id, workspace_id, repository_id, kind, at)
          SELECT ${link.job_id}::uuid, id, workspace_id, repository_id, ${link.kind}, ${link.at}::timestamptz
          FROM fix_attempts WHERE workspace_id = ${link.workspace_id} AND id = ${link.id}`)

    const read = ({ workspace_id, id }: AttemptKey, lock: boolean) =>
      firstRow(
        AttemptRow,
        sql`SELECT a.id, a.workspace_id, a.repository_id, a.observation_id, a.number, a.branch, a.base_commit,
              a.head_commit, a.outcome, a.pr_status, a.conflicted, a.pr_url, a.pr_number, a.revisions, a.withdrawn_by,
              (SELECT 'MSN-' || m.number FROM missions m WHERE m.id = a.mission_id) AS mission_ref,
              'OBS-' || o.number AS ref, o.number AS observation_number, o.status AS observation_status, o.close_reason,
              o.dismissal_category, o.fix_attempts
            FROM fix_attempts a JOIN observations o ON o.id = a.observation_id
            WHERE a.workspace_id = ${workspace_id} AND a.id = ${id} ${sql.literal(lock ? "FOR NO KEY UPDATE OF a" : "")}`
      )

    const find = (key: AttemptKey) => read(key, false)

    /** Locked until the transaction ends; its observation first, as everything does that locks both. */
    const lock = (key: AttemptKey) =>
      Effect.zipRight(
        run(sql`SELECT 1 FROM observations WHERE workspace_id = ${key.workspace_id}
          AND id = (SELECT observation_id FROM fix_attempts WHERE id = ${key.id}) FOR NO KEY UPDATE`),
        read(key, true)
      )

    /** How the job belongs to an attempt, if it does. */
    const linkOf = (request: { readonly workspace_id: WorkspaceId; readonly job_id: JobId }) =>
      firstRow(
        JobLink,
        sql`SELECT l.attempt_id, l.job_id, l.kind, j.params ->> 'instructions' AS instructions, NOT EXISTS (
              SELECT FROM fix_attempt_jobs later
              WHERE later.attempt_id = l.attempt_id AND (later.at, later.job_id) > (l.at, l.job_id)) AS is_newest
            FROM fix_attempt_jobs l JOIN jobs j ON j.id = l.job_id
            WHERE l.workspace_id = ${request.workspace_id} AND l.job_id = ${request.job_id}`
      )

    /** Of a step's job, which works on several attempts: the one at an observation. */
    const workedOn = (request: OfObservation & { readonly job_id: JobId }) =>
      firstRow(
        Id,
        sql`SELECT a.id FROM fix_attempt_jobs l JOIN fix_attempts a ON a.id = l.attempt_id
            WHERE l.workspace_id = ${request.workspace_id} AND l.job_id = ${request.job_id}
              AND a.observation_id = ${request.observation_id}`
      )

    /** The newest attempt of a mission at an observation. */
    const newestOfMission = (request: OfObservation & { readonly mission_id: MissionId }) =>
      firstRow(
        Id,
        sql`SELECT id FROM fix_attempts WHERE workspace_id = ${request.workspace_id}
            AND observation_id = ${request.observation_id} AND mission_id = ${request.mission_id}
            ORDER BY number DESC LIMIT 1`
      )

    /** The attempt at the observation that goes on, or whose pull request is open. */
    const ongoing = ({ workspace_id, observation_id }: OfObservation) =>
      firstRow(
        Id,
        sql`SELECT id FROM fix_attempts
            WHERE workspace_id = ${workspace_id} AND observation_id = ${observation_id} AND outcome = 'started'`
      )

    /** Whether another attempt at the same observation goes on. */
    const hasOtherOngoing = ({ workspace_id, observation_id, id }: AttemptKey & OfObservation) =>
      Effect.map(
        onlyRow(
          Found,
          sql`SELECT EXISTS (SELECT FROM fix_attempts WHERE workspace_id = ${workspace_id}
            AND observation_id = ${observation_id} AND outcome = 'started' AND id <> ${id}) AS found`
        ),
        ({ found }) => found
      )

    const setState = (
      change: AttemptKey & AttemptFields & StateColumns & { readonly at: string; readonly reason: string | null }
    ) =>
      run(sql`UPDATE fix_attempts SET outcome = ${change.outcome}, pr_status = ${change.pr_status},
          conflicted = ${change.conflicted}, updated_at = ${change.at},
          finished_at = ${change.outcome === "started" ? null : change.at}::timestamptz,
          last_failure_reason = coalesce(${change.reason === null ? null : storableText(change.reason)}, last_failure_reason),
          pr_url = coalesce(${change.pr_url ?? null}, pr_url), pr_number = coalesce(${change.pr_number ?? null}, pr_number),
          pr_base = CASE WHEN ${change.pr_url ?? null}::text IS NULL THEN pr_base ELSE (
            SELECT github_base_branch FROM repositories WHERE id = repository_id) END,
          branch = coalesce(${change.branch ?? null}, branch),
          merge_commit = coalesce(${change.merge_commit ?? null}, merge_commit)
          WHERE workspace_id = ${change.workspace_id} AND id = ${change.id}`)

    const countRevision = ({ workspace_id, id }: AttemptKey) =>
      run(sql`UPDATE fix_attempts SET revisions = revisions + 1 WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    const setProposal = (change: AttemptKey & Proposal & { readonly truncated: boolean; readonly at: string }) =>
      run(sql`UPDATE fix_attempts SET base_commit = ${change.base_commit}, head_commit = ${change.head_commit},
          diff = ${change.diff}, diff_truncated = ${change.truncated}, runner = ${change.runner}, updated_at = ${change.at}
          WHERE workspace_id = ${change.workspace_id} AND id = ${change.id}`)

    /** Who asked to withdraw the pull request; `null` once that is settled. */
    const setWithdrawal = (change: AttemptKey & { readonly by: Actor | null }) =>
      run(sql`UPDATE fix_attempts SET withdrawn_by = ${jsonb(change.by)}
          WHERE workspace_id = ${change.workspace_id} AND id = ${change.id}`)

    /** The newest job of the attempt, its row locked: everything that locks a job and its attempt locks the job first. */
    const lockNewestJob = ({ workspace_id, id }: AttemptKey) =>
      firstRow(
        JobKey,
        sql`SELECT id FROM jobs WHERE workspace_id = ${workspace_id} AND id = (
            SELECT job_id FROM fix_attempt_jobs WHERE attempt_id = ${id} ORDER BY at DESC, job_id DESC LIMIT 1)
            FOR NO KEY UPDATE`
      )

    const setPrOfJob = (change: {
      readonly workspace_id: WorkspaceId
      readonly job_id: JobId
      readonly pr_url: string
    }) =>
      run(sql`UPDATE jobs SET pr_url = ${change.pr_url}
          WHERE workspace_id = ${change.workspace_id} AND id = ${change.job_id}`)

    /** Jobs of the attempt that are queued or run. */
    const activeJobs = ({ workspace_id, id }: AttemptKey) =>
      rows(
        JobKey,
        sql`SELECT j.id FROM fix_attempt_jobs l JOIN jobs j ON j.id = l.job_id
            WHERE l.workspace_id = ${workspace_id} AND l.attempt_id = ${id} AND j.status IN ('pending', 'running')
            ORDER BY j.id`
      )

    return {
      target,
      highestNumber,
      insertUnlessInFlight,
      addJob,
      find,
      lock,
      linkOf,
      workedOn,
      newestOfMission,
      ongoing,
      hasOtherOngoing,
      setState,
      countRevision,
      setProposal,
      setWithdrawal,
      lockNewestJob,
      setPrOfJob,
      activeJobs
    }
  })
}) {}
