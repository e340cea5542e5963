import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { TicketId } from "../../../src/schema/Ids.ts"
import { BulkTriage } from "../../../src/services/observations/BulkTriage.ts"
import { ObservationStateRepo } from "../../../src/services/observations/ObservationStateRepo.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { newId } from "../../../src/services/support/ids.ts"
import { now } from "../../../src/services/support/now.ts"
import { TicketComments } from "../../../src/services/tickets/TicketComments.ts"
import { Tickets } from "../../../src/services/tickets/Tickets.ts"
import { TicketsRepo } from "../../../src/services/tickets/TicketsRepo.ts"
import { Trackers } from "../../../src/services/tickets/Trackers.ts"
import { as, type Person } from "../../support/builders.ts"
import { numberOf } from "../../support/services.ts"
import { TestApp } from "../../support/TestApp.ts"
import { aTrackedRepository, trackersOfTests } from "../../support/trackers/configured.ts"
import { isPost, type TicketServer } from "../../support/trackers/vendor.ts"

type Tracked = Effect.Effect.Success<ReturnType<typeof aTrackedRepository>>

const dismissal = { dismissal_category: "false_positive", dismissal_note: "A made-up key." } as const

const publish = ({ owner, ref }: Tracked) =>
  Effect.flatMap(Tickets, (tickets) => tickets.publish(numberOf(ref))).pipe(as(owner))

const dismiss = ({ owner, ref }: Tracked) =>
  Effect.flatMap(Observations, (observations) => observations.dismiss(numberOf(ref), dismissal)).pipe(as(owner))

const reopen = ({ owner, ref }: Tracked) =>
  Effect.flatMap(Observations, (observations) => observations.reopen(numberOf(ref), { reopen_reason: "Back." })).pipe(
    as(owner)
  )

/** As an audit or a merged pull request does it. */
const endAs = ({ owner, ref }: Tracked, close_reason: "fixed" | "expired") =>
  Effect.gen(function* () {
    const states = yield* ObservationStateRepo
    const { workspace_id, actor } = owner.caller
    const target = { workspace_id, number: numberOf(ref), at: yield* now, actor, job_id: null }
    return yield* states.close({ ...target, closing: { close_reason } })
  })

const send = Effect.flatMap(TicketComments, (comments) => comments.tick())

/** Later, so that each change has a time of its own. */
const later = TestClock.adjust("1 second")

const texts = (server: TicketServer) =>
  server.comments().map((text) => /Assay: (OBS-\d+ [a-z ]+)/.exec(text.replaceAll("\\", ""))?.[1])

const deliveries = ({ workspace_id }: Person) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly delivery: string; readonly attempts: number; readonly error: string | null }>`
      SELECT delivery, attempts, error FROM ticket_comments WHERE workspace_id = ${workspace_id} ORDER BY at, id`
  )

