import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import type { AuditRecord } from "../../src/schema/AuditLog.ts"
import { aKey, aMember, anObservation, aRegisteredRepository, aWorkspace, type Person } from "../support/builders.ts"
import { TestApp } from "../support/TestApp.ts"
import { jsonOf, outcome, send } from "../support/wire.ts"

const path = "/api/audit-log"

const recordsOf = (person: Person, query = "") =>
  Effect.map(
    send({ path: `${path}${query}`, as: person.session }),
    (response) => jsonOf(response).data as ReadonlyArray<AuditRecord>
  )

const csvOf = (person: Person, query = "") =>
  send({ path: `${path}${query}`, as: person.session, headers: { accept: "text/csv" } })

/** Cells of a CSV file, as RFC 4180 has them. */
const cellsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  assert.isTrue(text.endsWith("\r\n"))
  const lines: Array<Array<string>> = [[]]
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === "\r\n") lines.push([])
  }
  return lines.slice(0, -1)
}

/** Changes of a setting, a second apart. */
const someChanges = (person: Person, count: number) =>
  Effect.forEach(Array.from({ length: count }), (_, i) =>
    Effect.zipRight(
      TestClock.adjust("1 second"),
      send({ method: "PUT", path: "/api/workspace/guidance", as: person.session, json: { text: `Version ${i}.` } })
    )
  )

