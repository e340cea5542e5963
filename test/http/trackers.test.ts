import { SqlClient } from "@effect/sql"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { loggedIn } from "../support/auditLog.ts"
import { aKey, aMember, anObservation, aRegisteredRepository, aWorkspace, type Person } from "../support/builders.ts"
import { rpc } from "../support/mcp.ts"
import { TestApp } from "../support/TestApp.ts"
import { aTrackedRepository } from "../support/trackers/configured.ts"
import { tokenOfTests } from "../support/trackers/vendor.ts"
import { type Call, errorOf, jsonOf, outcome, send } from "../support/wire.ts"

const token = "ATATT3xFfGF0-of-tests"
const site = "https://acme.atlassian.net"
const jira = { base_url: site, project: "SEC", email: "assay@acme.example", token }

const put = (owner: Person, kind: string, json: object): Call => ({
  method: "PUT",
  path: `/api/trackers/${kind}`,
  as: owner.session,
  json
})

const listed = (owner: Person) =>
  Effect.map(
    send({ path: "/api/trackers", as: owner.session }),
    (answer) => jsonOf(answer).data as ReadonlyArray<Record<string, unknown>>
  )

const paramOf = (call: Call) =>
  Effect.map(send(call), (answer) => `${answer.status} ${errorOf(answer).code} ${errorOf(answer).param}`)

