import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Exit, TestClock } from "effect"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { Tickets } from "../../../src/services/tickets/Tickets.ts"
import { Trackers } from "../../../src/services/tickets/Trackers.ts"
import { loggedIn } from "../../support/auditLog.ts"
import { anObservation, aRegisteredRepository, as, aWorkspace, type Person } from "../../support/builders.ts"
import { asOwner } from "../../support/Database.ts"
import { numberOf } from "../../support/services.ts"
import { TestApp } from "../../support/TestApp.ts"
import { aTrackedRepository, trackersOfTests } from "../../support/trackers/configured.ts"
import { always, isPost } from "../../support/trackers/vendor.ts"

const publish = (person: Person, ref: string) =>
  Effect.flatMap(Tickets, (tickets) => tickets.publish(numberOf(ref))).pipe(as(person))

const rejection = (person: Person, ref: string) =>
  Effect.map(Effect.flip(publish(person, ref)), ({ spec, message, retryAfterSeconds }) => ({
    code: `${spec.status} ${"code" in spec ? spec.code : ""}`,
    message,
    retryAfterSeconds
  }))

const close = (person: Person, ref: string) =>
  Effect.flatMap(Observations, (observations) => observations.complete(numberOf(ref), {})).pipe(as(person))

/** Nothing of a published ticket reaches the database, as if the process had been killed before its commit. */
const withoutCommits = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    asOwner(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          CREATE FUNCTION lose_ticket() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'lost'; END $$;
          CREATE TRIGGER lose_ticket BEFORE UPDATE OF url ON tickets FOR EACH ROW EXECUTE FUNCTION lose_ticket()`
      )
    ),
    () => effect,
    () => Effect.orDie(asOwner(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DROP FUNCTION lose_ticket CASCADE`)))
  )

