import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { run } from "../support/rows.ts"
import { JobEventsRepo } from "./JobEventsRepo.ts"
import type { JobLimitsSettings } from "./JobLimits.ts"

/** Which queued jobs run next. */
export class JobClaimsRepo extends Effect.Service<JobClaimsRepo>()("JobClaimsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const events = yield* JobEventsRepo

    // As the index `jobs_by_turn` has it. Work that a person waits for goes before what was queued up to an hour earlier.
    const turn = sql.literal("((j.queued_at AT TIME ZONE 'UTC') - job_head_start(j.workflow))")

    /**
     * Moves queued jobs to running within all caps, in one statement: the next of every workspace before the second of
     * any. It reads as many entries of an index as there are workspaces that wait and jobs that may run, not all that
     * wait. Must run in a transaction: a lock makes it one claim at a time.
     */
    const claimPending = ({
      workflows,
      limits,
      at
    }: {
      readonly workflows: ReadonlyArray<string>
      readonly limits: JobLimitsSettings
      readonly at: string
    }) =>
      Effect.zipRight(
        // A queue's statistics are never those of now: the planner would read and sort all that waits (60 ms for 10,000 jobs).
        run(sql`
          SELECT pg_advisory_xact_lock(hashtextextended('assay/jobs/claim', 0)),
            set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true),
            set_config('jit', 'off', true)`),
        events.changeStatus({
          prelude: sql`
            active AS (
              SELECT workspace_id, repository_id, count(*) AS n FROM jobs WHERE status = 'running'
              GROUP BY workspace_id, repository_id
            ),
            busy AS (SELECT workspace_id, sum(n) AS n FROM active GROUP BY workspace_id),
            room AS (SELECT greatest(0, ${limits.running} - coalesce(sum(n), 0)) AS n FROM active),
            waiting AS (
              WITH RECURSIVE next AS (
                (SELECT workspace_id FROM jobs WHERE status = 'pending' ORDER BY workspace_id LIMIT 1)
                UNION ALL
                SELECT (SELECT j.workspace_id FROM jobs j WHERE j.status = 'pending' AND j.workspace_id > next.workspace_id
                  ORDER BY j.workspace_id LIMIT 1)
                FROM next WHERE next.workspace_id IS NOT NULL
              )
              SELECT w.id, coalesce(w.max_running, ${limits.runningPerWorkspace}) AS most, coalesce(b.n, 0) AS busy
              FROM next JOIN workspaces w ON w.id = next.workspace_id AND w.suspended_at IS NULL
                LEFT JOIN busy b ON b.workspace_id = w.id
              WHERE (SELECT n FROM room) > 0
            ),
            candidates AS (
              SELECT c.*, w.busy, w.most,
                row_number() OVER (PARTITION BY c.repository_id ORDER BY c.turn, c.id) + coalesce(a.n, 0) AS of_repository
              FROM waiting w CROSS JOIN LATERAL (
                SELECT j.id, j.workspace_id, j.repository_id, ${turn} AS turn FROM jobs j
                WHERE j.workspace_id = w.id AND j.status = 'pending' AND j.workflow = ANY(${[...workflows]}::text[])
                  AND j.repository_id <> ALL (
                    ARRAY(SELECT repository_id FROM active WHERE n >= ${limits.runningPerRepository}))
                ORDER BY ${turn}, j.id LIMIT greatest(0, w.most - w.busy)
              ) c LEFT JOIN active a ON a.repository_id = c.repository_id
            ),
            chosen AS (
              SELECT id, busy + row_number() OVER (PARTITION BY workspace_id ORDER BY turn, id) AS place, turn
              FROM candidates WHERE of_repository <= ${limits.runningPerRepository}
              ORDER BY place, turn, id LIMIT (SELECT n FROM room)
            ),`,
          mutation: sql`
            UPDATE jobs SET status = 'running', started_at = greatest(${at}::timestamptz, jobs.queued_at),
              event_seq = event_seq + 1
            FROM chosen WHERE jobs.id = chosen.id AND jobs.status = 'pending'`,
          at,
          detail: "Started."
        })
      )

    return { claimPending }
  })
}) {}
