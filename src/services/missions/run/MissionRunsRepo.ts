import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { gateNames } from "../../../schema/Fix.ts"
import { AttemptId, JobId, MissionId, type MissionStepId, WorkspaceId } from "../../../schema/Ids.ts"
import { MissionGate, MissionStatus } from "../../../schema/Mission.ts"
import { Amount } from "../../../schema/Text.ts"
import { firstRow, onlyRow, rows, run } from "../../support/rows.ts"
import type { MissionKey } from "../MissionsRepo.ts"

/** Channel of the database: a mission may have something to do. */
export const missionsChannel = "missions"

const DueMission = Schema.Struct({ id: MissionId, workspace_id: WorkspaceId, status: MissionStatus })
export type DueMission = typeof DueMission.Type

/** What the run of a mission needs beside its record. */
export const RunState = Schema.Struct({
  repo_name: Schema.String,
  repository_deleted: Schema.Boolean,
  goal_md: Schema.String,
  head_commit: Schema.NullOr(Schema.String),
  /** Commits that lost tries may have left on the branch. */
  announced: Schema.Array(Schema.String)
})
export type RunState = typeof RunState.Type

/** How the try of a step ended, as far as its job knows. */
const TryEnd = Schema.Struct({
  cost_usd: Amount,
  head_commit: Schema.NullOr(Schema.String),
  branch: Schema.NullOr(Schema.String),
  base_commit: Schema.NullOr(Schema.String),
  gates: Schema.Array(MissionGate)
})

const Job = Schema.Struct({ id: JobId })
const Mission = Schema.Struct({ id: MissionId })
const Attempt = Schema.Struct({ id: AttemptId })
const Left = Schema.Struct({ usd: Schema.Number })

interface OfJob {
  readonly workspace_id: WorkspaceId
  readonly job_id: JobId
}

