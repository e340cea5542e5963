import { Effect } from "effect"
import type pg from "pg"
import type { FinalClaim, StoredEvent } from "./history.ts"

/** Where the database's time lies beside the monotonic clock: the closest of several looks. */
export const databaseTime = (database: pg.Pool) =>
  Effect.promise(async () => {
    let best = { time: 0, error: Number.POSITIVE_INFINITY }
    for (let look = 0; look < 20; look++) {
      const before = performance.now()
      const { rows } = await database.query<{ readonly at: number }>(
        "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS at"
      )
      const error = (performance.now() - before) / 2
      if (error < best.error) best = { time: (rows[0]?.at ?? 0) - before - error, error }
    }
    return best
  })

const actions: Readonly<Record<string, StoredEvent["action"]>> = {
  claimed: "claim",
  claim_renewed: "renew",
  noted: "note",
  status_changed: "status",
  criterion_met: "criterion",
  criterion_unmet: "criterion",
  closed: "close",
  reopened: "reopen",
  lease_ended: "lapse"
}

interface EventRow {
  readonly number: number
  readonly event: string
  readonly client: string | null
  readonly fence: string | null
  readonly ends: string | null
  readonly detail: string | null
}

/** A release without a fence is a manager's. */
const actionOf = ({ event, fence }: EventRow) =>
  event === "released" ? (fence === null ? "withdraw" : "release") : actions[event]

/** The events of all issues in the order of their changes, and the claims that issues hold. */
export const keptOf = (database: pg.Pool, databaseTime: number) =>
  Effect.promise(async () => {
    const { rows } = await database.query<EventRow>(
      `SELECT i.number, e.event, coalesce(e.actor->'api_key'->>'prefix', e.actor->>'user_id') AS client, e.fence,
        e.detail->>'lease_expires_at' AS ends, e.detail::text AS detail
      FROM issue_events e JOIN issues i ON i.id = e.issue_id WHERE e.event <> 'created' ORDER BY e.seq`
    )
    const events = rows.map((row): StoredEvent => {
      const action = actionOf(row)
      if (action === undefined) throw new Error(`The soak knows no event ${row.event}.`)
      return {
        action,
        client: row.client ?? "the service",
        issue: `ISS-${row.number}`,
        fence: row.fence === null ? null : Number(row.fence),
        ends: row.ends === null ? null : Date.parse(row.ends) - databaseTime,
        mark: /mark-\d+-/.exec(row.detail ?? "")?.[0] ?? null
      }
    })
    const claims = await database.query<FinalClaim>(
      `SELECT 'ISS-' || number AS issue, fence::int AS fence, coalesce(claim_holder->'api_key'->>'prefix', claim_holder->>'user_id') AS holder FROM issues`
    )
    return { events, claims: claims.rows }
  })
