import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { FixAttempt, FixOutcome, FixPrStatus, FixPrSummary } from "../../schema/Fix.ts"
import type { Observation } from "../../schema/Observation.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { storableText } from "../support/storable.ts"

interface Target {
  readonly workspace_id: string
  readonly repository_id: string
  readonly observation_id: string
}

export interface NewAttempt extends Target {
  readonly id: string
  readonly job_id: string
  readonly at: string
}

export interface OpenedPr {
  readonly pr_url: string
  readonly pr_number: number | null
}

export interface Change {
  readonly id: string
  readonly at: string
}

/** What a rule needs of an attempt beyond its record. */
export interface AttemptState extends Target {
  readonly id: string
  readonly outcome: FixOutcome
  readonly pr_status: FixPrStatus | null
}

/** What decides whether a fix can be asked for. */
export type FixTarget = Pick<Observation, "id" | "ref" | "kind" | "status" | "close_reason" | "fix_attempts"> & {
  readonly repository_id: string
  readonly locations: NonNullable<Observation["locations"]>
  readonly open_fix_pr: boolean
  readonly in_flight: boolean
  readonly path: RepositoryPath
}

/** Tries to fix observations. The observation's own columns about them follow by triggers. */
export class FixAttemptsRepo extends Effect.Service<FixAttemptsRepo>()("FixAttemptsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const target = (request: { readonly workspace_id: string; readonly number: number; readonly lock: boolean }) =>
      Effect.map(
        Effect.orDie(
          sql<FixTarget>`
            SELECT o.id, 'OBS-' || o.number AS ref, o.repository_id, o.kind, o.status, o.close_reason, o.locations,
              o.fix_attempts, o.open_fix_pr, EXISTS (
                SELECT FROM fix_attempts a WHERE a.observation_id = o.id AND a.outcome = 'started') AS in_flight,
              jsonb_build_object('github_org', r.github_org, 'github_repo', r.github_repo,
                'github_base_branch', r.github_base_branch) AS path
            FROM observations o JOIN repositories r ON r.id = o.repository_id
            WHERE o.workspace_id = ${request.workspace_id} AND o.number = ${request.number}
              AND r.deleted_at IS NULL ${sql.literal(request.lock ? "FOR UPDATE OF o" : "")}`
        ),
        (rows): FixTarget | null => rows[0] ?? null
      )

    /** How many attempts the observation has had; those that a person called off do not count. */
    const used = (request: { readonly workspace_id: string; readonly observation_id: string }) =>
      Effect.map(
        Effect.orDie(
          sql<{ readonly n: number }>`SELECT fix_attempts AS n FROM observations
            WHERE workspace_id = ${request.workspace_id} AND id = ${request.observation_id}`
        ),
        (rows) => rows[0]?.n ?? 0
      )

    /** `false` while another attempt at the observation is under way or has an open pull request. */
    const insertUnlessInFlight = (attempt: NewAttempt) =>
      Effect.map(
        Effect.orDie(
          sql`INSERT INTO fix_attempts (id, workspace_id, repository_id, observation_id, job_id, started_at, updated_at)
            VALUES (${attempt.id}, ${attempt.workspace_id}, ${attempt.repository_id}, ${attempt.observation_id},
              ${attempt.job_id}, ${attempt.at}, ${attempt.at})
            ON CONFLICT (observation_id) WHERE outcome = 'started' DO NOTHING RETURNING 1`
        ),
        (rows) => rows.length === 1
      )

    /** Locked until the transaction ends; its observation first, as everything does that locks both. */
    const open = (id: string) =>
      Effect.gen(function* () {
        yield* sql`SELECT 1 FROM observations WHERE id = (SELECT observation_id FROM fix_attempts WHERE id = ${id})
          FOR UPDATE`
        const rows = yield* sql<AttemptState>`
          SELECT id, workspace_id, repository_id, observation_id, outcome, pr_status FROM fix_attempts
          WHERE id = ${id} FOR UPDATE`
        return (rows[0] ?? null) as AttemptState | null
      }).pipe(Effect.orDie)

    const ofJob = (request: { readonly workspace_id: string; readonly job_id: string }) =>
      Effect.map(
        Effect.orDie(
          sql<AttemptState>`SELECT id, workspace_id, repository_id, observation_id, outcome, pr_status FROM fix_attempts
            WHERE workspace_id = ${request.workspace_id} AND job_id = ${request.job_id}`
        ),
        (rows): AttemptState | null => rows[0] ?? null
      )

    /** Oldest first. */
    const ofObservation = (request: { readonly workspace_id: string; readonly observation_id: string }) =>
      Effect.orDie(
        sql<FixAttempt>`/* prepared */
          SELECT id AS attempt_id, job_id, outcome, pr_status AS status, pr_url, pr_number AS number,
            last_failure_reason, started_at, finished_at
          FROM fix_attempts
          WHERE workspace_id = ${request.workspace_id} AND observation_id = ${request.observation_id} ORDER BY id`
      )

    const setPr = (change: Change & OpenedPr & { readonly pr_status: FixPrStatus }) =>
      Effect.orDie(
        sql`UPDATE fix_attempts SET pr_status = ${change.pr_status}, pr_url = ${change.pr_url},
          pr_number = ${change.pr_number}, updated_at = ${change.at} WHERE id = ${change.id}`
      )

    const setPrStatus = (change: Change & { readonly pr_status: FixPrStatus; readonly reason: string | null }) =>
      Effect.orDie(
        sql`UPDATE fix_attempts SET pr_status = ${change.pr_status}, updated_at = ${change.at},
          last_failure_reason = coalesce(${change.reason === null ? null : storableText(change.reason)}, last_failure_reason)
          WHERE id = ${change.id}`
      )

    /** The attempt whose open pull request waits for people, locked until the transaction ends. */
    const inReview = (request: { readonly workspace_id: string; readonly observation_id: string }) =>
      Effect.map(
        Effect.orDie(
          sql<{ readonly id: string; readonly revisions: number }>`SELECT id, revisions FROM fix_attempts
            WHERE workspace_id = ${request.workspace_id} AND observation_id = ${request.observation_id}
              AND outcome = 'started' AND pr_status IN ('in_review', 'needs_attention') FOR UPDATE`
        ),
        (rows) => rows[0] ?? null
      )

    const revise = ({ id, at }: Change) =>
      Effect.orDie(
        sql`UPDATE fix_attempts SET pr_status = 'revising', revisions = revisions + 1, updated_at = ${at}
          WHERE id = ${id}`
      )

    const end = (
      change: Change & {
        readonly outcome: FixOutcome
        readonly pr_status: FixPrStatus | null
        readonly reason: string | null
      }
    ) =>
      Effect.orDie(
        sql`UPDATE fix_attempts SET outcome = ${change.outcome}, pr_status = ${change.pr_status},
          last_failure_reason = coalesce(${change.reason === null ? null : storableText(change.reason)}, last_failure_reason),
          updated_at = ${change.at}, finished_at = ${change.at} WHERE id = ${change.id}`
      )

    /** Attempts with a pull request, newest first, one more than `limit` when there are more. */
    const listPrs = (request: {
      readonly workspace_id: string
      readonly repository_id: string
      readonly after: string | null
      readonly limit: number
    }) =>
      Effect.orDie(
        sql<FixPrSummary>`
          SELECT a.id AS attempt_id, a.observation_id, 'OBS-' || o.number AS ref, o.title, a.pr_url,
            a.pr_status AS status, a.pr_number AS number, a.outcome, o.dismissal_category, o.dismissal_note,
            a.finished_at, a.last_failure_reason, a.started_at
          FROM fix_attempts a JOIN observations o ON o.id = a.observation_id
          WHERE a.workspace_id = ${request.workspace_id} AND a.repository_id = ${request.repository_id}
            AND a.pr_url IS NOT NULL AND (${request.after}::uuid IS NULL OR a.id < ${request.after}::uuid)
          ORDER BY a.id DESC LIMIT ${request.limit + 1}`
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