layer(TestApp)((it) => {
  describe("the trackers of a workspace", () => {
    it.effect("are one a level: the last one set, of whatever kind", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        yield* aRegisteredRepository(owner)
        const first = yield* send(put(owner, "jira", { ...jira, base_url: `${site}//` }))
        assert.deepInclude(jsonOf(first), { kind: "jira", repository: null, base_url: site, has_token: true })
        yield* send(put(owner, "linear", { repository: "api@main", project: "ENG", token: "lin_api_1" }))
        yield* send(put(owner, "linear", { project: "OPS", token: "lin_api_2" }))
        assert.deepStrictEqual(
          (yield* listed(owner)).map(({ kind, repository, base_url, project, email }) => [
            kind,
            repository,
            base_url,
            project,
            email
          ]),
          [
            ["linear", null, "https://api.linear.app", "OPS", null],
            ["linear", "acme/api@main", "https://api.linear.app", "ENG", null]
          ]
        )
        const remove = (kind: string, query = "") =>
          outcome({ method: "DELETE", path: `/api/trackers/${kind}${query}`, as: owner.session })
        assert.strictEqual(yield* remove("jira"), "404 not_found")
        assert.strictEqual(yield* remove("linear"), "204")
        assert.strictEqual(yield* remove("linear"), "404 not_found")
        assert.strictEqual(yield* remove("linear", "?repository=acme%2Fapi%40main"), "204")
        assert.deepStrictEqual(yield* listed(owner), [])
      })
    )

    it.effect("set by eight at once are one", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const calls = Array.from({ length: 8 }, (_, n) => outcome(put(owner, "jira", { ...jira, project: `P${n}` })))
        assert.deepStrictEqual(yield* Effect.all(calls, { concurrency: 8 }), Array(8).fill("200"))
        assert.lengthOf(yield* listed(owner), 1)
      })
    )

    it.effect("are set and read by signed-in admins only", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const member = yield* aMember(owner.workspace_id, "member")
        const { api_key } = yield* aKey(owner)
        const json = { project: "ENG", token: "lin_api_1" }
        for (const [call, code] of [
          [{ ...put(owner, "linear", json), as: member.session }, "403 insufficient_scope"],
          [{ path: "/api/trackers", as: member.session }, "403 insufficient_scope"],
          [{ ...put(owner, "linear", json), as: api_key }, "403 session_required"],
          [{ path: "/api/trackers", as: api_key }, "403 session_required"]
        ] as const) {
          assert.strictEqual(yield* outcome(call), code)
        }
      })
    )

    it.effect("reject what their kind cannot use, field by field", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        for (const [kind, json, param] of [
          ["jira", { ...jira, base_url: "http://jira.example" }, "base_url"],
          ["jira", { ...jira, base_url: "https://u:p@jira.example" }, "base_url"],
          ["jira", { ...jira, base_url: "https://jira.example/?a=1" }, "base_url"],
          ["jira", { ...jira, base_url: "ftp://jira.example" }, "base_url"],
          ["jira", { project: "SEC", token }, "base_url"],
          ["jira", { ...jira, project: 'SEC" OR project = "HR' }, "project"],
          ["jira", { base_url: site, project: "SEC" }, "token"],
          ["jira", { ...jira, token: "two words" }, "token"],
          ["github", { project: "shop", token }, "project"],
          ["github", { project: "acme/..", token }, "project"],
          ["github", { project: "acme/shop/../../user", token }, "project"],
          ["github", { project: "acme/shop" }, "token"],
          ["github", { project: "acme/shop", token, email: "a@example.org" }, "email"],
          ["linear", { project: "EN G", token }, "project"],
          ["linear", { project: "ENG", token, repository: "" }, "repository"]
        ] as const) {
          assert.strictEqual(
            yield* paramOf(put(owner, kind, json)),
            `422 invalid_payload ${param}`,
            JSON.stringify(json)
          )
        }
        assert.strictEqual(yield* outcome(put(owner, "trello", jira)), "422 invalid_payload")
        const absent = put(owner, "jira", { ...jira, repository: "absent@main" })
        assert.strictEqual(yield* outcome(absent), "404 not_found")
        assert.deepStrictEqual(yield* listed(owner), [])
      })
    )

    it.effect("keep a token for the address, kind and account that it was sent for only", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        yield* send(put(owner, "jira", jira))
        const { token: _, ...withoutToken } = jira
        assert.strictEqual(yield* outcome(put(owner, "jira", { ...withoutToken, project: "OPS" })), "200")
        for (const other of [{ base_url: "https://evil.example" }, { email: "mallory@acme.example" }]) {
          assert.strictEqual(
            yield* paramOf(put(owner, "jira", { ...withoutToken, ...other })),
            "422 invalid_payload token",
            JSON.stringify(other)
          )
        }
        assert.strictEqual(yield* paramOf(put(owner, "linear", { project: "ENG" })), "422 invalid_payload token")
        assert.deepInclude((yield* listed(owner))[0], { base_url: site, project: "OPS", has_token: true })
      })
    )

    it.effect("leave no token in an answer, a table or the audit log, and one record a change", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const calls = [
          put(owner, "jira", jira),
          put(owner, "jira", jira),
          put(owner, "jira", { ...jira, token: `${token}-next` }),
          { path: "/api/trackers", as: owner.session },
          put(owner, "jira", { ...jira, project: "not a key" }),
          { method: "DELETE", path: "/api/trackers/jira", as: owner.session }
        ]
        const sql = yield* SqlClient.SqlClient
        const stored: Array<unknown> = []
        for (const call of calls) {
          const { text } = yield* send(call)
          yield* TestClock.adjust("1 second")
          assert.notInclude(text, token)
          stored.push(yield* sql`SELECT * FROM trackers`, yield* sql`SELECT * FROM audit_log`)
        }
        assert.notInclude(JSON.stringify(stored), token)
        const logged = (yield* loggedIn(owner.workspace_id)).filter(({ object_kind }) => object_kind === "tracker")
        assert.deepStrictEqual(
          logged.map(({ action, object_ref }) => `${action} ${object_ref}`),
          ["trackers.set workspace", "trackers.set workspace", "trackers.delete workspace"]
        )
        assert.deepStrictEqual(Object.keys(logged[1]?.after ?? {}), ["authenticated_since"])
      })
    )

    it.effect("take a sealed token for no other row", () =>
      Effect.gen(function* () {
        const [mine, theirs] = [yield* aWorkspace(), yield* aWorkspace()]
        yield* send(put(mine, "linear", { project: "ENG", token: "lin_api_1" }))
        yield* send(put(theirs, "linear", { project: "ENG", token: "lin_api_2" }))
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE trackers SET sealed_token = (
            SELECT sealed_token FROM trackers WHERE workspace_id = ${theirs.workspace_id})
          WHERE workspace_id = ${mine.workspace_id}`
        const ref = yield* anObservation(mine, yield* aRegisteredRepository(mine))
        const publish = { method: "POST", path: `/api/observations/${ref}/publish-ticket`, as: mine.session }
        const answer = yield* send(publish)
        assert.strictEqual(`${answer.status} ${errorOf(answer).code}`, "422 tracker_credentials_rejected")
        assert.include(errorOf(answer).message, "set it again")
      })
    )
  })

  describe("publishing over both interfaces", () => {
    it.scoped("returns the observation with its one ticket", () =>
      Effect.gen(function* () {
        const { owner, ref, server } = yield* aTrackedRepository("linear")
        const { api_key } = yield* aKey(owner)
        const rest = yield* send({ method: "POST", path: `/api/observations/${ref}/publish-ticket`, as: api_key })
        assert.strictEqual(rest.status, 200, rest.text)
        const { ticket_url } = jsonOf(rest)
        assert.strictEqual(ticket_url, "https://linear.app/acme/issue/ENG-1")
        const tool = yield* rpc(api_key, "tools/call", { name: "create_ticket", arguments: { ref } })
        assert.isUndefined(tool.result?.isError)
        const read = yield* send({ path: `/api/observations/${ref}`, as: api_key })
        assert.strictEqual(jsonOf(read).ticket_url, ticket_url)
        assert.lengthOf(server.tickets(), 1)
      })
    )

    it.scoped("says when to ask again where the tracker asks to wait", () =>
      Effect.gen(function* () {
        const { owner, ref, server } = yield* aTrackedRepository("linear")
        server.faults.push({ when: () => true, reply: { status: 429, headers: { "retry-after": "33" }, json: {} } })
        const answer = yield* send({
          method: "POST",
          path: `/api/observations/${ref}/publish-ticket`,
          as: owner.session
        })
        assert.strictEqual(`${answer.status} ${errorOf(answer).code}`, "503 tracker_unavailable")
        assert.strictEqual(answer.headers["retry-after"], "33")
        assert.notInclude(answer.text, tokenOfTests)
      })
    )
  })
})