/** What ties missions to their jobs, their branch and the attempts at the observations that they fix. */
export class MissionRunsRepo extends Effect.Service<MissionRunsRepo>()("MissionRunsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** With the transaction: the run looks at the mission at once. */
    const wake = ({ id }: Pick<MissionKey, "id">) => run(sql`SELECT pg_notify(${missionsChannel}, ${id}::text)`)

    /** Missions that run without a job, and those that ended before what they had begun. */
    const due = rows(
      DueMission,
      sql`SELECT m.id, m.workspace_id, m.status FROM missions m
            JOIN workspaces w ON w.id = m.workspace_id AND w.suspended_at IS NULL
          WHERE m.status = 'running' AND m.pull_request_job_id IS NULL
            AND NOT EXISTS (SELECT FROM mission_steps s WHERE s.mission_id = m.id AND s.status = 'running')
          UNION
          SELECT m.id, m.workspace_id, m.status FROM mission_steps s JOIN missions m ON m.id = s.mission_id
          WHERE s.status = 'running' AND m.status IN ('cancelled', 'failed')
          UNION
          SELECT id, workspace_id, status FROM missions
          WHERE pull_request_job_id IS NOT NULL AND status IN ('cancelled', 'failed')
          UNION
          SELECT m.id, m.workspace_id, m.status FROM fix_attempts a JOIN missions m ON m.id = a.mission_id
          WHERE a.outcome = 'started' AND a.pr_status IS NULL AND m.status IN ('cancelled', 'failed')`
    )

    const stateOf = ({ workspace_id, id }: MissionKey) =>
      onlyRow(
        RunState,
        sql`SELECT r.repo_name, r.deleted_at IS NOT NULL AS repository_deleted, m.goal_md, m.head_commit, ARRAY(
              SELECT unnest(s.announced_commits) FROM mission_steps s WHERE s.mission_id = m.id) AS announced
            FROM missions m JOIN repositories r ON r.id = m.repository_id
            WHERE m.workspace_id = ${workspace_id} AND m.id = ${id}`
      )

    const announce = ({
      workspace_id,
      step_id,
      commit
    }: {
      readonly workspace_id: WorkspaceId
      readonly step_id: MissionStepId
      readonly commit: string
    }) =>
      run(sql`UPDATE mission_steps SET announced_commits = array_append(array_remove(announced_commits, ${commit}), ${commit})
          WHERE workspace_id = ${workspace_id} AND id = ${step_id}`)

    const setHead = ({ workspace_id, id }: MissionKey, commit: string) =>
      run(sql`UPDATE missions SET head_commit = ${commit} WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    /** What the pull request shows: the newest commit of the branch, and its change where that is not too large to keep. */
    const setChange = (
      { workspace_id, id }: MissionKey,
      change: { readonly head_commit: string; readonly diff: string | null }
    ) =>
      run(sql`UPDATE missions SET head_commit = ${change.head_commit}, diff = ${change.diff}
          WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    const setPullRequestJob = ({ workspace_id, id }: MissionKey, job_id: JobId | null) =>
      run(sql`UPDATE missions SET pull_request_job_id = ${job_id}::uuid
          WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    /** The mission whose pull request a job opens. */
    const ofPullRequestJob = ({ workspace_id, job_id }: OfJob) =>
      firstRow(
        Mission,
        sql`SELECT id FROM missions WHERE workspace_id = ${workspace_id} AND pull_request_job_id = ${job_id}`
      )

    /** Of a job that is about to end. The gates are those of its last round. */
    const endOf = ({ workspace_id, job_id }: OfJob) =>
      onlyRow(
        TryEnd,
        sql`SELECT round(j.cost_usd::numeric, 9)::float8 AS cost_usd, p.output ->> 'head_commit' AS head_commit,
              p.output ->> 'branch' AS branch, p.output ->> 'base_commit' AS base_commit, coalesce((
                SELECT jsonb_agg(jsonb_build_object('name', g.stage, 'reason', g.detail,
                    'result', coalesce(g.data ->> 'gate_result', 'skipped')) ORDER BY g.position)
                FROM (
                  SELECT DISTINCT ON (e.stage) e.stage, e.detail, e.data,
                    array_position(${[...gateNames]}::text[], e.stage) AS position
                  FROM job_events e
                  WHERE e.job_id = j.id AND e.type IN ('gate_evaluated', 'stage_skipped')
                    AND e.stage = ANY(${[...gateNames]}::text[]) AND e.detail <> 'Finished before.'
                    AND (e.stage = 'still_present' OR e.seq >= coalesce((
                      SELECT max(seq) FROM job_events WHERE job_id = j.id AND type = 'gate_evaluated' AND stage = 'edit'), 0))
                  ORDER BY e.stage, e.seq DESC) g), '[]') AS gates
            FROM jobs j LEFT JOIN job_stages p ON p.job_id = j.id AND p.stage = 'push' AND p.finished_at IS NOT NULL
            WHERE j.workspace_id = ${workspace_id} AND j.id = ${job_id}`
      )

    /** What an agent of the job may spend: what the mission has left, less what the job has cost so far. */
    const budgetLeft = ({ workspace_id, job_id }: OfJob) =>
      Effect.map(
        onlyRow(
          Left,
          sql`SELECT (m.budget_usd - m.spent_usd - round(j.cost_usd::numeric, 9))::float8 AS usd
              FROM mission_steps s JOIN missions m ON m.id = s.mission_id JOIN jobs j ON j.id = s.job_id
              WHERE s.workspace_id = ${workspace_id} AND s.job_id = ${job_id}`
        ),
        ({ usd }) => usd
      )

    /** Jobs of the mission that are queued or run. */
    const activeJobs = ({ workspace_id, id }: MissionKey) =>
      rows(
        Job,
        sql`SELECT id FROM jobs WHERE workspace_id = ${workspace_id} AND status IN ('pending', 'running') AND id IN (
              SELECT job_id FROM mission_steps WHERE mission_id = ${id} AND job_id IS NOT NULL
              UNION SELECT pull_request_job_id FROM missions WHERE id = ${id})
            ORDER BY id`
      )

    /** Attempts that a job works on. */
    const attemptsOfJob = ({ workspace_id, job_id }: OfJob) =>
      rows(
        Attempt,
        sql`SELECT attempt_id AS id FROM fix_attempt_jobs
            WHERE workspace_id = ${workspace_id} AND job_id = ${job_id} ORDER BY attempt_id`
      )

    /** Attempts without a pull request whose fix is on the branch, those of a cancelled run, too. */
    const attemptsToOpen = ({ workspace_id, id }: MissionKey) =>
      rows(
        Attempt,
        sql`SELECT DISTINCT a.id FROM fix_attempts a JOIN fix_attempt_jobs l ON l.attempt_id = a.id
              JOIN mission_steps s ON s.job_id = l.job_id AND s.status = 'completed'
            WHERE a.workspace_id = ${workspace_id} AND a.mission_id = ${id} AND s.mission_id = ${id}
              AND a.outcome IN ('started', 'cancelled') AND a.pr_status IS NULL AND a.head_commit IS NOT NULL
            ORDER BY a.id`
      )

    /** Attempts that keep others from fixing their observations, without a pull request. */
    const attemptsUnderWay = ({ workspace_id, id }: MissionKey) =>
      rows(
        Attempt,
        sql`SELECT id FROM fix_attempts WHERE workspace_id = ${workspace_id} AND mission_id = ${id}
            AND outcome = 'started' AND pr_status IS NULL ORDER BY id`
      )

    return {
      wake,
      due,
      stateOf,
      announce,
      setHead,
      setChange,
      setPullRequestJob,
      ofPullRequestJob,
      endOf,
      budgetLeft,
      activeJobs,
      attemptsOfJob,
      attemptsToOpen,
      attemptsUnderWay
    }
  })
}) {}