layer(TicketComments.Default.pipe(Layer.provideMerge(TestApp)))("the ticket of an observation", (it) => {
  for (const [name, kind] of Object.entries(trackersOfTests)) {
    it.scoped(`on ${name} gets a comment when that is closed or reopened, in any way and in that order`, () =>
      Effect.gen(function* () {
        const tracked = yield* aTrackedRepository(kind)
        const { ref, server } = tracked
        yield* publish(tracked)
        for (const change of [
          dismiss(tracked),
          reopen(tracked),
          endAs(tracked, "fixed"),
          reopen(tracked),
          endAs(tracked, "expired")
        ]) {
          yield* later
          yield* change
        }
        yield* send
        yield* send
        assert.deepStrictEqual(texts(server), [
          `${ref} was dismissed`,
          `${ref} is open again`,
          `${ref} is closed as fixed`,
          `${ref} is open again`,
          `${ref} has expired`
        ])
        for (const part of ["false positive", "A made"]) assert.include(server.comments()[0], part)
        assert.deepStrictEqual(server.problems, [])
      })
    )

    it.scoped(`on ${name} gets a comment once although the answer is lost`, () =>
      Effect.gen(function* () {
        const tracked = yield* aTrackedRepository(kind)
        const { server, owner } = tracked
        yield* publish(tracked)
        yield* later
        yield* dismiss(tracked)
        server.faults.push({
          when: (exchange) => isPost(exchange) && exchange.text.includes("dismissed"),
          cut: "after"
        })
        yield* send
        assert.deepInclude((yield* deliveries(owner))[0], { delivery: "pending", attempts: 1 })
        yield* TestClock.adjust("1 minute")
        yield* send
        assert.deepInclude((yield* deliveries(owner))[0], { delivery: "sent", attempts: 2 })
        assert.lengthOf(server.comments(), 1)
      })
    )
  }

  it.scoped("gets comments for changes of many, and for their undoing", () =>
    Effect.gen(function* () {
      const tracked = yield* aTrackedRepository("linear")
      const { owner, ref, server } = tracked
      yield* publish(tracked)
      yield* later
      const bulk = yield* BulkTriage
      const done = yield* bulk.run({ action: "complete", refs: [numberOf(ref)] }).pipe(as(owner))
      yield* later
      yield* bulk.undo("operation_id" in done ? done.operation_id : "").pipe(as(owner))
      yield* send
      assert.deepStrictEqual(texts(server), [`${ref} was completed`, `${ref} is open again`])
    })
  )

  it.scoped("says that it was closed while the ticket was published", () =>
    Effect.gen(function* () {
      const tracked = yield* aTrackedRepository("linear")
      const { server, ref, owner, request } = tracked
      server.plant("Created by this call", "…")
      const repo = yield* TicketsRepo
      const { id } = yield* Effect.flatMap(Observations, (found) => found.get(numberOf(ref))).pipe(as(owner))
      const subject = { workspace_id: owner.workspace_id, observation_id: id }
      const at = yield* now
      const target = { kind: "linear", base_url: request.base_url, project: "ENG" } as const
      const repository_id = tracked.repository.id
      yield* repo.claim({ ...subject, ...target, repository_id, id: yield* newId(TicketId), now: at, until: at })
      yield* later
      yield* dismiss(tracked)
      const key = server.tickets()[0]!.key
      const url = "https://linear.app/acme/issue/ENG-1"
      assert.isTrue(yield* repo.publish({ ...subject, key, url, at: yield* now }))
      assert.isFalse(yield* repo.publish({ ...subject, key, url, at: yield* now }))
      yield* send
      assert.deepStrictEqual(texts(server), [`${ref} was dismissed`])
    })
  )

  it.scoped("waits for a tracker that is away, longer each time, and is given up after three days", () =>
    Effect.gen(function* () {
      const tracked = yield* aTrackedRepository("github")
      const { server, owner } = tracked
      yield* publish(tracked)
      yield* later
      yield* dismiss(tracked)
      const away = { status: 503, headers: { "retry-after": "3000" }, json: {} }
      server.faults.push({ when: isPost, reply: away })
      yield* send
      yield* TestClock.adjust("49 minutes")
      yield* send
      assert.deepInclude((yield* deliveries(owner))[0], { delivery: "pending", attempts: 1 })
      server.faults.push({ when: isPost, reply: { status: 401, json: {} } })
      yield* TestClock.adjust("2 minutes")
      yield* send
      const [waiting] = yield* deliveries(owner)
      assert.deepInclude(waiting, { delivery: "pending", attempts: 2 })
      assert.include(waiting?.error, "token")
      yield* TestClock.adjust("3 days")
      yield* send
      assert.deepInclude((yield* deliveries(owner))[0], { delivery: "failed", attempts: 2 })
      assert.deepStrictEqual(server.comments(), [])
    })
  )

  it.scoped("that was deleted in the tracker gets none, and is not tried again", () =>
    Effect.gen(function* () {
      const tracked = yield* aTrackedRepository("jira_cloud")
      yield* publish(tracked)
      yield* later
      yield* dismiss(tracked)
      tracked.server.faults.push({ when: isPost, reply: { status: 404, json: {} } })
      yield* send
      assert.deepInclude((yield* deliveries(tracked.owner))[0], { delivery: "failed", attempts: 1 })
    })
  )

  it.scoped("gets no comment by another tracker than its own, and waits for its own to come back", () =>
    Effect.gen(function* () {
      const tracked = yield* aTrackedRepository("linear")
      const other = yield* aTrackedRepository("github")
      const { owner, server, request } = tracked
      yield* publish(tracked)
      yield* later
      yield* dismiss(tracked)
      const trackers = yield* Trackers
      yield* trackers.set("github", other.request).pipe(as(owner))
      yield* send
      const [waiting] = yield* deliveries(owner)
      assert.deepInclude(waiting, { delivery: "pending", attempts: 1 })
      assert.include(waiting?.error, "No tracker is set for Linear")
      yield* trackers.set("linear", request).pipe(as(owner))
      yield* TestClock.adjust("1 minute")
      yield* send
      assert.deepStrictEqual([server.comments().length, other.server.comments().length], [1, 0])
    })
  )

  it.scoped("and one without a ticket leaves nothing to send", () =>
    Effect.gen(function* () {
      const tracked = yield* aTrackedRepository("linear")
      yield* dismiss(tracked)
      yield* send
      assert.deepStrictEqual(yield* deliveries(tracked.owner), [])
    })
  )
})
