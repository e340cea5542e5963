import { Effect } from "effect"
import type { Dispatcher } from "undici"
import { type Attempt, attempted, type Reply } from "../../chaos/requests.ts"
import { apisOf, project, type World } from "../../chaos/World.ts"
import type { Chance } from "../../support/generate.ts"
import type { SharedCall } from "./history.ts"

/** What all clients share: few things, so that they meet. */
export interface Shared {
  readonly world: World
  readonly dispatcher: Dispatcher
  readonly issues: ReadonlyArray<string>
  readonly entryKeys: ReadonlyArray<string>
  readonly calls: Array<SharedCall>
  readonly codes: Map<string, number>
  longest: number
  /** Calls that had a response which leaves nothing open. */
  answered: number
  marks: number
}

export interface Client {
  /** Of its key; clients of one key are one holder of claims. */
  readonly index: number
  readonly chance: Chance
  /** Fences that it believes to hold. */
  readonly fences: Map<string, number>
  readonly etags: Map<string, string>
}

interface Plan {
  readonly action: SharedCall["action"]
  readonly subject: string
  readonly mark: string | null
  readonly attempt: Attempt
}

const nowhere = "http://127.0.0.1:9"

const send = ({ world, dispatcher }: Shared, { index, chance }: Client, attempt: Attempt) => {
  const up = apisOf(world).flatMap(({ server }) => (server === null ? [] : [server]))
  const target = {
    api: up.length === 0 ? nowhere : chance.pick(up).api,
    headers: { authorization: `Bearer ${world.keys[index]}` },
    dispatcher
  }
  return attempted(target, attempt, chance.oneIn(4))
}

const post = (path: string, body: Readonly<Record<string, unknown>>, tool?: Attempt["tool"]): Attempt => ({
  method: "POST",
  path,
  body,
  ...(tool === undefined ? {} : { tool })
})

const onIssue = (shared: Shared, client: Client, mark: string): Plan => {
  const ref = client.chance.pick(shared.issues)
  const fence = client.fences.get(ref)
  const path = `/api/issues/${ref}`
  const plan = (action: Plan["action"], attempt: Attempt): Plan => ({ action, subject: ref, mark, attempt })
  if (fence === undefined) {
    if (client.chance.oneIn(6)) return plan("reopen", post(`${path}/reopen`, { reason: mark }))
    return plan("claim", post(`${path}/claim`, { lease_minutes: 1440 }, { name: "claim_issue", arguments: { ref } }))
  }
  const status = client.chance.pick(["in_progress", "in_review", "blocked"])
  return client.chance.pick([
    plan("note", post(`${path}/notes`, { body_md: mark, fence })),
    plan("status", post(`${path}/status`, { status, fence })),
    plan("close", post(`${path}/close`, { reason: "completed", note: mark, fence })),
    plan("release", { method: "DELETE", path: `${path}/claim`, body: { fence } })
  ])
}

const onEntry = (shared: Shared, client: Client, title: string): Plan => {
  const key = client.chance.pick(shared.entryKeys)
  const path = `/api/context/entries/${key}`
  const etag = client.etags.get(key)
  const content = { kind: "note", title, summary: "Shared." }
  const plan = (action: Plan["action"], attempt: Attempt): Plan => ({ action, subject: key, mark: title, attempt })
  if (etag === undefined) {
    return client.chance.pick([
      plan("put", { method: "PUT", path, headers: { "if-none-match": "*" }, body: content }),
      plan("restore", post(`${path}/restore`, {}))
    ])
  }
  const headers = { "if-match": `"${etag}"` }
  return client.chance.pick([
    plan("put", { method: "PUT", path, headers, body: content }),
    plan("patch", { method: "PATCH", path, headers, body: { title } }),
    plan("patch", { method: "PATCH", path, headers, body: { title } }),
    plan("disable", { method: "DELETE", path, headers, body: { reason: title } })
  ])
}

const onObservation = (shared: Shared, client: Client, mark: string): Plan => {
  const ref = client.chance.pick(shared.world.observations.slice(0, 8))
  return client.chance.oneIn(2)
    ? {
        action: "close",
        subject: ref,
        mark,
        attempt: post(`/api/observations/${ref}/dismiss`, { dismissal_category: "wont_fix", dismissal_note: mark })
      }
    : {
        action: "reopen",
        subject: ref,
        mark,
        attempt: post(`/api/observations/${ref}/reopen`, { reopen_reason: mark })
      }
}

const filing = (title: string): Plan => {
  const body = { project, title }
  return {
    action: "file",
    subject: "",
    mark: title,
    attempt: post("/api/issues", body, { name: "file_issue", arguments: body })
  }
}

const planOf = (shared: Shared, client: Client): Plan => {
  const mark = `mark-${String(shared.marks++).padStart(7, "0")}-text`
  const turn = client.chance.below(10)
  if (turn < 4) return onIssue(shared, client, mark)
  if (turn < 8) return onEntry(shared, client, mark)
  return turn < 9 ? onObservation(shared, client, mark) : filing(mark)
}

const learn = (client: Client, { action, subject }: Plan, { code, isOpen, json }: Reply) => {
  const isDone = code === "ok"
  if (action === "claim" && isDone) client.fences.set(subject, Number(json.fence))
  else if (["release", "close"].includes(action) || code === "claim_lost" || isOpen) client.fences.delete(subject)
  if (["put", "patch", "restore"].includes(action) && isDone) client.etags.set(subject, String(json.etag))
  else if (["put", "patch", "disable", "restore"].includes(action)) client.etags.delete(subject)
}

const look = (shared: Shared, client: Client) =>
  Effect.gen(function* () {
    const key = client.chance.pick(shared.entryKeys)
    const reply = yield* send(shared, client, { method: "GET", path: `/api/context/entries/${key}` })
    if (reply.code === "ok") client.etags.set(key, String(reply.json.etag))
  })

/** One call on what all share, noted. */
export const sharedStep = (shared: Shared, client: Client) =>
  Effect.gen(function* () {
    if (client.chance.oneIn(2)) yield* look(shared, client)
    const plan = planOf(shared, client)
    const invokedAt = performance.now()
    const reply = yield* send(shared, client, plan.attempt)
    const { code, isOpen, json } = reply
    const isEntry = code === "ok" && ["put", "patch", "disable", "restore"].includes(plan.action)
    shared.codes.set(code, (shared.codes.get(code) ?? 0) + 1)
    if (!isOpen) shared.answered++
    shared.longest = Math.max(shared.longest, reply.seconds)
    shared.calls.push({
      client: client.index,
      action: plan.action,
      subject: plan.action === "file" ? String(json.ref) : plan.subject,
      outcome: code === "ok" ? "ok" : isOpen ? "open" : "rejected",
      invokedAt,
      answeredAt: isOpen ? Number.POSITIVE_INFINITY : performance.now(),
      fence: plan.action === "claim" && code === "ok" ? Number(json.fence) : null,
      entry: isEntry && typeof json.id === "string" ? { id: json.id, version: Number(json.version) } : null,
      mark: plan.mark
    })
    learn(client, plan, reply)
    // As callers do that are asked to come back later.
    if (isOpen) yield* Effect.sleep("250 millis")
  })
