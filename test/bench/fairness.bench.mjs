import { machineLoad, option } from "./api/servers.mjs"
import { until, withWorkers } from "./jobs/withWorkers.mjs"

/**
 * Claim: 10,000 pending jobs of one workspace delay another's first by no more than the time of one slot's job.
 * `npm run bench -- fairness [--pending=10000] [--millis=500] [--slots=4] [--rounds=10]`.
 */
export const run = (args) =>
  withWorkers(async ({ client, running, aWorkspace, queue }) => {
    const pending = Number(option(args, "pending", "10000"))
    const millis = Number(option(args, "millis", "500"))
    const slots = Number(option(args, "slots", "4"))
    const rounds = Number(option(args, "rounds", "10"))
    await running(1, { slots, stageMillis: millis }, async () => {
      const crowded = await aWorkspace()
      await queue(crowded, pending)
      await until(client, "EXISTS (SELECT FROM jobs WHERE status = 'running')")
      const waits = []
      for (let round = 0; round < rounds; round++) {
        const [id] = await queue(await aWorkspace(), 1)
        await until(client, "SELECT started_at IS NOT NULL FROM jobs WHERE id = $1", [id])
        const { rows } = await client.query(
          `SELECT extract(epoch FROM j.started_at - j.created_at)::float8 * 1000 AS wait,
            (SELECT max(extract(epoch FROM e.finished_at - e.started_at))::float8 * 1000 FROM jobs e
              WHERE e.finished_at > j.created_at AND e.id <> j.id) AS slot
          FROM jobs j WHERE j.id = $1`,
          [id]
        )
        waits.push({ wait: rows[0].wait, slot: Math.max(millis, rows[0].slot ?? 0) })
      }
      const longest = waits.reduce((a, b) => (b.wait / b.slot > a.wait / a.slot ? b : a))
      const isMet = longest.wait <= longest.slot
      console.log(
        `first job of another workspace beside ${pending} pending: waits ${waits.map(({ wait }) => wait.toFixed(0)).join(", ")} ms; ` +
          `the longest ${longest.wait.toFixed(0)} ms at a slot's time of ${longest.slot.toFixed(0)} ms (aim one slot's time): ` +
          `${isMet ? "met" : "missed"}; load ${machineLoad()}`
      )
      if (!isMet) process.exitCode = 1
    })
  })
