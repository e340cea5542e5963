import { fillWorkspace, keys, withoutIndexes } from "../api/fill.mjs"
import { fillIssues } from "../issues/fill.mjs"

// Fills an installation with what twenty teams have, in statements that run on the server.

const workspaceCount = 20

/** Of the whole installation at scale 1. */
export const fullCounts = {
  repositories: 500,
  observations: 1_000_000,
  contextEntries: 100_000,
  issues: 50_000,
  jobs: 200_000,
  jobEvents: 4_000_000
}

const eventsOfAJob = fullCounts.jobEvents / fullCounts.jobs

const workspaces = async (client, owner) => {
  await client.query(
    `WITH made AS (
        INSERT INTO workspaces (id, name, created_at)
        SELECT gen_random_uuid(), 'team-' || n, now() FROM generate_series(2, $2::int) n RETURNING id
      )
      INSERT INTO memberships (workspace_id, user_id, role, created_at) SELECT id, $1, 'owner', now() FROM made`,
    [owner, workspaceCount]
  )
  const { rows } = await client.query("SELECT id FROM workspaces ORDER BY created_at, id")
  return rows.map(({ id }) => id)
}

const jobEvents = (client, workspace) =>
  client.query(
    `WITH written AS (
        INSERT INTO job_events (job_id, seq, ts, stage, type, detail)
        SELECT id, n, created_at + n * interval '0.6 seconds', 'scan', 'stage_progress', 'File ' || n || ' of ' || $2
        FROM jobs, generate_series(1, $2::int) n WHERE workspace_id = $1
      )
      UPDATE jobs SET event_seq = $2 WHERE workspace_id = $1`,
    [workspace, eventsOfAJob]
  )

const contextEntries = (client, workspace, count) =>
  client.query(
    `INSERT INTO context_entries (id, workspace_id, key, status, kind, title, summary, body_md, data, scope, tags,
        created_by, updated_by, created_at, updated_at)
      SELECT gen_random_uuid(), $1, 'note-' || n, 'live', 'note', 'About part ' || n,
        'Part ' || n || ' of the service is changed in pairs.', repeat('What else there is to know. ', 10), '{}',
        'subtree', '{ops}', actor, actor, now(), now()
      FROM generate_series(1, $2::int) n, (SELECT '{"kind":"user","api_key":null,"label":"owner@example.org",
        "label_verified":true,"user_id":null}'::jsonb AS actor) a`,
    [workspace, count]
  )

const scopes = ["view_observations", "view_jobs", "view_context", "view_issues"]

/** The workspaces, each with keys and with jobs to read. */
export const fillMany = async (client, { scale, keysOfEach }) => {
  const { rows } = await client.query("SELECT user_id AS owner FROM memberships LIMIT 1")
  const [{ owner }] = rows
  await client.query("SET synchronous_commit = off")
  const ids = await workspaces(client, owner)
  const share = (count) => Math.max(1, Math.round((count * scale) / workspaceCount))
  const counts = {
    repositories: fullCounts.repositories / workspaceCount,
    observations: share(fullCounts.observations),
    jobs: share(fullCounts.jobs)
  }
  await withoutIndexes(client, ["observations", "observation_events", "job_events"], async () => {
    for (const workspace of ids) {
      await fillWorkspace(client, workspace, counts)
      await jobEvents(client, workspace)
      await contextEntries(client, workspace, share(fullCounts.contextEntries))
    }
  })
  for (const workspace of ids) {
    const count = share(fullCounts.issues)
    await fillIssues(client, { workspace, owner, count, events: 2 * count })
  }
  await client.query("VACUUM ANALYZE")
  const filled = []
  for (const workspace of ids) {
    const { rows: some } = await client.query("SELECT id FROM jobs WHERE workspace_id = $1 LIMIT 100", [workspace])
    filled.push({
      jobs: some.map(({ id }) => id),
      keys: await keys(client, workspace, owner, keysOfEach, scopes),
      observations: counts.observations
    })
  }
  return filled
}
