import fastify from "fastify"
import pg from "pg"
import { ObservationsPage } from "../../../dist/http/ObservationsApi.js"
import { FixableObservation } from "../../../dist/schema/Fix.js"
import { Job } from "../../../dist/schema/Job.js"
import { shapeOf } from "../../../dist/services/support/jsonPrinter.js"

// The same answers as the API's from a bare Fastify and pg with prepared statements: the same rows, no key, no scopes, no
// limits, one workspace.

const { workspace, connection } = JSON.parse(process.argv[2])
const pool = new pg.Pool({ ...connection, max: 20 })
const app = fastify({ logger: { level: "error", stream: process.stderr } })

/** A prepared statement of each connection. */
const prepared = (name, text, values) => pool.query({ name, text, values })

const columns = `'OBS-' || o.number AS ref, o.id, o.kind, o.status, o.priority, o.category, o.title, o.description,
  r.repo_name, o.domain, o.tool, o.rule_id, o.cwe, o.confidence, o.effort, o.risk, o.evidence, o.snippet,
  o.suggested_change, o.close_reason, o.dismissal_category, o.dismissal_note, o.closed_at, o.closed_by,
  o.completion_url, o.completion_note, o.acknowledged_at, o.first_seen_at, o.last_seen_at, o.first_seen_job_id,
  o.times_seen, o.fix_attempts, o.has_fix_pr, o.ticket_url, o.created_at, o.updated_at, o.locations`

// Dates are printed as ISO 8601 by the serializer, which needs the format in the schema.
const dated = (shape) => {
  if (shape.items !== undefined) return { ...shape, items: dated(shape.items) }
  if (shape.properties === undefined) return shape
  const properties = Object.entries(shape.properties).map(([name, value]) => [
    name,
    /_at$|^at$/.test(name) ? { ...value, format: "date-time" } : dated(value)
  ])
  return { ...shape, properties: Object.fromEntries(properties) }
}

const answers = (schema) => ({ schema: { response: { 200: dated(shapeOf(schema.ast)) } } })

app.get("/api/observations", answers(ObservationsPage), async ({ query }) => {
  const limit = Number(query.limit)
  const { rows } = await prepared(
    "list",
    `SELECT ${columns} FROM observations o JOIN repositories r ON r.id = o.repository_id AND r.deleted_at IS NULL
      WHERE o.workspace_id = $1 ORDER BY o.number DESC LIMIT $2`,
    [workspace, limit + 1]
  )
  const more = rows.length > limit
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: more ? Buffer.from(last.ref).toString("base64url") : null, has_more: more }
})

app.get("/api/jobs/:id", answers(Job), async ({ params }, reply) => {
  const { rows } = await prepared(
    "job",
    `SELECT j.id, j.workflow, j.status, r.repo_name, j.created_at, j.queued_at, j.started_at, j.finished_at, j.commit_sha,
      j.params, j.parent_job_id, j.attempt, j.agent_runner, j.progress, j.cost_usd, j.forecast, j.error, j.failure_kind,
      j.pr_url, j.requested_by, j.result
      FROM jobs j JOIN repositories r ON r.id = j.repository_id WHERE j.workspace_id = $1 AND j.id = $2`,
    [workspace, params.id]
  )
  if (rows.length === 0) return reply.code(404).send()
  return { ...rows[0], retryable: rows[0].status === "failed" || rows[0].status === "cancelled" }
})

app.get("/api/observations/:ref", answers(FixableObservation), async ({ params }, reply) => {
  const { rows } = await prepared(
    "observation",
    `SELECT ${columns}, o.steps, o.suggested_diff FROM observations o JOIN repositories r ON r.id = o.repository_id AND r.deleted_at IS NULL
      WHERE o.workspace_id = $1 AND o.number = $2`,
    [workspace, Number(params.ref.slice(4))]
  )
  if (rows.length === 0) return reply.code(404).send()
  const [observation] = rows
  const events = await prepared(
    "events",
    `SELECT at, actor, event, from_status, to_status, reason FROM observation_events WHERE observation_id = $1 ORDER BY id`,
    [observation.id]
  )
  const attempts = await prepared(
    "attempts",
    `SELECT a.id AS attempt_id, a.number,
        ARRAY(SELECT l.job_id FROM fix_attempt_jobs l WHERE l.attempt_id = a.id ORDER BY l.at, l.job_id) AS job_ids,
        a.outcome, a.pr_status AS status, a.pr_url, a.pr_number, a.branch, a.runner, '[]'::jsonb AS gates,
        a.last_failure_reason, a.started_at, a.finished_at
      FROM fix_attempts a WHERE a.workspace_id = $1 AND a.observation_id = $2 ORDER BY a.number`,
    [workspace, observation.id]
  )
  return { ...observation, events: events.rows, attempts: attempts.rows, fix_available: false }
})

const address = await app.listen({ host: "127.0.0.1", port: 0 })
process.stdout.write(`${JSON.stringify({ api: address })}\n`)
