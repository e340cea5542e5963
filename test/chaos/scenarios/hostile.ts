import { join } from "node:path"
import { Effect } from "effect"
import { Agent } from "undici"
import { Chance } from "../../support/generate.ts"
import { repositoryAt } from "../../support/repositoryAt.ts"
import { aTemporaryFolder } from "../../support/server.ts"
import { aRecord, ask, type Client } from "../Client.ts"
import { faultScenario } from "../faultScenario.ts"
import { count, none, seconds, spread } from "../figures.ts"
import { hostileHosts, type Manner, manners } from "../hostileHosts.ts"
import type { World } from "../World.ts"

const post = (client: Client, path: string, body: Readonly<Record<string, unknown>>) =>
  ask(client, { method: "POST", path, body }, false)

const register = (client: Client, name: string, url: string) =>
  post(client, "/api/repos", { github_org: "acme", github_repo: name, clone_url: `${url}/${name}.git` })

const aCaller = (world: World, dispatcher: Agent): Client => ({
  ...{ world, dispatcher, record: aRecord(), key: world.keys[0] ?? "", chance: new Chance(1) },
  ...{ observations: new Map(), entries: new Map(), issues: [] }
})

interface HostileJob {
  readonly manner: string
  readonly status: string
  readonly kind: string | null
  readonly seconds: number
}

const jobsOnHostileHosts = (world: World) =>
  world.database.rows<HostileJob>(
    `SELECT r.github_repo AS manner, j.status, j.failure_kind AS kind,
      extract(epoch FROM coalesce(j.finished_at, now()) - j.started_at)::float8 AS seconds
    FROM jobs j JOIN repositories r ON r.id = j.repository_id WHERE j.params ? 'branch' = false
      AND r.github_repo = ANY ($1) AND j.workflow = 'standard_audit'`,
    [manners]
  )

const untilEnded = (world: World, endsAt: number) =>
  Effect.gen(function* () {
    for (;;) {
      const jobs = yield* jobsOnHostileHosts(world)
      const isOver = jobs.every(({ status }) => status !== "pending" && status !== "running")
      if (isOver || performance.now() > endsAt) return jobs
      yield* Effect.sleep("500 millis")
    }
  })

const undelivered = (world: World) =>
  world.database.rows<{ readonly delivery: string }>(
    `SELECT concat_ws(' ', e.type, 'after', d.attempts, 'attempts', d.error) AS delivery FROM webhook_deliveries d
      JOIN webhooks w ON w.id = d.webhook_id JOIN webhook_events e ON e.id = d.event_id
    WHERE w.url LIKE '%/hook/well' AND d.status <> 'delivered' AND d.created_at < now() - interval '15 seconds'`
  )

/** Only a repository that was reached once can be audited, so the hosts are well while they are registered. */
const isRegistered = (client: Client, manner: Manner, url: string) =>
  Effect.map(register(client, manner, url), (reply) => reply?.code === "ok")

export const hostile = faultScenario({
  name: "hostile",
  summary: "code hosts and webhook receivers that hang, drip, redirect inside and answer junk",
  roles: ["api", "worker"],
  env: { ASSAY_ALLOW_PRIVATE_NETWORK: "true" },
  expectedFailures: ["clone_failed", "repo_unavailable", "timeout"],
  faults: (world, { minutes }) =>
    Effect.gen(function* () {
      const folder = yield* aTemporaryFolder
      for (const manner of manners)
        repositoryAt(join(folder, `${manner}.git`), { "a.js": "export const a = 1\n" }, { bare: true })
      const { state, inside, url } = yield* hostileHosts(folder)
      const dispatcher = yield* Effect.acquireRelease(
        Effect.sync(() => new Agent()),
        (agent) => Effect.promise(() => agent.destroy())
      )
      const client = aCaller(world, dispatcher)
      const known = yield* Effect.filter(manners, (manner) => isRegistered(client, manner, url))
      for (const name of [...manners, "well"]) {
        yield* post(client, "/api/webhooks", { url: `${url}/hook/${name}`, events: ["*"] })
      }
      state.isWell = false
      const answers = yield* Effect.forEach(manners, (manner) => register(client, `fresh-${manner}`, url), {
        concurrency: "unbounded"
      })
      yield* Effect.forEach(
        known,
        (manner) => post(client, `/api/repos/acme/${manner}/main/jobs?force=true`, { workflow: "standard_audit" }),
        { concurrency: "unbounded" }
      )
      const jobs = yield* untilEnded(world, performance.now() + minutes * 60_000)
      yield* Effect.sleep("20 seconds")
      const late = yield* undelivered(world)
      const unended = jobs.filter(({ status }) => status === "pending" || status === "running")
      const { largest } = spread(client.record.seconds)
      return [
        count("hosts that turned hostile", known.length),
        count("registrations from them", answers.map((reply) => reply?.code).join(", ")),
        seconds("longest call about a hostile host", largest, 10),
        count(
          "jobs on them",
          jobs
            .map(({ manner, status, kind, seconds }) => `${manner} ${status} ${kind} ${seconds.toFixed(0)} s`)
            .join(", ")
        ),
        none(
          "jobs on them that did not end",
          unended.map(({ manner }) => manner)
        ),
        none("requests that followed a redirect inside", inside),
        none(
          "deliveries late for the receiver that is well",
          late.map(({ delivery }) => delivery)
        )
      ]
    })
})
