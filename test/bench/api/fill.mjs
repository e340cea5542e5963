import { createHash, randomBytes, randomUUID } from "node:crypto"
import { crc32 } from "node:zlib"
import { loadCatalogue } from "../../../dist/engine/index.js"

// Fills a migrated database with what a busy installation has, in statements that run on the server.

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const base62 = (number, length) =>
  Array.from({ length }, (_, i) => alphabet[Math.floor(number / 62 ** (length - 1 - i)) % 62]).join("")

const createKey = () => {
  const body = `asy_${Array.from(randomBytes(32), (byte) => alphabet[byte % 62]).join("")}`
  return body + base62(crc32(body), 6)
}

/** Keys as they come to be in `Keys.create`, which would not make so many. */
export const keys = async (client, workspace, owner, count, scopes = ["view_observations", "view_jobs"]) => {
  const created = Array.from({ length: count }, createKey)
  await client.query(
    `INSERT INTO api_keys (id, workspace_id, hash, name, prefix, scopes, created_by, created_at)
      SELECT id, $1, hash, 'bench', left(key, 12), $6, $2, now()
      FROM unnest($3::uuid[], $4::bytea[], $5::text[]) AS k (id, hash, key)`,
    [
      workspace,
      owner,
      created.map(() => randomUUID()),
      created.map((key) => createHash("sha256").update(key).digest()),
      created,
      scopes
    ]
  )
  return created
}

const repositories = (client, workspace, count) =>
  client.query(
    `INSERT INTO repositories (id, workspace_id, github_org, github_repo, github_base_branch, access_mode, clone_url, created_at)
      SELECT gen_random_uuid(), $1, 'acme', 'service-' || n, 'main', 'anonymous', 'https://git.example.org/' || n, now()
      FROM generate_series(1, $2::int) n`,
    [workspace, count]
  )

const actor = `'{"kind":"user","label":"owner@example.org","api_key_id":null,"user_id":null}'::jsonb`

const jobs = (client, workspace, count) =>
  client.query(
    `INSERT INTO jobs (id, workspace_id, repository_id, workflow, status, params, commit_sha, dedupe_hash, original_job_id,
        progress, cost_usd, requested_by, result, forecast, created_at, queued_at, started_at, finished_at)
      SELECT id, $1, repository_id, 'standard_audit', 'completed', '{}', md5(n::text) || '00000000', md5(n::text), id,
        '{"stage":"record","done":4,"total":4}', 0.0123, ${actor},
        '{"observations":{"new":12,"seen_again":240,"closed":3},"lines":50000,"files":812}',
        '{"workflow":"standard_audit","source":"repo+workflow","confidence":"high","sample_size":20,"cost_low":0.01,"cost_mid":0.012,"cost_high":0.02,"duration_low":10,"duration_mid":12,"duration_high":20}',
        at, at, at + interval '1 second', at + interval '13 seconds'
      FROM (SELECT gen_random_uuid() AS id, r.ids[1 + n % array_length(r.ids, 1)] AS repository_id, n, now() - n * interval '7 minutes' AS at
        FROM generate_series(1, $2::int) n, (SELECT array_agg(id) AS ids FROM repositories WHERE workspace_id = $1) r) j`,
    [workspace, count]
  )

/** All rules of the engine, in no order of their tools: a few of them report most. */
const rulesOf = async () =>
  (await loadCatalogue())
    .flatMap(({ id, kind, domain, category, priority, rules }) =>
      Object.entries(rules).map(([name, rule]) => ({
        id: `${id}.${name}`,
        tool: id,
        kind,
        domain,
        category,
        priority: rule.priority ?? priority
      }))
    )
    .map((rule) => ({ ...rule, position: createHash("sha256").update(rule.id).digest("hex") }))
    .sort((a, b) => a.position.localeCompare(b.position))