layer(TestApp)("the audit log", (it) => {
  it.effect("is read by admins and the owner, signed in; by no one else and with no key", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const [admin, member, viewer] = yield* Effect.all([
        aMember(owner.workspace_id, "admin"),
        aMember(owner.workspace_id, "member"),
        aMember(owner.workspace_id, "viewer")
      ])
      const { api_key } = yield* aKey(owner)
      for (const headers of [{}, { accept: "text/csv" }]) {
        assert.strictEqual(yield* outcome({ path, headers, as: owner.session }), "200")
        assert.strictEqual(yield* outcome({ path, headers, as: admin.session }), "200")
        assert.strictEqual(yield* outcome({ path, headers, as: member.session }), "403 insufficient_scope")
        assert.strictEqual(yield* outcome({ path, headers, as: viewer.session }), "403 insufficient_scope")
        assert.strictEqual(yield* outcome({ path, headers, as: api_key }), "403 session_required")
        assert.strictEqual(yield* outcome({ path, headers }), "401 invalid_session")
      }
    })
  )

  it.effect("says who changed what, with the values before and after, the address and the request", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const repository = yield* aRegisteredRepository(owner)
      const ref = yield* anObservation(owner, repository)
      const { api_key, key } = yield* aKey(owner)
      const json = { dismissal_category: "wont_fix", dismissal_note: "Known and accepted." }
      const call = { path: `/api/observations/${ref}/dismiss`, json, as: api_key, address: "198.51.100.20" }
      const response = yield* send(call)
      const [{ id: _, at: __, ...record }] = (yield* recordsOf(owner)) as readonly [AuditRecord]
      assert.deepStrictEqual(record, {
        actor: {
          kind: "api_key",
          user_id: null,
          api_key: { name: key.name, prefix: key.prefix },
          label: `${key.name} (${key.prefix})`
        },
        action: "observations.dismiss",
        object: { kind: "observation", ref },
        before: { status: "new", close_reason: null, dismissal_category: null, dismissal_note: null },
        after: { status: "closed", close_reason: "dismissed", ...json },
        address: "198.51.100.20",
        request_id: String(response.headers["x-request-id"])
      })
    })
  )

  it.effect("is listed newest first, page by page, and shows nothing of another workspace", () =>
    Effect.gen(function* () {
      const [owner, stranger] = yield* Effect.all([aWorkspace(), aWorkspace()])
      yield* someChanges(stranger, 2)
      yield* someChanges(owner, 5)
      const all = yield* recordsOf(owner)
      const times = all.map(({ at }) => at)
      assert.deepStrictEqual(times, [...times].sort().reverse())
      const first = jsonOf(yield* send({ path: `${path}?limit=3&action=workspace.set_guidance`, as: owner.session }))
      const next = `${path}?limit=3&action=workspace.set_guidance&cursor=${first.next_cursor}`
      const second = jsonOf(yield* send({ path: next, as: owner.session }))
      assert.deepStrictEqual([first.has_more, second.has_more], [true, false])
      const paged = [...(first.data as ReadonlyArray<AuditRecord>), ...(second.data as ReadonlyArray<AuditRecord>)]
      assert.deepStrictEqual(
        paged.map(({ after }) => after?.text),
        [4, 3, 2, 1, 0].map((i) => `Version ${i}.`)
      )
      assert.strictEqual(
        yield* outcome({ path: `${path}?cursor=${first.next_cursor}`, as: owner.session }),
        "400 invalid_cursor"
      )
      assert.strictEqual(yield* outcome({ path: next, as: stranger.session }), "400 invalid_cursor")
      assert.notInclude((yield* csvOf(stranger)).text, owner.email)
    })
  )

  it.effect("is filtered by actor, action, object and time, together", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const admin = yield* aMember(owner.workspace_id, "admin")
      const repository = yield* aRegisteredRepository(owner)
      const ref = yield* anObservation(owner, repository)
      const { api_key, key } = yield* aKey(owner)
      yield* someChanges(admin, 1)
      yield* TestClock.adjust("1 minute")
      yield* send({ method: "POST", path: `/api/observations/${ref}/acknowledge`, as: api_key })
      const [newest] = yield* recordsOf(owner)
      const actions = (query: string) =>
        Effect.map(recordsOf(owner, query), (records) => records.map(({ action }) => action))
      const acknowledged = ["observations.acknowledge"]
      assert.deepStrictEqual(yield* actions(`?actor=${key.prefix}`), acknowledged)
      assert.deepStrictEqual(yield* actions(`?object=${ref}`), acknowledged)
      assert.deepStrictEqual(yield* actions(`?object=observation:${ref}`), acknowledged)
      assert.deepStrictEqual(yield* actions("?object=observation"), acknowledged)
      assert.deepStrictEqual(yield* actions("?object=api%40main"), [])
      assert.deepStrictEqual(yield* actions("?action=observations.acknowledge"), acknowledged)
      assert.deepStrictEqual(yield* actions(`?since=${newest?.at}`), acknowledged)
      assert.deepStrictEqual(yield* actions(`?actor=${admin.email.toUpperCase()}&action=workspace.set_guidance`), [
        "workspace.set_guidance"
      ])
      assert.notInclude(yield* actions(`?actor=${admin.user_id}`), "observations.acknowledge")
      assert.notInclude(yield* actions(`?until=${newest?.at}`), "observations.acknowledge")
      assert.deepStrictEqual(yield* actions(`?object=${ref}&action=keys.create`), [])
    })
  )

  it.effect("is a CSV file of all that a filter selects, however many pages that is", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO audit_log (id, workspace_id, at, actor, actor_names, action, object_kind, object_ref, after)
        SELECT gen_random_uuid(), ${owner.workspace_id}, '2026-01-01'::timestamptz + (n / 3) * interval '1 second',
          '{"kind":"system","user_id":null,"api_key":null,"label":null}', '{system}', 'bench.change', 'setting', n::text,
          jsonb_build_object('n', n)
        FROM generate_series(1, 1001) n`
      const { headers, text } = yield* csvOf(owner, "?action=bench.change&limit=1")
      assert.strictEqual(headers["content-type"], "text/csv; charset=utf-8")
      assert.strictEqual(headers["content-disposition"], 'attachment; filename="audit-log.csv"')
      const [heading, ...lines] = cellsOf(text)
      assert.deepStrictEqual(heading?.slice(0, 4), ["id", "at", "actor_kind", "actor"])
      const refs = lines.map((cells) => cells[7])
      assert.lengthOf(refs, 1001)
      assert.lengthOf([...new Set(refs)], 1001)
      const times = lines.map((cells) => String(cells[1]))
      assert.deepStrictEqual(times, [...times].sort().reverse())
    })
  )

  it.effect("quotes what CSV needs quoted, and no cell is a formula to a spreadsheet", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const hostile = ['=HYPERLINK("http://x.example","a")', "+1", "-1", "@SUM(A1)", "\t=1", "\n=1", "＝1"]
      for (const name of [...hostile, 'a "quoted", name', "two\r\nlines"]) {
        yield* send({
          path: "/api/projects",
          as: owner.session,
          json: { name, kind: "area", slug: `s${Math.abs(hash(name))}` }
        })
      }
      const sql = yield* SqlClient.SqlClient
      yield* Effect.forEach(
        hostile,
        (ref) => sql`
        INSERT INTO audit_log (id, workspace_id, at, actor, actor_names, action, object_kind, object_ref)
        VALUES (gen_random_uuid(), ${owner.workspace_id}, now(),
          '{"kind":"system","user_id":null,"api_key":null,"label":null}', '{system}', 'hostile.ref', 'project', ${ref})`
      )
      const [, ...lines] = cellsOf((yield* csvOf(owner)).text)
      for (const cells of lines) {
        assert.lengthOf(cells, 12)
        for (const cell of cells) assert.notMatch(cell, /^\s*[=+\-@＝]/)
      }
      assert.includeMembers(
        lines.map((cells) => cells[7]),
        hostile.map((ref) => `'${ref}`)
      )
      const names = lines.flatMap((cells) => (cells[9] === "" ? [] : [JSON.parse(String(cells[9])).name]))
      assert.includeMembers(names, ['a "quoted", name', "two\r\nlines"])
    })
  )

  it.effect("keeps no secret of keys, sessions and sign-in links", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const json = { name: "ci", scopes: ["view_jobs"] }
      const { api_key } = jsonOf(yield* send({ path: "/api/keys", as: owner.session, json }))
      const { text } = yield* csvOf(owner)
      assert.include(text, "keys.create")
      for (const secret of [String(api_key), owner.session.cookie, owner.session.csrf]) assert.notInclude(text, secret)
    })
  )
})

const hash = (text: string) => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 100_000, 7)
