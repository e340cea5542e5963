import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { keys } from "../api/fill.mjs"
import { fresh, start, stop } from "../api/servers.mjs"

// API processes beside the workers, and people who look at the jobs that run.

const program = fileURLToPath(new URL("../../../bin/assay", import.meta.url))

/** Of each API process, at a fixed rate: a request that waits does not hold up the next one. */
const readsPerSecond = 25

/** So many that each stays within its budget. */
const keysOfEach = 60

const keysFor = async (client, workspace, count) => {
  const { rows } = await client.query(
    `WITH owner AS (
        INSERT INTO users (id, email, created_at) VALUES (gen_random_uuid(), 'reads-' || $1 || '@example.org', now()) RETURNING id
      )
      INSERT INTO memberships (workspace_id, user_id, role, created_at) SELECT $1::uuid, id, 'owner', now() FROM owner
      RETURNING user_id`,
    [workspace]
  )
  return keys(client, workspace, rows[0].user_id, count)
}

/**
 * `work` beside so many API processes, each of which answers reads of the workspace's newest jobs; gives what `work` gives,
 * milliseconds of each read, and how many were not answered by 200.
 */
export const besideReaders = async (count, { client, url, workspace }, work) => {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-readers-"))
  const servers = []
  const [times, waiting] = [[], new Set()]
  let failed = 0
  let timer
  try {
    for (let n = 0; n < count; n++) {
      const env = { ...fresh, DATABASE_URL: url, ASSAY_DATA_DIR: join(folder, String(n)) }
      servers.push(await start(program, ["serve", "--role", "api"], env))
    }
    const credentials = count === 0 ? [] : await keysFor(client, workspace, count * keysOfEach)
    const read = async (n) => {
      const startedAt = performance.now()
      const { api } = servers[n % count]
      const headers = { authorization: `Bearer ${credentials[n % credentials.length]}` }
      const response = await fetch(`${api}/api/jobs?limit=20`, { headers }).catch(() => undefined)
      await response?.text()
      times.push(performance.now() - startedAt)
      if (response?.status !== 200) failed++
    }
    let sent = 0
    if (count > 0) {
      timer = setInterval(
        () => {
          const one = read(sent++).finally(() => waiting.delete(one))
          waiting.add(one)
        },
        1000 / (readsPerSecond * count)
      )
    }
    const result = await work()
    clearInterval(timer)
    await Promise.all(waiting)
    return { result, times, failed }
  } finally {
    clearInterval(timer)
    for (const server of servers) await stop(server)
    rmSync(folder, { recursive: true, force: true })
  }
}
