import { Effect } from "effect"
import type { Dispatcher } from "undici"
import type { Chance } from "../support/generate.ts"
import type { Entry } from "./ledger.ts"
import { type Attempt, attempted, type Reply } from "./requests.ts"
import { apisOf, project, type World } from "./World.ts"

/** What all clients of a run have seen. */
export interface Record {
  readonly ledger: Array<Entry>
  /** Seconds that each call took, whatever its end. */
  readonly seconds: Array<number>
  readonly codes: Map<string, number>
  /** Bodies of responses that are the service's own fault. */
  readonly faults: Array<string>
  marks: number
}

export const aRecord = (): Record => ({ ledger: [], seconds: [], codes: new Map(), faults: [], marks: 0 })

/** One caller: a key, what it is about, and what it believes of that. */
export interface Client {
  readonly world: World
  readonly record: Record
  readonly key: string
  readonly chance: Chance
  readonly dispatcher: Dispatcher
  /** Observations that only this client triages, each with whether it is open; undefined when it does not know. */
  readonly observations: Map<string, boolean | undefined>
  /** ETags of the entries that only this client changes. */
  readonly entries: Map<string, string | undefined>
  readonly issues: Array<string>
}

/** A text that no other call sends. */
export const markOf = (record: Record): string => `mark-${String(record.marks++).padStart(6, "0")}-text`

/** One call to a process that is up, noted. */
export const ask = ({ world, record, key, chance, dispatcher }: Client, attempt: Attempt, viaMcp = chance.oneIn(3)) =>
  Effect.gen(function* () {
    const up = apisOf(world).flatMap(({ server }) => (server === null ? [] : [server]))
    if (up.length === 0) return null
    const target = { api: chance.pick(up).api, headers: { authorization: `Bearer ${key}` }, dispatcher }
    const reply = yield* attempted(target, attempt, viaMcp)
    record.seconds.push(reply.seconds)
    record.codes.set(reply.code, (record.codes.get(reply.code) ?? 0) + 1)
    if (reply.code === "internal_error") record.faults.push(`${attempt.path}: ${JSON.stringify(reply.json)}`)
    return reply
  })

const outcomeOf = ({ code, isOpen }: Reply): Entry["outcome"] =>
  code === "ok" ? "acknowledged" : isOpen ? "open" : "rejected"

/** A change of the service, entered into the ledger. */
const change = (client: Client, kind: Entry["kind"], mark: string, attempt: Attempt) =>
  Effect.map(ask(client, attempt), (reply) => {
    if (reply !== null) client.record.ledger.push({ kind, mark, outcome: outcomeOf(reply) })
    return reply
  })

const fileIssue = (client: Client) =>
  Effect.gen(function* () {
    const title = markOf(client.record)
    const body = { project, title }
    const reply = yield* change(client, "issue", title, {
      method: "POST",
      path: "/api/issues",
      body,
      tool: { name: "file_issue", arguments: body }
    })
    if (reply?.code === "ok") client.issues.push(String(reply.json.ref))
  })

const noteIssue = (client: Client) => {
  const [ref] = client.issues.slice(-1)
  if (ref === undefined) return fileIssue(client)
  const body_md = markOf(client.record)
  return change(client, "note", body_md, {
    method: "POST",
    path: `/api/issues/${ref}/notes`,
    body: { body_md },
    tool: { name: "note_issue", arguments: { ref, body_md } }
  })
}

const createEntry = (client: Client) =>
  Effect.gen(function* () {
    const key = markOf(client.record)
    const body = { key, kind: "note", title: "As created.", summary: "Written under load." }
    const reply = yield* change(client, "entry", key, {
      method: "POST",
      path: "/api/context/entries",
      body,
      tool: { name: "create_context_entry", arguments: body }
    })
    if (reply?.code === "ok") client.entries.set(key, String(reply.json.etag))
  })

const changeEntry = (client: Client) =>
  Effect.gen(function* () {
    const [key] = [...client.entries.keys()].slice(-1)
    if (key === undefined) return yield* createEntry(client)
    const path = `/api/context/entries/${key}`
    const etag = client.entries.get(key)
    if (etag === undefined) {
      const known = yield* ask(client, { method: "GET", path }, false)
      if (known?.code === "ok") client.entries.set(key, String(known.json.etag))
      return
    }
    const title = markOf(client.record)
    const reply = yield* change(client, "entry_change", title, {
      method: "PATCH",
      path,
      headers: { "if-match": `"${etag}"` },
      body: { title },
      tool: { name: "update_context_entry", arguments: { key, expected_etag: etag, title } }
    })
    client.entries.set(key, reply?.code === "ok" ? String(reply.json.etag) : undefined)
  })

const triage = (client: Client) =>
  Effect.gen(function* () {
    if (client.observations.size === 0) return
    const ref = client.chance.pick([...client.observations.keys()])
    const isOpen = client.observations.get(ref)
    const path = `/api/observations/${ref}`
    if (isOpen === undefined) {
      const known = yield* ask(client, { method: "GET", path }, false)
      if (known?.code === "ok") client.observations.set(ref, known.json.status !== "closed")
      return
    }
    const mark = markOf(client.record)
    const body = isOpen ? { dismissal_category: "wont_fix", dismissal_note: mark } : { reopen_reason: mark }
    const reply = yield* change(client, "triage", mark, {
      method: "POST",
      path: `${path}/${isOpen ? "dismiss" : "reopen"}`,
      body,
      tool: { name: `${isOpen ? "dismiss" : "reopen"}_observation`, arguments: { ref, ...body } }
    })
    client.observations.set(ref, reply?.code === "ok" ? !isOpen : undefined)
  })

const look = (client: Client) =>
  ask(client, {
    method: "GET",
    path: client.chance.pick(["/api/observations?limit=50&include=locations", "/api/jobs?limit=20", "/api/issues"])
  })

/** One thing that a client does. */
export const step = (client: Client): Effect.Effect<unknown> =>
  client.chance.pick([
    fileIssue,
    noteIssue,
    noteIssue,
    createEntry,
    changeEntry,
    changeEntry,
    triage,
    triage,
    look,
    look
  ])(client)

/** Works until it is interrupted, between calls only: what was sent is always noted. */
export const working = (client: Client, pauseMillis: number): Effect.Effect<never> =>
  Effect.uninterruptible(step(client)).pipe(
    Effect.zipRight(Effect.suspend(() => Effect.sleep(client.chance.next() * 2 * pauseMillis))),
    Effect.forever
  )
