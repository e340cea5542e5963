// Two arrangements of the table of events, with the same rows: one table, and a partition for each month in which jobs were made.

export const eventsOfAJob = 20

/** The events of the oldest month are due for retention; those of the six after it, 180 days, are kept. */
export const months = 7

/** One month more than has events at first. */
const monthsOfJobs = months + 1

const day = 86_400_000
const lengthOfMonth = 30 * day

/** The smallest UUIDv7 of a moment: ids of jobs sort by the time they were made. */
const firstId = (at) => {
  const hex = at.toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** Where each month starts; the last value is the end of the newest. */
export const startsOfMonths = (now) =>
  Array.from({ length: monthsOfJobs + 1 }, (_, n) => now - (monthsOfJobs - n) * lengthOfMonth)

/** Jobs of all months, evenly, each of which has ended. */
export const fillJobs = async (client, workspace, { jobsOfAMonth, now }) => {
  await client.query(
    `INSERT INTO jobs (id, workspace_id, repository_id, workflow, status, params, dedupe_hash, original_job_id, requested_by,
        event_seq, created_at, queued_at, started_at, finished_at)
      SELECT id, $1, ids[1 + n % array_length(ids, 1)], 'audit', 'completed', '{}', md5(n::text), id,
        '{"kind":"user","label":"owner@example.org","api_key_id":null,"user_id":null}', $3, at, at, at, at + interval '13 seconds'
      FROM (SELECT n, at, uuid_v7(at) AS id
          FROM (SELECT n, to_timestamp(($4::float8 + (n + 0.5) * $5::float8) / 1000) AS at FROM generate_series(0, $2::int - 1) n) t) j,
        (SELECT array_agg(id) AS ids FROM repositories WHERE workspace_id = $1) r`,
    [workspace, jobsOfAMonth * monthsOfJobs, eventsOfAJob, startsOfMonths(now)[0], lengthOfMonth / jobsOfAMonth]
  )
  await client.query("VACUUM ANALYZE jobs")
}

const partitionStatements = (now) => {
  const starts = startsOfMonths(now)
  return [
    ...Array.from(
      { length: monthsOfJobs },
      (_, n) =>
        `CREATE TABLE job_events_${n} PARTITION OF job_events FOR VALUES FROM ('${firstId(starts[n])}') TO ('${firstId(starts[n + 1])}')`
    ),
    "CREATE TABLE job_events_default PARTITION OF job_events DEFAULT"
  ]
}

/** Replaces the product's table with an empty one of the same columns and policies, without keys. */
const replaceTable = async (client, { isPartitioned, now }) => {
  const { rows } = await client.query(
    "SELECT qual, with_check FROM pg_policies WHERE schemaname = 'public' AND tablename = 'job_events'"
  )
  await client.query(`CREATE TABLE empty (LIKE job_events) ${isPartitioned ? "PARTITION BY RANGE (job_id)" : ""}`)
  await client.query("DROP TABLE job_events")
  await client.query("ALTER TABLE empty RENAME TO job_events")
  await client.query("ALTER TABLE job_events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY")
  for (const { qual, with_check } of rows) {
    await client.query(`CREATE POLICY within_reach ON job_events USING (${qual}) WITH CHECK (${with_check})`)
  }
  if (isPartitioned) for (const statement of partitionStatements(now)) await client.query(statement)
}

/** The events of one month's jobs, in the order of time. */
export const fillMonth = (client, now, month) => {
  const starts = startsOfMonths(now)
  return client.query(
    `INSERT INTO job_events (job_id, seq, ts, stage, type, detail)
      SELECT id, n, created_at + n * interval '0.6 seconds', 'scan', 'stage_progress', 'File ' || n || ' of ' || $3
      FROM jobs, generate_series(1, $3::int) n WHERE id >= $1 AND id < $2 ORDER BY id, n`,
    [firstId(starts[month]), firstId(starts[month + 1]), eventsOfAJob]
  )
}

/** One of the arrangements, filled with all months but the newest. */
export const fillEvents = async (client, arrangement) => {
  await replaceTable(client, arrangement)
  for (let month = 0; month < months; month++) await fillMonth(client, arrangement.now, month)
  await client.query("SET maintenance_work_mem = '512MB'")
  await client.query("ALTER TABLE job_events ADD PRIMARY KEY (job_id, seq)")
  await client.query("ALTER TABLE job_events ADD FOREIGN KEY (job_id) REFERENCES jobs ON DELETE CASCADE")
  await client.query("VACUUM ANALYZE job_events")
}

/** Bytes of the table with its indexes and partitions. */
export const sizeOf = async (client) => {
  const { rows } = await client.query(
    `SELECT sum(pg_total_relation_size(relid))::float8 AS bytes FROM (
       SELECT relid FROM pg_partition_tree('job_events') UNION SELECT 'job_events'::regclass) parts`
  )
  return rows[0].bytes
}
