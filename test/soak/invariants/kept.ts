import { Effect } from "effect"
import type { ChaosDatabase } from "../../chaos/ChaosDatabase.ts"
import type { EntryEvent, KeptState, StatusEvent } from "./history.ts"

const recorded = `
  SELECT 'issues' AS kind, (SELECT count(*)::int FROM issues) AS changes,
    (SELECT count(*)::int FROM audit_log WHERE action = 'issues.file') AS records
  UNION ALL SELECT 'events of issues',
    (SELECT count(*)::int FROM issue_events WHERE event NOT IN ('created', 'lease_ended')),
    (SELECT count(*)::int FROM audit_log WHERE object_kind = 'issue' AND action <> 'issues.file')
  UNION ALL SELECT 'triage', (SELECT count(*)::int FROM observation_events WHERE reason LIKE 'mark-%'),
    (SELECT count(*)::int FROM audit_log WHERE action IN ('observations.dismiss', 'observations.reopen'))
  UNION ALL SELECT 'context', (SELECT count(*)::int FROM context_events),
    (SELECT count(*)::int FROM audit_log WHERE object_kind = 'context_entry')`

/** What is left of the credit and was settled in all, in US dollars. */
export const moneyOf = (database: ChaosDatabase) =>
  Effect.map(
    database.rows<{ readonly credit: number; readonly settled: number }>(
      `SELECT credit_usd::float8 AS credit,
        (SELECT coalesce(sum(amount_usd), 0)::float8 FROM spend_entries WHERE kind = 'settle') AS settled FROM workspaces`
    ),
    ([row]) => row ?? { credit: 0, settled: 0 }
  )

/** The state in the end; `before` is the money at the beginning. */
export const keptState = (database: ChaosDatabase, before: { readonly credit: number; readonly settled: number }) =>
  Effect.gen(function* () {
    const money = yield* moneyOf(database)
    return {
      // A version is written under the entry's lock, and an ID of the time at which it was: time alone has milliseconds.
      entryEvents: yield* database.rows<EntryEvent>(
        `SELECT v.entry_id, e.key, v.version, v.event FROM context_events v JOIN context_entries e ON e.id = v.entry_id
        ORDER BY v.xmin::text::bigint, v.created_at, v.id`
      ),
      entries: yield* database.rows<KeptState["entries"][number]>(
        "SELECT id, key, version, disabled_at IS NULL AS enabled FROM context_entries"
      ),
      issueMoves: yield* database.rows<StatusEvent>(
        `SELECT 'ISS-' || i.number AS subject, e.event, e.detail->>'from' AS from, e.detail->>'to' AS to
        FROM issue_events e JOIN issues i ON i.id = e.issue_id WHERE e.detail ? 'from' AND e.detail ? 'to' ORDER BY e.seq`
      ),
      observationMoves: yield* database.rows<StatusEvent>(
        `SELECT 'OBS-' || o.number AS subject, e.event, e.from_status AS from, e.to_status AS to
        FROM observation_events e JOIN observations o ON o.id = e.observation_id WHERE e.from_status IS NOT NULL ORDER BY e.id`
      ),
      issues: yield* database.rows<KeptState["issues"][number]>("SELECT 'ISS-' || number AS ref, title FROM issues"),
      money: { before: before.credit, after: money.credit, settled: money.settled - before.settled },
      recorded: yield* database.rows<KeptState["recorded"][number]>(recorded)
    } satisfies KeptState
  })
