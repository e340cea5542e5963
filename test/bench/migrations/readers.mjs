import pg from "pg"

/** What the REST API reads, by the table that is read first. */
const queries = {
  observations: (workspace, most) => [
    "SELECT id, title, status FROM observations WHERE workspace_id = $1 AND number < $2 ORDER BY number DESC LIMIT 50",
    [workspace, 1 + Math.floor(Math.random() * most)]
  ],
  observation_events: (workspace, most) => [
    `SELECT e.at, e.event FROM observation_events e JOIN observations o ON o.id = e.observation_id
      WHERE o.workspace_id = $1 AND o.number = $2`,
    [workspace, 1 + Math.floor(Math.random() * most)]
  ],
  jobs: (workspace) => [
    "SELECT id, status, created_at FROM jobs WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT 50",
    [workspace]
  ],
  workspaces: (workspace) => ["SELECT name, plan FROM workspaces WHERE id = $1", [workspace]]
}

/** One reader for each table, on a connection of its own, until `stop`; then the milliseconds of each of its reads. */
export const readers = async (connection, { workspace, count }) => {
  let isOver = false
  const running = await Promise.all(
    Object.entries(queries).map(async ([table, query]) => {
      const client = new pg.Client(connection)
      await client.connect()
      const read = async () => {
        const took = []
        while (!isOver) {
          const since = performance.now()
          await client.query(...query(workspace, count))
          took.push(performance.now() - since)
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
        await client.end()
        return { table, took: took.sort((a, b) => a - b) }
      }
      return { reading: read() }
    })
  )
  return {
    stop: () => {
      isOver = true
      return Promise.all(running.map(({ reading }) => reading))
    }
  }
}
