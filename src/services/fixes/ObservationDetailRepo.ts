import { SqlClient } from "@effect/sql"
import { Effect, Schema, Struct } from "effect"
import { gateNames } from "../../schema/Fix.ts"
import type { WorkspaceId } from "../../schema/Ids.ts"
import { Observation, type ObservationNumber } from "../../schema/Observation.ts"
import { printedObservation } from "../observations/observationColumns.ts"
import { firstRow } from "../support/rows.ts"
import { printedInstant } from "../support/statements.ts"

/** Gates that a job evaluates once, not in each round. */
const onceNames = "('still_present', 'push', 'pull_request')"

/** Of the newest job of the attempt that was evaluated, in its last round. */
const newestGates = `SELECT DISTINCT ON (g.name) g.name, g.result, g.reason FROM fix_gates g
  WHERE g.attempt_id = a.id
    AND g.job_id = (SELECT n.job_id FROM fix_gates n WHERE n.attempt_id = a.id ORDER BY n.at DESC, n.job_id DESC LIMIT 1)
    AND (g.name IN ${onceNames} OR g.round = (SELECT max(m.round) FROM fix_gates m
      WHERE m.attempt_id = a.id AND m.job_id = g.job_id AND m.name NOT IN ${onceNames}))
  ORDER BY g.name, g.round DESC`

/** The lines of a query as a list of JSON; `json_agg` would add line breaks. */
const listOf = (lines: string) => `('[' || coalesce((${lines}), '') || ']')::json`

const events = listOf(`SELECT string_agg((SELECT row_to_json(c)::text FROM (SELECT ${printedInstant("e.at")} AS at,
    e.actor, e.event, e.from_status, e.to_status, e.reason) c), ',' ORDER BY e.id)
  FROM observation_events e WHERE e.observation_id = o.id`)

const attempts = listOf(`SELECT string_agg((SELECT row_to_json(c)::text FROM (SELECT a.id AS attempt_id, a.number,
    l.job_ids, l.job_ids[1] AS job_id, a.outcome, a.pr_status AS status, a.pr_url, a.pr_number, a.branch, a.runner,
    coalesce((SELECT json_agg(g ORDER BY array_position(ARRAY[${gateNames.map((name) => `'${name}'`).join(", ")}], g.name))
      FROM (${newestGates}) g), '[]') AS gates,
    a.last_failure_reason, ${printedInstant("a.started_at")} AS started_at,
    ${printedInstant("a.finished_at")} AS finished_at) c), ',' ORDER BY a.number)
  FROM fix_attempts a CROSS JOIN LATERAL (SELECT ARRAY(
    SELECT j.job_id FROM fix_attempt_jobs j WHERE j.attempt_id = a.id ORDER BY j.at, j.job_id) AS job_ids) l
  WHERE a.workspace_id = o.workspace_id AND a.observation_id = o.id`)

const detail = printedObservation(
  `, o.locations, o.steps, o.suggested_diff, ${events} AS events, ${attempts} AS attempts`
)

/** An observation as JSON, without `fix_available`, and what decides on that. */
const PrintedDetail = Schema.Struct({
  line: Schema.String,
  ...Struct.pick(Observation.fields, "ref", "kind", "status", "close_reason", "fix_attempts"),
  /** Those whose place decides, not all. */
  locations: Schema.Array(Schema.Struct({ file_path: Schema.String })),
  in_flight: Schema.Boolean
})

/** Reads an observation with its history and its attempts, in one statement. */
export class ObservationDetailRepo extends Effect.Service<ObservationDetailRepo>()("ObservationDetailRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const printed = (request: { readonly workspace_id: WorkspaceId; readonly number: ObservationNumber }) =>
      firstRow(
        PrintedDetail,
        sql`/* prepared */
          SELECT ${sql.literal(detail)}, 'OBS-' || o.number AS ref, o.kind, o.status, o.close_reason, o.fix_attempts,
            CASE WHEN o.status = 'closed' THEN '[]' ELSE jsonb_path_query_array(o.locations,
              '$[*] ? (@.file_path starts with ".github/")') END AS locations,
            EXISTS (SELECT FROM fix_attempts f WHERE f.observation_id = o.id AND f.outcome = 'started') AS in_flight
          FROM observations o JOIN repositories r ON r.id = o.repository_id
          WHERE o.workspace_id = ${request.workspace_id} AND o.number = ${request.number}::bigint AND r.deleted_at IS NULL`
      )

    return { printed }
  })
}) {}
