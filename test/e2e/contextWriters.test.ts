import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import type { ContextActor, ContextEventName, ContextStatus } from "../../src/schema/TeamContext.ts"
import { aKey, aMember, aProject, aWorkspace } from "../support/builders.ts"
import {
  type Acknowledged,
  isKey,
  type Record32,
  type Slot,
  type Writer,
  writeOnce
} from "../support/contextWriters.ts"
import { CrowdedDatabase } from "../support/Database.ts"
import { inForm } from "../support/forms.ts"
import { Chance } from "../support/generate.ts"
import { testApp } from "../support/TestApp.ts"

/** In `npm run chaos -- loops` more, and with the other variable for as many seconds at least. */
const writesEach = Number(process.env.ASSAY_WRITES_EACH ?? inForm({ short: 22, long: 45 }))
/** Of these, and of those over MCP, so many succeed at least. */
const leastWrites = writesEach * 4
const seconds = Number(process.env.ASSAY_WRITERS_SECONDS ?? "0")

/** 24 keys and 8 signed-in people of one workspace. */
const theWriters = Effect.gen(function* () {
  const owner = yield* aWorkspace({ plan: "paid" })
  const { slug } = yield* aProject(owner, { name: "Shop" })
  const keys = yield* Effect.forEach(Array.from({ length: 24 }), (_, i) =>
    Effect.map(aKey(owner, { name: `key ${i}` }), ({ api_key }) => ({ name: `key ${i}`, as: api_key }))
  )
  const people = yield* Effect.forEach(Array.from({ length: 8 }), () =>
    Effect.map(aMember(owner.workspace_id, "admin"), ({ email, session }) => ({ name: email, as: session }))
  )
  const writers = [...keys, ...people].map(
    (writer, i): Writer => ({ ...writer, chance: new Chance(i + 1), seen: new Map() })
  )
  return { slug, writers }
})

const writing = (record: Record32, writer: Writer, slots: ReadonlyArray<Slot>) =>
  Effect.gen(function* () {
    const until = (yield* Clock.currentTimeMillis) + seconds * 1000
    for (let n = 1; n <= writesEach || (yield* Clock.currentTimeMillis) < until; n++) {
      yield* writeOnce(record, writer, slots, n)
    }
  })

interface Row {
  readonly id: string
  readonly version: number
  readonly status: ContextStatus
  readonly title: string
  readonly data: Readonly<Record<string, unknown>>
  readonly disabled: boolean
}

interface Event {
  readonly entry_id: string
  readonly version: number
  readonly event: ContextEventName
  readonly actor: ContextActor
  readonly prev: Pick<Row, "title" | "data" | "status">
}

type State = Pick<Row, "status" | "title" | "data" | "disabled">

const events: Readonly<Record<Acknowledged["action"], ContextEventName>> = {
  create: "created",
  put: "updated",
  patch: "updated",
  disable: "deleted",
  restore: "restored",
  confirm: "confirmed",
  corroborate: "corroborated"
}

const nameOf = ({ api_key, label }: ContextActor) => api_key?.name ?? label

/** The state that the rules prescribe for an entry: stated once more here, without the service. */
const after = (before: State | undefined, { action, writer, mark }: Acknowledged): State => {
  const kept = before ?? { status: "live", title: "", data: {}, disabled: false }
  const status = isKey(writer) ? "proposed" : kept.status
  switch (action) {
    case "create":
      return { ...mark, status, disabled: false }
    case "put":
      return { ...kept, ...mark, status }
    case "patch":
      return { ...kept, title: mark.title, data: { ...kept.data, ...mark.data }, status }
    case "disable":
      return { ...kept, disabled: true }
    case "restore":
      return { ...kept, status, disabled: false }
    default:
      return { ...kept, status: "live" }
  }
}

const grouped = <A>(items: ReadonlyArray<A>, idOf: (item: A) => string) => {
  const groups = new Map<string, Array<A>>()
  for (const item of items) groups.set(idOf(item), [...(groups.get(idOf(item)) ?? []), item])
  return groups
}