// Five sixths are closed, as after some years of audits; the newest are open.
const observations = async (client, workspace, count) =>
  client.query(
    `INSERT INTO observations (id, workspace_id, repository_id, number, kind, status, priority, category, domain, tool,
        rule_id, title, description, cwe, confidence, effort, risk, evidence, locations, file_path, symbol, snippet,
        suggested_change, tool_version, signatures, anchor, close_reason, dismissal_category, dismissal_note, closed_at,
        closed_by, first_seen_at, last_seen_at, first_seen_job_id, times_seen, fix_attempts, created_at, updated_at)
      SELECT gen_random_uuid(), $1, repos.ids[1 + n % array_length(repos.ids, 1)], n, rule.kind,
        CASE WHEN is_open THEN 'new' ELSE 'closed' END, rule.priority, rule.category, rule.domain, rule.tool, rule.id,
        'The request parameter "account_' || h % 1000 || '" reaches a query as text',
        repeat('A value of the request is joined into the text of a query. An attacker who sends it can change what the query does. ', 1 + h % 3)
          || 'It comes from handler ' || md5(n::text) || '.',
        ARRAY[89, 564], 0.5 + (h % 50) / 100.0, (ARRAY['small', 'medium', 'large'])[1 + h % 3],
        (ARRAY['low', 'medium', 'high'])[1 + h / 3 % 3],
        '{"citation":{"checked_at_stage":"verify","line_in_range":true,"missing_identifiers":[],"path_resolved":true},"detection_query":null}',
        jsonb_build_array(jsonb_build_object('file_path', 'src/modules/billing/handlers/file_' || n % 5000 || '.ts',
          'symbol', 'handleAccount' || h % 300, 'line_start', h % 400, 'line_end', h % 400 + 3)),
        'src/modules/billing/handlers/file_' || n % 5000 || '.ts', 'handleAccount' || h % 300,
        'const rows = await db.query("select * from accounts where id = " + request.params.account_' || h % 1000 || ')',
        CASE WHEN h % 2 = 0 THEN 'Pass the value as a parameter: db.query("select * from accounts where id = $1", [id])' END,
        1, jsonb_build_object('located', md5(n::text)), 'const rows await db query select', 
        CASE WHEN NOT is_open THEN CASE WHEN h % 4 = 0 THEN 'dismissed' ELSE 'fixed' END END,
        CASE WHEN NOT is_open AND h % 4 = 0 THEN 'wont_fix' END,
        CASE WHEN NOT is_open AND h % 4 = 0 THEN 'This service goes away next quarter.' END,
        CASE WHEN NOT is_open THEN at + interval '3 days' END,
        CASE WHEN NOT is_open THEN ${actor} END,
        at, at + interval '1 day', jobs.ids[1 + n % array_length(jobs.ids, 1)], 1 + h % 30, CASE WHEN h % 500 = 0 THEN 3 ELSE 0 END, at,
        CASE WHEN is_open THEN at + interval '1 day' ELSE at + interval '3 days' END
      FROM (SELECT n, abs(hashint4(n)) AS h, abs(hashint4(n + 7)) % 6 = 0 AS is_open,
          now() - interval '4 days' - ($2 - n) * interval '40 seconds' AS at
        FROM generate_series(1, $2::int) n) numbered
        JOIN jsonb_to_recordset($3::jsonb)
          AS rule (number int, id text, tool text, kind text, domain text, category text, priority text)
          ON rule.number = floor($4 * power(abs(hashint4(n + 13)) % 1000 / 1000.0, 2)),
        (SELECT array_agg(id) AS ids FROM repositories WHERE workspace_id = $1) repos,
        (SELECT array_agg(id) AS ids FROM jobs WHERE workspace_id = $1) jobs`,
    [
      workspace,
      count,
      ...(await rulesOf().then((rules) => [
        JSON.stringify(rules.map((rule, number) => ({ ...rule, number }))),
        rules.length
      ]))
    ]
  )

/** Loading is several times faster while an index does not have to follow every row. */
export const withoutIndexes = async (client, tables, load) => {
  const { rows } = await client.query(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = ANY($1)
      AND indexname NOT IN (SELECT conname FROM pg_constraint WHERE conrelid = tablename::regclass)`,
    [tables]
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  await load()
  await client.query("SET maintenance_work_mem = '512MB'")
  for (const { definition } of rows) await client.query(definition)
}

const events = (client, workspace) =>
  client.query(
    `INSERT INTO observation_events (observation_id, at, actor, event, from_status, to_status)
      SELECT id, created_at, ${actor}, 'found', NULL, 'new' FROM observations WHERE workspace_id = $1
      UNION ALL SELECT id, closed_at, ${actor}, 'fixed', 'new', 'closed' FROM observations
        WHERE workspace_id = $1 AND status = 'closed'`,
    [workspace]
  )

/** Repositories, jobs and observations of an empty workspace. */
export const fillWorkspace = async (client, workspace, counts) => {
  await repositories(client, workspace, counts.repositories)
  await jobs(client, workspace, counts.jobs)
  await observations(client, workspace, counts.observations)
  await events(client, workspace)
  await client.query("UPDATE workspaces SET next_observation = $2 WHERE id = $1", [workspace, counts.observations + 1])
}

/** Fills the first owner's workspace; returns what a load needs to know. */
export const fill = async (client, count, keyCount) => {
  const { rows } = await client.query("SELECT workspace_id AS workspace, user_id AS owner FROM memberships LIMIT 1")
  const [{ workspace, owner }] = rows
  await client.query("SET synchronous_commit = off")
  const present = await client.query("SELECT next_observation - 1 AS count FROM workspaces WHERE id = $1", [workspace])
  if (present.rows[0].count !== count) {
    await withoutIndexes(client, ["observations", "observation_events"], () =>
      fillWorkspace(client, workspace, { repositories: 20, jobs: 4000, observations: count })
    )
    await client.query("VACUUM ANALYZE")
    await client.query("CHECKPOINT")
  }
  const { rows: some } = await client.query("SELECT id FROM jobs WHERE workspace_id = $1 ORDER BY id LIMIT 1000", [
    workspace
  ])
  return { workspace, owner, keys: await keys(client, workspace, owner, keyCount), jobs: some.map(({ id }) => id) }
}
