import { Effect } from "effect"
import type { ChaosDatabase } from "./ChaosDatabase.ts"
import type { Kept, KeptJob } from "./ledger.ts"

const marks = `
  SELECT 'issue' AS kind, title AS mark, NULL::text AS job_id FROM issues WHERE title LIKE 'mark-%'
  UNION ALL SELECT 'note', detail->>'note', NULL FROM issue_events WHERE event = 'noted'
  UNION ALL SELECT 'triage', reason, NULL FROM observation_events WHERE reason LIKE 'mark-%'
  UNION ALL SELECT 'entry', key, NULL FROM context_entries WHERE key LIKE 'mark-%'
  UNION ALL SELECT 'entry_change', title, NULL FROM context_entries WHERE version > 1
  UNION ALL SELECT 'entry_change', prev->>'title', NULL FROM context_events WHERE version > 2
  UNION ALL SELECT 'job', key, job_id::text FROM idempotency_keys WHERE key LIKE 'mark-%'`

// The scan within the stage `observe` of a discovery reports a phase of the same name.
const jobs = `
  SELECT j.id::text AS id, j.workflow, j.status, j.failure_kind, j.error,
    (SELECT count(*)::int FROM job_events e WHERE e.job_id = j.id AND e.detail IN ('Completed.', 'Failed.', 'Cancelled.')) AS ends,
    (SELECT count(*)::int FROM (SELECT stage FROM job_events e JOIN job_stages USING (job_id, stage)
      WHERE e.job_id = j.id AND e.type = 'stage_completed' AND e.stage <> 'observe'
      GROUP BY stage HAVING count(*) > 1) repeated) AS repeated_stages,
    (SELECT coalesce(max(seq), 0) = count(*) FROM job_events e WHERE e.job_id = j.id) AS is_gapless,
    (SELECT count(*)::int FROM spend_entries s WHERE s.job_id = j.id AND s.kind = 'reserve') AS reserves,
    (SELECT count(*)::int FROM spend_entries s WHERE s.job_id = j.id AND s.kind = 'release') AS releases,
    (SELECT count(*)::int FROM spend_entries s WHERE s.job_id = j.id AND s.kind = 'settle') AS settles,
    (SELECT coalesce(sum(amount_usd), 0)::float8 FROM spend_entries s WHERE s.job_id = j.id AND s.kind = 'settle') - j.cost_usd
      AS difference_usd
  FROM jobs j ORDER BY j.created_at, j.id`

const recorded = `
  SELECT 'issues' AS kind, (SELECT count(*)::int FROM issues) AS changes,
    (SELECT count(*)::int FROM audit_log WHERE action = 'issues.file') AS records
  UNION ALL SELECT 'notes', (SELECT count(*)::int FROM issue_events WHERE event = 'noted'),
    (SELECT count(*)::int FROM audit_log WHERE action = 'issues.note')
  UNION ALL SELECT 'triage', (SELECT count(*)::int FROM observation_events WHERE reason LIKE 'mark-%'),
    (SELECT count(*)::int FROM audit_log WHERE action IN ('observations.dismiss', 'observations.reopen'))
  UNION ALL SELECT 'context', (SELECT count(*)::int FROM context_events),
    (SELECT count(*)::int FROM audit_log WHERE object_kind = 'context_entry')`

/** What the database holds of the load. */
export const keptOf = (database: Pick<ChaosDatabase, "rows">) =>
  Effect.gen(function* () {
    return {
      marks: yield* database.rows<Kept["marks"][number]>(marks),
      jobs: yield* database.rows<KeptJob>(jobs),
      recorded: yield* database.rows<Kept["recorded"][number]>(recorded)
    } satisfies Kept
  })