/** Compares one entry's acknowledged writes with its history and its last state. */
const compare = (row: Row, acknowledged: ReadonlyArray<Acknowledged>, kept: ReadonlyArray<Event>) => {
  const writes = acknowledged.filter(({ action }) => action !== "corroborate").sort((a, b) => a.version - b.version)
  const history = kept.filter(({ event }) => event !== "corroborated").sort((a, b) => a.version - b.version)
  const versions = Array.from({ length: row.version }, (_, i) => i + 1)
  assert.deepStrictEqual(
    writes.map(({ version }) => version),
    versions,
    "acknowledged versions"
  )
  assert.deepStrictEqual(
    history.map(({ version }) => version),
    versions,
    "versions in the history"
  )
  const states: Array<State> = []
  writes.forEach((write, i) => {
    const event = history[i]!
    // A PUT without an ETag creates.
    const name = i === 0 ? "created" : events[write.action]
    assert.deepStrictEqual([event.event, nameOf(event.actor)], [name, write.writer.name])
    const before = states.at(-1)
    if (before !== undefined) {
      const { status, title, data } = before
      const { prev } = event
      assert.deepStrictEqual({ status: prev.status, title: prev.title, data: prev.data }, { status, title, data })
    }
    const state = after(before, write.action === "put" && i === 0 ? { ...write, action: "create" } : write)
    const { status, title, data } = write
    assert.deepStrictEqual({ ...state, status, title, data }, state, "the acknowledged write")
    states.push(state)
  })
  const { status, title, data, disabled } = row
  assert.deepStrictEqual({ status, title, data, disabled }, states.at(-1))
  const last = writes.at(-1)
  if (!disabled && last !== undefined && isKey(last.writer)) assert.strictEqual(status, "proposed")
  compareCorroborations(writes, states, acknowledged, kept)
}

const compareCorroborations = (
  writes: ReadonlyArray<Acknowledged>,
  states: ReadonlyArray<State>,
  acknowledged: ReadonlyArray<Acknowledged>,
  kept: ReadonlyArray<Event>
) => {
  const corroborated = kept.filter(({ event }) => event === "corroborated")
  const say = (version: number, name: string | null) => `${version} by ${name}`
  assert.sameMembers(
    corroborated.map(({ version, actor }) => say(version, nameOf(actor))),
    acknowledged
      .filter(({ action }) => action === "corroborate")
      .map(({ version, writer }) => say(version, writer.name))
  )
  const versions = corroborated.map(({ version }) => version)
  assert.strictEqual(new Set(versions).size, versions.length, "a version corroborated twice")
  for (const { version, actor } of corroborated) {
    const authors = [writes[0], writes[version - 1]].map((write) => write?.writer.name)
    assert.notInclude(authors, nameOf(actor), "corroborated by its author")
    assert.deepInclude(states[version - 1], { status: "proposed", disabled: false })
  }
}

/** What may come of meeting another writer, and nothing else. */
const rejections = [
  "already_corroborated",
  "key_taken",
  "not_found",
  "not_proposed",
  "self_corroboration",
  "version_conflict"
]

const crowdedApp = testApp().pipe(Layer.provideMerge(CrowdedDatabase))

layer(crowdedApp, { excludeTestServices: true })("32 writers at once", (it) => {
  it.effect(
    "lose no update, share no key, make nothing live with a key and vouch for nothing of their own",
    () =>
      Effect.gen(function* () {
        const { slug, writers } = yield* theWriters
        const slots = [null, slug].flatMap((level) => ["a", "b", "c"].map((key) => ({ level, key })))
        const record: Record32 = { acknowledged: [], rejections: new Map(), interfaces: new Map() }
        yield* Effect.forEach(writers, (writer) => writing(record, writer, slots), { concurrency: "unbounded" })

        assert.sameMembers([...record.rejections.keys()], rejections)
        const counts = `${record.acknowledged.length} writes, ${JSON.stringify([...record.interfaces, ...record.rejections])}`
        assert.isAbove(record.acknowledged.length, leastWrites, counts)
        assert.isAbove(record.interfaces.get("mcp") ?? 0, leastWrites, counts)

        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<Row>`
          SELECT id, version, status, title, data, disabled_at IS NOT NULL AS disabled FROM context_entries`
        const history = yield* sql<Event>`SELECT entry_id, version, event, actor, prev FROM context_events`
        const acknowledged = grouped(record.acknowledged, ({ id }) => id)
        const kept = grouped(history, ({ entry_id }) => entry_id)
        assert.sameMembers(
          rows.map(({ id }) => id),
          [...acknowledged.keys()]
        )
        for (const row of rows) compare(row, acknowledged.get(row.id) ?? [], kept.get(row.id) ?? [])
        const twice = yield* sql`SELECT project_id, key FROM context_entries WHERE disabled_at IS NULL
          GROUP BY project_id, key HAVING count(*) > 1`
        assert.deepStrictEqual([...twice], [])
      }),
    300_000 + seconds * 1000
  )
})
