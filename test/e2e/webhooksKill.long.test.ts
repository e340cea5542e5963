// Held in the short form by: test/services/webhooks/WebhookSender.test.ts (a sender that died, eight senders at once, order,
// endpoints that hang), events.test.ts (only of what is committed).
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted, Schedule } from "effect"
import { Database, TestDatabase } from "../support/Database.ts"
import { aServer, aTemporaryFolder, call, createKeys, type RunningServer } from "../support/server.ts"
import { aReceiver, type Received, verify } from "../support/webhooks.ts"

const kills = 3
const entriesPerRound = 6
const changes = 3

interface Created {
  readonly etag: string
}
interface Registered {
  readonly id: string
  readonly secret: string
}

const writeEntry = (server: RunningServer, key: string, method: string, path: string, body: unknown, etag?: string) =>
  Effect.tryPromise((signal) =>
    fetch(`${server.api}/api/context/entries${path}`, {
      method,
      signal,
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...(etag === undefined ? {} : { "if-match": `"${etag}"` })
      },
      body: JSON.stringify(body)
    }).then(async (response) => ({ ok: response.ok, text: await response.text() }))
  ).pipe(
    Effect.flatMap(({ ok, text }) =>
      ok ? Effect.succeed(JSON.parse(text) as Created) : Effect.dieMessage(`The entry was not written: ${text}`)
    )
  )

/** An entry that is proposed, and then proposed again: one event each, the version rising; until the process is killed. */
const proposals = (server: RunningServer, key: string, name: string) =>
  Effect.gen(function* () {
    const first = { key: name, kind: "note", title: name, summary: "Proposed." }
    let { etag } = yield* writeEntry(server, key, "POST", "", first)
    for (let n = 1; n < changes; n++) {
      const changed = yield* writeEntry(server, key, "PATCH", `/${name}`, { summary: `Proposed again, ${n}.` }, etag)
      etag = changed.etag
    }
  }).pipe(Effect.ignore)

const versionOf = ({ data }: Received) => {
  const { key, version } = data.context_entry as { readonly key: string; readonly version: number }
  return `${key} ${version}`
}

layer(Database, { excludeTestServices: true })("processes killed between commit and sending", (it) => {
  it.scoped(
    "lose no event and send none out of order, and an endpoint that hangs delays no other one",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const sql = yield* SqlClient.SqlClient
        const dataDir = yield* aTemporaryFolder
        const env = { DATABASE_URL: Redacted.value(url), ASSAY_ALLOW_PRIVATE_NETWORK: "true" }
        const [receiver, stuck] = [yield* aReceiver, yield* aReceiver]
        yield* stuck.react(() => undefined)
        let server = yield* aServer({ dataDir, env })
        const [key = ""] = yield* createKeys(server, ["manage_tenant_settings", "manage_projects", "manage_context"], 1)
        yield* sql`UPDATE workspaces SET features = '{webhooks}'`
        const register = (endpoint: string) =>
          call<Registered>(server, key, "POST", "/api/webhooks", { url: endpoint, events: ["*"] })
        yield* register(stuck.url)
        const { status, body: webhook } = yield* register(receiver.url)
        assert.strictEqual(status, 201)

        // What a killed process held is free once its lease has ended: here at once.
        const endLeases = sql`UPDATE webhook_deliveries SET held_until = NULL, next_attempt_at = created_at
          WHERE webhook_id = ${webhook.id} AND held_until IS NOT NULL`
        for (let round = 0; round < kills; round++) {
          const seen = receiver.received.length
          const writing = Effect.forEach(
            Array.from({ length: entriesPerRound }, (_, n) => `entry-${round}-${n}`),
            (name) => proposals(server, key, name),
            { concurrency: 3, discard: true }
          )
          yield* Effect.all([writing, Effect.zipRight(receiver.untilReceived(seen + 4), server.kill)], {
            concurrency: 2
          })
          yield* endLeases
          server = yield* aServer({ dataDir, env })
        }
        // Written by a process that sends nothing.
        yield* server.kill
        yield* endLeases
        const silent = yield* aServer({ dataDir, env, role: "api" })
        yield* proposals(silent, key, "entry-silent")
        yield* silent.kill
        server = yield* aServer({ dataDir, env })

        const pending = sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM webhook_deliveries
          WHERE webhook_id = ${webhook.id} AND status = 'pending'`
        yield* Effect.repeat(pending, {
          until: ([row]) => row?.n === 0,
          schedule: Schedule.spaced("200 millis")
        })
        const facts = yield* sql<{ readonly fact: string }>`
          SELECT e.key || ' ' || v.version AS fact FROM context_events v JOIN context_entries e ON e.id = v.entry_id
          WHERE e.key LIKE 'entry-%' ORDER BY 1`
        assert.isAtLeast(facts.length, kills * 4 + changes)
        const arrived = [...new Set(receiver.accepted.map(versionOf))]
        assert.sameMembers(
          arrived,
          facts.map(({ fact }) => fact)
        )
        for (const name of new Set(arrived.map((fact) => fact.split(" ")[0]))) {
          const versions = arrived
            .filter((fact) => fact.startsWith(`${name} `))
            .map((fact) => Number(fact.split(" ")[1]))
          assert.deepStrictEqual(
            versions,
            versions.map((_, n) => n + 1),
            name
          )
        }
        for (const request of receiver.received) verify(webhook.secret, request)
        assert.isEmpty(stuck.accepted)
        yield* server.stop
      }),
    600_000
  )
})
