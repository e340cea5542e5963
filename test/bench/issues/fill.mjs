// Fills a workspace with issues as a team has them after some years, in statements that run on the server.

const actor = `'{"kind":"user","user_id":null,"api_key":null,"label":"owner@example.org"}'::jsonb`

const levels = (client, workspace) =>
  client.query(
    `INSERT INTO projects (id, workspace_id, kind, slug, name, description, parent_id, created_at, updated_at)
      SELECT ids[n], $1, CASE WHEN n = 1 THEN 'area' ELSE 'project' END, 'level-' || n, 'Level ' || n, '',
        CASE WHEN n BETWEEN 2 AND 6 THEN ids[1] END, now(), now()
      FROM (SELECT array_agg(gen_random_uuid()) AS ids FROM generate_series(1, 20)) made, generate_series(1, 20) n`,
    [workspace]
  )

// Four fifths are closed; of the others most are open, some claimed. Every tenth names a rare label.
const issues = (client, workspace, owner, count) =>
  client.query(
    `INSERT INTO issues (id, workspace_id, number, project_id, repository_ids, title, body_md, status, priority, labels,
        assignee_user_id, fence, claim_holder, claim_user_id, claimed_at, lease_expires_at, moved_by_claim, created_by,
        updated_by, created_at, updated_at, closed_at, close_reason)
      SELECT gen_random_uuid(), $1, n, levels.ids[1 + h % 20],
        CASE WHEN h % 5 = 0 THEN '{}' ELSE ARRAY[repos.ids[1 + h / 7 % 20]] END,
        'Reject ' || (ARRAY['forged', 'stale', 'empty', 'oversized', 'repeated'])[1 + h % 5] || ' requests of account '
          || h % 1000,
        repeat('The handler accepts what it should reject, and the tests do not notice. ', 1 + h % 6) || md5(n::text),
        status, 'P' || h / 3 % 4,
        ARRAY[(ARRAY['api', 'security', 'web'])[1 + h % 3], 'team-' || h % 40],
        CASE WHEN h % 3 = 0 THEN $2::uuid END, CASE WHEN claimed THEN 1 ELSE 0 END,
        CASE WHEN claimed THEN ${actor} END, CASE WHEN claimed THEN $2::uuid END,
        CASE WHEN claimed THEN now() END,
        CASE WHEN claimed THEN now() + (h % 2 - 0.5) * interval '2 hours' END, claimed, ${actor}, ${actor},
        at, at, CASE WHEN status = 'done' THEN at END, CASE WHEN status = 'done' THEN 'completed' END
      FROM (SELECT n, h, at, h / 11 % 100 BETWEEN 15 AND 17 AS claimed,
          CASE WHEN h / 11 % 100 >= 20 THEN 'done' WHEN h / 11 % 100 >= 15 THEN 'in_progress'
            WHEN h / 11 % 100 >= 13 THEN 'in_review' ELSE 'open' END AS status
        FROM (SELECT n, abs(hashint4(n)) AS h, now() - ($3 - n) * interval '20 minutes' AS at
          FROM generate_series(1, $3::int) n) numbered) made,
        (SELECT array_agg(id ORDER BY slug) AS ids FROM projects WHERE workspace_id = $1) levels,
        (SELECT array_agg(id) AS ids FROM repositories WHERE workspace_id = $1) repos`,
    [workspace, owner, count]
  )

const parts = async (client, workspace, events) => {
  await client.query(
    `INSERT INTO issue_criteria (id, workspace_id, issue_id, position, text, met_by, met_at)
      SELECT gen_random_uuid(), $1, id, n, 'Requests of this kind are rejected, case ' || n,
        CASE WHEN closed_at IS NOT NULL THEN ${actor} END, closed_at
      FROM issues, generate_series(1, 2) n WHERE workspace_id = $1`,
    [workspace]
  )
  await client.query(
    `INSERT INTO issue_relations (workspace_id, from_id, kind, to_id, created_by, created_at)
      SELECT $1, a.id, CASE WHEN a.number % 3 = 0 THEN 'relates_to' ELSE 'blocks' END, b.id, ${actor}, a.created_at
      FROM issues a JOIN issues b ON b.workspace_id = $1 AND b.number = a.number + 3
      WHERE a.workspace_id = $1 AND a.number % 5 = 0`,
    [workspace]
  )
  // One issue has a history as long as any.
  await client.query(
    `INSERT INTO issue_events (id, workspace_id, issue_id, event, actor, at, detail)
      SELECT gen_random_uuid(), $1, i.id, 'noted', ${actor}, i.created_at + n * interval '1 minute',
        jsonb_build_object('note', 'Step ' || n || ' is done: ' || md5(n::text))
      FROM generate_series(1, $2::int) n JOIN issues i ON i.workspace_id = $1
        AND i.number = CASE WHEN n <= 10000 THEN 1 ELSE 1 + n % (SELECT count(*) FROM issues WHERE workspace_id = $1) END`,
    [workspace, events]
  )
}

export const fillIssues = async (client, { workspace, owner, count, events }) => {
  const { rows } = await client.query("SELECT next_issue - 1 AS count FROM workspaces WHERE id = $1", [workspace])
  if (rows[0].count === count) return
  await levels(client, workspace)
  await issues(client, workspace, owner, count)
  await parts(client, workspace, events)
  await client.query("UPDATE workspaces SET next_issue = $2 WHERE id = $1", [workspace, count + 1])
  await client.query("VACUUM ANALYZE")
  await client.query("CHECKPOINT")
}
