import { Effect } from "effect"
import { ask, type Client, markOf } from "./Client.ts"
import type { Attempt } from "./requests.ts"
import { attempted } from "./requests.ts"
import { apisOf, repositoryPath, type World } from "./World.ts"

/** Sees to it that jobs of every workflow are under way. */
export interface Submitter {
  readonly client: Client
  /** Jobs that may wait or run at a time. */
  readonly most: number
  /** What is submitted next, in turns. */
  turn: number
  readonly fixes: Array<string>
  readonly missions: Array<string>
  /** Names of change reviews, by branch. */
  readonly reviews: Map<string, string>
}

export const aSubmitter = (client: Client, most: number): Submitter => {
  const { defects } = client.world
  const half = Math.floor(defects.length / 2)
  return { client, most, turn: 0, fixes: defects.slice(0, half), missions: defects.slice(half), reviews: new Map() }
}

/** As a client does that must not start a job twice: asks with the same key until it is answered. */
const untilAnswered = (client: Client, attempt: Attempt) =>
  Effect.gen(function* () {
    for (;;) {
      const reply = yield* ask(client, attempt, false)
      if (reply !== null && !reply.isOpen) return reply
      yield* Effect.sleep("200 millis")
    }
  })

const submit = (client: Client, workflow: string, params: Readonly<Record<string, unknown>> = {}) =>
  Effect.gen(function* () {
    const mark = markOf(client.record)
    const reply = yield* untilAnswered(client, {
      method: "POST",
      path: `${repositoryPath}/jobs?force=true`,
      headers: { "idempotency-key": mark },
      body: { workflow, params }
    })
    const isDone = reply.code === "ok"
    const job_id = isDone ? { job_id: String(reply.json.id) } : {}
    client.record.ledger.push({ kind: "job", mark, outcome: isDone ? "acknowledged" : "rejected", ...job_id })
  })

/** A job that has no key of its own: its ID is all that the ledger knows. */
const noteJob = (client: Client, id: unknown) => {
  if (typeof id !== "string") return
  client.record.ledger.push({ kind: "job", mark: `of ${id}`, outcome: "acknowledged", job_id: id })
}

const fix = ({ client, fixes }: Submitter) =>
  Effect.gen(function* () {
    const ref = fixes.shift()
    if (ref === undefined) return yield* submit(client, "revalidate")
    const reply = yield* untilAnswered(client, { method: "POST", path: `/api/observations/${ref}/fix`, body: {} })
    noteJob(client, reply.json.job_id)
  })

const changeReview = ({ client, reviews, turn }: Submitter) =>
  Effect.gen(function* () {
    const { branches } = client.world
    const branch = branches[turn % branches.length] ?? ""
    const name = reviews.get(branch)
    const path = name === undefined ? "/api/change-reviews" : `/api/change-reviews/${name}/refresh`
    const body = {
      branches: [{ repository: "acme/shop@main", branch }],
      criteria: [{ text: "No new P0/P1 observation" }, { text: "Documentation mentions notes" }]
    }
    const reply = yield* untilAnswered(client, { method: "POST", path, body: name === undefined ? body : {} })
    if (reply.code !== "ok") return
    reviews.set(branch, String(reply.json.name))
    noteJob(client, reply.json.job_id)
  })

/** Approved by a person, as it has to be. */
const approve = (world: World, client: Client, ref: string) =>
  Effect.gen(function* () {
    for (;;) {
      const [up] = apisOf(world).flatMap(({ server }) => (server === null ? [] : [server]))
      const target = { api: up?.api ?? "http://127.0.0.1:9", headers: world.owner, dispatcher: client.dispatcher }
      const reply = yield* attempted(target, { method: "POST", path: `/api/missions/${ref}/approve`, body: {} }, false)
      if (!reply.isOpen) return
      yield* Effect.sleep("200 millis")
    }
  })

const mission = ({ client, missions }: Submitter) =>
  Effect.gen(function* () {
    const refs = missions.splice(0, 2)
    if (refs.length === 0) return yield* submit(client, "discover")
    const reply = yield* ask(client, {
      method: "POST",
      path: "/api/missions",
      body: { repository: "shop@main", title: markOf(client.record), goal: { refs }, budget_usd: 5 }
    })
    if (reply?.code === "ok") yield* approve(client.world, client, String(reply.json.ref))
  })

const turns: ReadonlyArray<(submitter: Submitter) => Effect.Effect<unknown>> = [
  ({ client }) => submit(client, "standard_audit"),
  fix,
  ({ client }) => submit(client, "audit"),
  changeReview,
  ({ client }) => submit(client, "discover"),
  mission,
  ({ client }) => submit(client, "revalidate"),
  ({ client, turn }) => submit(client, "review", { branch: client.world.branches[turn % client.world.branches.length] })
]

const inFlight = ({ client }: Submitter) =>
  Effect.map(
    client.world.database.rows<{ readonly n: number }>(
      "SELECT count(*)::int AS n FROM jobs WHERE status IN ('pending', 'running')"
    ),
    ([row]) => row?.n ?? 0
  )

/** Submits whenever there is room, until it is interrupted. */
export const submitting = (submitter: Submitter): Effect.Effect<never> =>
  Effect.gen(function* () {
    if ((yield* inFlight(submitter)) >= submitter.most) return yield* Effect.sleep("200 millis")
    const next = turns[submitter.turn % turns.length]
    if (next !== undefined) yield* Effect.uninterruptible(next(submitter))
    submitter.turn++
  }).pipe(Effect.forever)
