// Missions and change reviews beside the issues of a workspace, in statements that run on the server.

const actor = `'{"kind":"user","user_id":null,"api_key":null,"label":"owner@example.org"}'::jsonb`

// Most have ended. None runs: the service would work on it.
const missions = (client, workspace, owner, count) =>
  client.query(
    `INSERT INTO missions (id, workspace_id, repository_id, number, title, goal, goal_md, status, budget_usd, spent_usd,
        waiting_kind, waiting_message, waiting_since, created_by, requested_by, created_at, updated_at, finished_at)
      SELECT gen_random_uuid(), $1, repos.ids[1 + h % 20], n, 'Reject forged requests of handler ' || n,
        '{"refs":["OBS-1","OBS-2","OBS-3"]}', 'OBS-1, OBS-2 and OBS-3.', status, 5, h % 500 / 100.0,
        CASE status WHEN 'awaiting_approval' THEN 'plan' WHEN 'waiting_on_person' THEN 'step' END,
        CASE WHEN status IN ('awaiting_approval', 'waiting_on_person') THEN 'The plan has six steps and waits for approval.' END,
        CASE WHEN status IN ('awaiting_approval', 'waiting_on_person') THEN at + interval '1 minute' END,
        ${actor}, $2, at, at, CASE WHEN status = 'completed' THEN at END
      FROM (SELECT n, h, at, CASE WHEN h % 100 < 80 THEN 'completed' WHEN h % 100 < 88 THEN 'awaiting_approval'
            WHEN h % 100 < 92 THEN 'waiting_on_person' ELSE 'paused' END AS status
          FROM (SELECT n, abs(hashint4(n)) AS h, now() - ($3 - n) * interval '2 hours' AS at
            FROM generate_series(1, $3::int) n) numbered) made,
        (SELECT array_agg(id ORDER BY github_repo) AS ids FROM repositories WHERE workspace_id = $1) repos`,
    [workspace, owner, count]
  )

const plans = async (client, workspace) => {
  await client.query(
    `INSERT INTO mission_plans (mission_id, version, workspace_id, repository_id, goal, submitted_by, submitted_at)
      SELECT id, 1, workspace_id, repository_id, goal, created_by, created_at FROM missions WHERE workspace_id = $1`,
    [workspace]
  )
  await client.query(
    `INSERT INTO mission_steps (id, mission_id, plan_version, workspace_id, repository_id, position, title, brief_md,
        status, estimate_usd, finished_at)
      SELECT gen_random_uuid(), id, 1, workspace_id, repository_id, n, 'Step ' || n, 'Pass the value as a parameter.',
        CASE WHEN finished_at IS NULL THEN 'pending' ELSE 'completed' END, 0.01, finished_at
      FROM missions, generate_series(1, 6) n WHERE workspace_id = $1`,
    [workspace]
  )
}

const reviews = async (client, workspace, count) => {
  await client.query(
    `INSERT INTO change_reviews (id, workspace_id, name, title, repository_ids, job_id, round, created_by, created_at,
        updated_at)
      SELECT gen_random_uuid(), $1, 'hx-' || n, 'Retries of payments, part ' || n,
        ARRAY[repos.ids[1 + n % 20], repos.ids[1 + (n + 1) % 20]], jobs.ids[1 + n % 4000], 1, ${actor}, at, at
      FROM (SELECT n, now() - ($2 - n) * interval '1 hour' AS at FROM generate_series(1, $2::int) n) numbered,
        (SELECT array_agg(id ORDER BY github_repo) AS ids FROM repositories WHERE workspace_id = $1) repos,
        (SELECT array_agg(id) AS ids FROM jobs WHERE workspace_id = $1) jobs`,
    [workspace, count]
  )
  await client.query(
    `INSERT INTO change_review_branches (id, workspace_id, change_review_id, repository_id, position, branch, base_sha,
        head_sha, latest_sha, checked_at)
      SELECT gen_random_uuid(), workspace_id, id, repository_ids[n], n - 1, 'pay/retry-' || name, md5(name || 'base'),
        md5(name), CASE WHEN hashtext(name) % 9 = 0 THEN md5(name || 'new') ELSE md5(name) END, updated_at
      FROM change_reviews, generate_series(1, 2) n WHERE workspace_id = $1`,
    [workspace]
  )
  await client.query(
    `INSERT INTO change_review_criteria (id, workspace_id, change_review_id, position, text, verdict, reason, evidence,
        decided_for)
      SELECT gen_random_uuid(), workspace_id, id, n, 'Requests of this kind are retried, case ' || n,
        CASE WHEN hashtext(name) % 5 = n THEN 'not_met' ELSE 'met' END, 'The tests of the handler show it.',
        jsonb_build_array(jsonb_build_object('repository', 'acme/service-1@main', 'commit', md5(name),
          'file_path', 'src/modules/billing/handlers/file_' || n || '.ts', 'line_start', 10, 'line_end', 14)), md5(name)
      FROM change_reviews, generate_series(0, 5) n WHERE workspace_id = $1`,
    [workspace]
  )
}

export const fillWork = async (client, { workspace, owner, count }) => {
  const { rows } = await client.query("SELECT next_mission - 1 AS count FROM workspaces WHERE id = $1", [workspace])
  if (rows[0].count === count) return
  await missions(client, workspace, owner, count)
  await plans(client, workspace)
  await reviews(client, workspace, count)
  await client.query(
    `UPDATE workspaces SET next_mission = $2, next_change_review = $2, plan = 'paid',
      features = '{missions,change_reviews}' WHERE id = $1`,
    [workspace, count + 1]
  )
  await client.query("VACUUM ANALYZE")
  await client.query("CHECKPOINT")
}