layer(TestApp)("a ticket", (it) => {
  for (const [name, kind] of Object.entries(trackersOfTests)) {
    it.scoped(`is published to ${name} once, and is the same one when it is asked for again`, () =>
      Effect.gen(function* () {
        const { owner, ref, server } = yield* aTrackedRepository(kind)
        const first = yield* publish(owner, ref)
        const again = yield* publish(owner, ref)
        assert.strictEqual(first.ref, ref)
        assert.isString(first.ticket_url)
        assert.strictEqual(again.ticket_url, first.ticket_url)
        assert.lengthOf(server.tickets(), 1)
        assert.include(server.tickets()[0]?.title, "A key in the source in src/index.ts")
        assert.include(server.tickets()[0]?.body, ref)
        assert.deepStrictEqual(server.problems, [])
        const logged = (yield* loggedIn(owner.workspace_id)).filter(({ object_kind }) => object_kind === "observation")
        assert.deepStrictEqual(
          logged.map(({ object_ref, before, after }) => [object_ref, before, after]),
          [[ref, { ticket_url: null }, { ticket_url: first.ticket_url }]]
        )
      })
    )

    it.scoped(`of ${name} is found by the next who asks when the process is lost after creating it`, () =>
      Effect.gen(function* () {
        const { owner, ref, server } = yield* aTrackedRepository(kind)
        const lost = yield* withoutCommits(Effect.exit(publish(owner, ref)))
        assert.isTrue(Exit.isFailure(lost))
        assert.lengthOf(server.tickets(), 1)
        // The claim of a process that is gone ends by itself.
        yield* TestClock.adjust("91 seconds")
        assert.isString((yield* publish(owner, ref)).ticket_url)
        assert.lengthOf(server.tickets(), 1)
      })
    )

    it.scoped(`of ${name} is one although the connection is cut before or after it is created`, () =>
      Effect.gen(function* () {
        const { owner, ref, other, server } = yield* aTrackedRepository(kind)
        const isCreation = (exchange: { readonly method: string; readonly text: string }) =>
          exchange.method === "POST" && exchange.text.includes("key in the source")
        server.faults.push({ when: isCreation, cut: "after" })
        assert.isString((yield* publish(owner, ref)).ticket_url)
        assert.lengthOf(server.tickets(), 1)

        server.faults.push({ when: isCreation, cut: "before" })
        const unavailable = yield* rejection(owner, other)
        assert.strictEqual(unavailable.code, "503 tracker_unavailable")
        // It may still be on its way.
        yield* TestClock.adjust("16 seconds")
        assert.isString((yield* publish(owner, other)).ticket_url)
        assert.lengthOf(server.tickets(), 2)
        assert.deepStrictEqual(server.problems, [])
      })
    )
  }

  it.scoped("asked for by eight at once is one, and all of them get it", () =>
    Effect.gen(function* () {
      const { owner, ref, server } = yield* aTrackedRepository("github")
      const published = yield* Effect.all(
        Array.from({ length: 8 }, () => publish(owner, ref)),
        { concurrency: "unbounded" }
        // Those who wait for the one that publishes do so by the real clock.
      ).pipe(Effect.withClock(Clock.make()))
      assert.lengthOf(server.tickets(), 1)
      assert.deepStrictEqual(
        [...new Set(published.map(({ ticket_url }) => ticket_url))],
        ["https://github.com/acme/tickets/issues/1"]
      )
      const logged = (yield* loggedIn(owner.workspace_id)).filter(({ object_kind }) => object_kind === "observation")
      assert.lengthOf(logged, 1)
    })
  )

  it.scoped("is rejected without a tracker, of a closed observation, and of none", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const repository = yield* aRegisteredRepository(owner)
      const ref = yield* anObservation(owner, repository)
      assert.strictEqual((yield* rejection(owner, ref)).code, "422 no_ticket_integration")
      assert.strictEqual((yield* rejection(owner, "OBS-999")).code, "404 not_found")
      const tracked = yield* aTrackedRepository("linear")
      yield* close(tracked.owner, tracked.ref)
      assert.strictEqual((yield* rejection(tracked.owner, tracked.ref)).code, "409 observation_closed")
      assert.deepStrictEqual(tracked.server.tickets(), [])
    })
  )

  it.scoped("stays the observation's when that is closed, and when the tracker is another one", () =>
    Effect.gen(function* () {
      const { owner, ref, server } = yield* aTrackedRepository("linear")
      const { ticket_url } = yield* publish(owner, ref)
      yield* close(owner, ref)
      assert.strictEqual((yield* publish(owner, ref)).ticket_url, ticket_url)
      const trackers = yield* Trackers
      yield* trackers.remove("linear", undefined).pipe(as(owner))
      assert.strictEqual((yield* publish(owner, ref)).ticket_url, ticket_url)
      assert.lengthOf(server.tickets(), 1)
    })
  )

  it.scoped("goes to the repository's tracker before the workspace's", () =>
    Effect.gen(function* () {
      const { owner, ref, other, server } = yield* aTrackedRepository("linear")
      const own = yield* aTrackedRepository("github")
      const trackers = yield* Trackers
      const request = { repository: "acme/api@main", ...own.request }
      yield* trackers.set("github", request).pipe(as(owner))
      assert.include((yield* publish(owner, ref)).ticket_url, "github.com")
      yield* trackers.remove("github", "acme/api@main").pipe(as(owner))
      assert.include((yield* publish(owner, other)).ticket_url, "linear.app")
      assert.deepStrictEqual([server.tickets().length, own.server.tickets().length], [1, 1])
    })
  )

  it.scoped("that the tracker does not take says why, and can be asked for again at once", () =>
    Effect.gen(function* () {
      const { owner, ref, server, request } = yield* aTrackedRepository("github")
      const bodies = { 401: {}, 404: {}, 410: {}, 422: { errors: [{ field: "title", code: "invalid" }] } }
      const codes: Array<string> = []
      for (const [status, json] of Object.entries(bodies)) {
        server.faults.push({ when: isPost, reply: { status: Number(status), json } })
        const { code, message } = yield* rejection(owner, ref)
        codes.push(code)
        assert.notInclude(message, request.token)
      }
      assert.deepStrictEqual(codes, [
        "422 tracker_credentials_rejected",
        "422 tracker_project_not_found",
        "422 ticket_rejected",
        "422 ticket_rejected"
      ])
      server.faults.push({ when: always, reply: { status: 429, headers: { "retry-after": "40" }, json: {} } })
      assert.strictEqual((yield* rejection(owner, ref)).retryAfterSeconds, 40)
      yield* TestClock.adjust("16 seconds")
      assert.isString((yield* publish(owner, ref)).ticket_url)
      assert.lengthOf(server.tickets(), 1)
    })
  )
})
