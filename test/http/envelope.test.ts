import { connect } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ObservationNumber, ObservationsQuery } from "../../src/schema/Observation.ts"
import { aKey, anObservation, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { App, TestApp, typedClient } from "../support/TestApp.ts"
import { type Call, errorOf, outcome, outcomeOf, send } from "../support/wire.ts"

const aCaller = Effect.map(Effect.flatMap(aWorkspace(), aKey), ({ api_key }) => api_key)

const register = (json: unknown): Call => ({ path: "/api/repos", method: "POST", json })
const raw = (body: string | Buffer): Call => ({ path: "/api/repos", method: "POST", body })

const mebibyte = 1024 * 1024

/** Everything the server says on one connection to what is written, until it ends the connection. */
const converse = (text: string) =>
  Effect.flatMap(App, ({ url }) =>
    Effect.async<string>((resume) => {
      const { hostname, port } = new URL(url)
      let response = ""
      const socket = connect(Number(port), hostname, () => socket.write(text))
      const settle = () => {
        socket.destroy()
        resume(Effect.succeed(response))
      }
      socket.on("data", (part) => {
        response += part
      })
      socket.on("error", settle)
      socket.on("close", settle)
      return Effect.sync(() => socket.destroy())
    })
  )

layer(TestApp)("an error response", (it) => {
  it.effect("of an unknown route is 404, of a wrong method 405 with Allow", () =>
    Effect.gen(function* () {
      const as = yield* aCaller
      for (const path of [
        "/api",
        "/api/",
        "/nothing",
        "/api/repos/",
        "//api/repos",
        "/API/repos",
        "/api/jobs/a/b/c/d"
      ]) {
        assert.strictEqual(yield* outcome({ path, as }), "404 not_found", path)
      }
      for (const [method, path, allow] of [
        ["PUT", "/api/repos", "GET, HEAD, POST"],
        ["DELETE", "/api/observations/OBS-1", "GET, HEAD"],
        ["GET", "/api/observations/OBS-1/dismiss", "POST"],
        ["POST", "/api/repos/a/b/c", "PATCH, GET, HEAD, DELETE"],
        ["OPTIONS", "/api/jobs", "GET, HEAD"]
      ] as const) {
        const response = yield* send({ method, path, as })
        assert.deepStrictEqual([outcomeOf(response), response.headers.allow], ["405 method_not_allowed", allow], path)
      }
    })
  )

  it.effect("has a request id of its own, the same in body and header", () =>
    Effect.gen(function* () {
      const responses = yield* Effect.all(
        Array.from({ length: 10 }, () => send({ path: "/api/jobs" })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(responses.map((response) => errorOf(response).request_id)).size, 10)
    })
  )

  it.effect("of 401 says which credentials are wanted", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* send({ path: "/api/jobs" })).headers["www-authenticate"], "Bearer")
    })
  )

  it.effect("of a body that is no JSON is 400, of another media type 415", () =>
    Effect.gen(function* () {
      const as = yield* aCaller
      for (const body of [
        "{",
        "{'a':1}",
        '{"a":1}}',
        "undefined",
        '{"a":NaN}',
        "\u0000",
        Buffer.from([0x22, 0xff, 0x22])
      ]) {
        assert.strictEqual(yield* outcome({ ...raw(body), as }), "400 bad_request", String(body))
      }
      const as2 = yield* aCaller
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonx",
        "text/plain; application/json",
        ""
      ]) {
        const call = { ...raw("{}"), as: as2, headers: { "content-type": type } }
        assert.strictEqual(yield* outcome(call), "415 unsupported_media_type", type)
      }
      const utf8 = { ...raw("{}"), as: as2, headers: { "content-type": "Application/JSON; charset=utf-8" } }
      assert.strictEqual(yield* outcome(utf8), "422 invalid_payload")
    })
  )

  it.effect("of more than 1 MiB is 413, with and without a content length", () =>
    Effect.gen(function* () {
      const as = yield* aCaller
      const most = `{"github_org":"${"x".repeat(mebibyte - 17)}"}`
      assert.strictEqual(Buffer.byteLength(most), mebibyte)
      assert.strictEqual(yield* outcome({ ...raw(most), as }), "422 invalid_payload")
      const response = yield* send({ ...raw(`${most} `), as })
      assert.strictEqual(outcomeOf(response), "413 payload_too_large")
      assert.deepStrictEqual(errorOf(response).details, { limit: mebibyte, unit: "bytes" })
      const parts = [Buffer.from(most.slice(0, 1000)), Buffer.from(most.slice(1000)), Buffer.from(" ")]
      assert.strictEqual(yield* outcome({ ...register(undefined), body: parts, as }), "413 payload_too_large")
      assert.strictEqual(yield* outcome({ ...register(undefined), body: parts.slice(0, 2), as }), "422 invalid_payload")
    })
  )

  it.effect("of an oversized body ends the connection: the rest of it is no next request", () =>
    Effect.gen(function* () {
      const as = yield* aCaller
      const head = `POST /api/repos HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${as}\r\nContent-Type: application/json\r\n`
      const response = yield* converse(`${head}Content-Length: ${mebibyte + 1}\r\n\r\n{`)
      assert.match(response, /^HTTP\/1\.1 413 /)
      assert.match(response, /\r\nconnection: close\r\n/i)
    })
  )

  it.effect("of a missing body, and of one that is no object, says what a body is", () =>
    Effect.gen(function* () {
      const as = yield* aCaller
      for (const call of [register(undefined), raw(""), raw("  "), raw("null"), raw("[]"), raw('"x"'), raw("1")]) {
        const response = yield* send({ ...call, as })
        const { code, message, param, errors } = errorOf(response)
        assert.deepStrictEqual(
          { status: response.status, code, message, param, errors },
          {
            status: 422,
            code: "invalid_payload",
            message: "The request needs a body that is a JSON object.",
            param: undefined,
            errors: [{ loc: [], msg: "must be a JSON object", type: "type_error" }]
          }
        )
      }
    })
  )

  it.effect("of fields has one entry for each, and never the rejected value", () =>
    Effect.gen(function* () {
      const { session } = yield* aWorkspace()
      const json = {
        name: { hidden: "s3cret" },
        scopes: ["view_jobs", "s3cret"],
        requests_per_minute: "s3cret",
        dollars_per_hour: -1,
        agent_label: "s3cret".repeat(100),
        allowed_cidrs: "s3cret",
        expires_at: "s3cret",
        s3cret_field: true
      }
      const response = yield* send({ path: "/api/keys", json, as: session })
      const { type, code, message, param, errors = [] } = errorOf(response)
      assert.deepStrictEqual([response.status, type, code], [422, "validation_error", "invalid_payload"])
      assert.deepStrictEqual(errors.map(({ loc, msg, type }) => [loc.join("."), msg.slice(0, 30), type]).sort(), [
        ["agent_label", "must have at most 200 characte", "value_error"],
        ["allowed_cidrs", "must be a list", "type_error"],
        ["dollars_per_hour", "must be at least 0.01 (one cen", "value_error"],
        ["expires_at", "must be an ISO 8601 timestamp,", "value_error"],
        ["name", "must be a string", "type_error"],
        ["requests_per_minute", "must be a number", "type_error"],
        ["s3cret_field", "is not a known field; known ar", "extra_forbidden"],
        ["scopes.1", "must be one of view_repositori", "value_error"]
      ])
      assert.strictEqual(param, errors[0]?.loc.join("."))
      assert.strictEqual(message, `${param}: ${errors[0]?.msg}`)
      assert.notInclude(response.text.replaceAll("s3cret_field", ""), "s3cret")
    })
  )

  it.effect("of a query names the parameter: too large, given twice, unknown, or no word of the list", () =>
    Effect.gen(function* () {
      const as = yield* aCaller
      for (const [query, param, msg] of [
        ["limit=201", "limit", "must be at most 200"],
        ["limit=0", "limit", "must be at least 1"],
        ["limit=1e2", "limit", "must be a whole number"],
        ["limit=", "limit", "must be a whole number"],
        ["limit=1&limit=2", "limit", "must be one string, not a list"],
        ["Limit=1", "Limit", `is not a known field; known are ${Object.keys(ObservationsQuery.fields).join(", ")}`],
        ["kind=bug", "kind", "must be one of finding, suggestion, advisory"],
        ["kind=finding,bug", "kind", "must be one of finding, suggestion, advisory"],
        ["kind=finding&kind=advisory", "kind", "must be one string, not a list"],
        ["easy_wins=1", "easy_wins", "must be true or false"],
        ["since=yesterday", "since", "must be an ISO 8601 timestamp, such as 2026-01-31T12:00:00Z"],
        ["since=2026-13-01", "since", "must be an ISO 8601 timestamp, such as 2026-01-31T12:00:00Z"]
      ] as const) {
        const response = yield* send({ path: `/api/observations?${query}`, as })
        const { message, param: named } = errorOf(response)
        assert.deepStrictEqual(
          [outcomeOf(response), named, message],
          ["422 invalid_payload", param, `${param}: ${msg}`],
          query
        )
      }
      assert.strictEqual(yield* outcome({ path: "/api/observations?limit=200&", as }), "200")
    })
  )

  it.effect("of a cursor that is none is 400 invalid_cursor", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const { api_key: as } = yield* aKey(owner)
      const repository = yield* aRegisteredRepository(owner)
      for (let i = 0; i < 3; i++) yield* anObservation(owner, repository)
      for (const cursor of ["x", "", "a.b", "%F0%9F%92%A5", "e30.e30", "x".repeat(5000)]) {
        const response = yield* send({ path: `/api/observations?cursor=${cursor}`, as })
        assert.deepStrictEqual([outcomeOf(response), errorOf(response).param], ["400 invalid_cursor", "cursor"], cursor)
      }
      const page = yield* send({ path: "/api/observations?limit=2&status=new", as })
      const { next_cursor, has_more } = JSON.parse(page.text)
      assert.isTrue(has_more)
      const next = `limit=2&cursor=${encodeURIComponent(next_cursor)}`
      assert.strictEqual(yield* outcome({ path: `/api/observations?${next}&status=new`, as }), "200")
      assert.strictEqual(yield* outcome({ path: `/api/observations?${next}`, as }), "400 invalid_cursor")
      assert.strictEqual(yield* outcome({ path: `/api/jobs?${next}`, as }), "400 invalid_cursor")
    })
  )

  it.effect("of NUL or an unpaired surrogate is 422, in a path, a query and a body", () =>
    Effect.gen(function* () {
      const as = yield* aCaller
      for (const path of ["/api/repos/a%00/b/c", "/api/repos?cursor=%00", "/%00"]) {
        assert.strictEqual(yield* outcome({ path, as }), "422 nul_byte", path)
      }
      for (const path of ["/api/repos/%ED%A0%80/b/c", "/api/repos?cursor=%ed%bf%bf"]) {
        assert.strictEqual(yield* outcome({ path, as }), "422 lone_surrogate", path)
      }
      const nul = yield* send({ ...raw('{"github_org":"a\\u0000b"}'), as })
      assert.deepStrictEqual([outcomeOf(nul), errorOf(nul).param], ["422 nul_byte", "github_org"])
      assert.strictEqual(yield* outcome({ ...raw('{"a\\u0000":1}'), as }), "422 nul_byte")
      const surrogate = yield* send({ ...raw('{"x":{"y":["\\ud83d"]}}'), as })
      assert.deepStrictEqual([outcomeOf(surrogate), errorOf(surrogate).param], ["422 lone_surrogate", "x.y.0"])
      assert.strictEqual(yield* outcome({ ...raw('{"github_org":"\\ud83d\\ude00"}'), as }), "422 invalid_payload")
    })
  )

  it.effect("of a body nested a hundred thousand deep is one like any other", () =>
    Effect.gen(function* () {
      const as = yield* aCaller
      const deep = `${"[".repeat(100_000)}"\\u0041"${"]".repeat(100_000)}`
      for (const body of [deep, `{"github_org":${deep}}`, `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`]) {
        const { status } = yield* send({ ...raw(body), as })
        assert.include([400, 422], status)
      }
      const { api_key } = yield* aKey(yield* aWorkspace())
      const params = `{"workflow":"audit","params":{"x":${deep}}}`
      const response = yield* send({ path: "/api/repos/a/b/c/jobs", body: params, as: api_key })
      assert.isBelow(response.status, 500, response.text)
    })
  )

  it.effect("of a very long path or odd escapes stays in the envelope", () =>
    Effect.gen(function* () {
      const as = yield* aCaller
      for (const path of [
        `/api/jobs/${"x".repeat(5000)}`,
        `/api/repos/${"a/".repeat(2000)}`,
        "/api/jobs/%ZZ",
        "/api/jobs/%",
        "/api/repos/%FF/b/c",
        "/api/repos/..%2f..%2f/b/c",
        "/api/repos/a/b/feature%2Fx",
        "/api/repos/a/b/c?x=%ZZ",
        "/api/repos/__proto__/constructor/toString"
      ]) {
        const response = yield* send({ path, as })
        assert.include([404, 422], response.status, path)
        errorOf(response)
      }
      const tooLong = yield* send({ path: `/${"x".repeat(20_000)}`, as })
      assert.strictEqual(tooLong.status, 431)
    })
  )

  it.effect("HEAD is served as GET, without a body", () =>
    Effect.gen(function* () {
      const as = yield* aCaller
      for (const [path, status] of [
        ["/api/jobs", 200],
        ["/api/nothing", 404],
        ["/api/jobs/x", 422]
      ] as const) {
        const response = yield* send({ method: "HEAD", path, as })
        assert.deepStrictEqual([response.status, response.text], [status, ""], path)
        assert.match(String(response.headers["x-request-id"]), /^req_/)
      }
    })
  )

  it.effect("the API host keeps its description to itself: 401 without a key, 402 with one", () =>
    Effect.gen(function* () {
      const as = yield* aCaller
      assert.strictEqual(yield* outcome({ path: "/openapi.json" }), "401 missing_api_key")
      assert.strictEqual(yield* outcome({ path: "/openapi.json", as }), "402 plan_restricted")
    })
  )

  it.effect("a repository whose branch has a slash is addressed with %2F", () =>
    Effect.gen(function* () {
      const as = yield* aCaller
      const response = yield* send({ path: "/api/repos/acme/api/feature%2Fx", as })
      assert.include(errorOf(response).message, "acme/api@feature/x")
    })
  )

  it.effect("is of its own class in the client that is derived from the contract", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      const repository = yield* aRegisteredRepository(owner)
      const client = yield* typedClient(api_key)
      const path = { github_org: "acme", github_repo: "api", github_base_branch: "main" }
      assert.strictEqual((yield* client.repositories.get({ path })).id, repository.id)
      const missing = yield* Effect.flip(client.observations.get({ path: { ref: ObservationNumber.make(9) } }))
      assert.deepStrictEqual([missing._tag, missing.message], ["ObservationNotFound", "No observation OBS-9."])
      const keys = yield* Effect.flip(client.keys.list({ urlParams: {} }))
      assert.strictEqual(keys._tag, "SessionRequired")
      const job = yield* client.jobs.submit({ path, payload: { workflow: "audit" }, headers: {}, urlParams: {} })
      assert.deepStrictEqual([job.status, job.repo_name], ["pending", "api@main"])
    })
  )
})
