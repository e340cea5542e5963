import { SqlClient } from "@effect/sql"
import { assert, describe, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, TestClock } from "effect"
import { ObservationStateRepo } from "../../../src/services/observations/ObservationStateRepo.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { WebhookDeliveries } from "../../../src/services/webhooks/WebhookDeliveries.ts"
import { WebhookSender } from "../../../src/services/webhooks/WebhookSender.ts"
import { Webhooks } from "../../../src/services/webhooks/Webhooks.ts"
import { loggedIn } from "../../support/auditLog.ts"
import { anObservation, aRegisteredRepository, as, aWebhook, aWorkspace, type Person } from "../../support/builders.ts"
import { numberOf } from "../../support/services.ts"
import { TestApp } from "../../support/TestApp.ts"
import { aReceiver, deliveriesTo, type Received, SenderLive, sendDue, verify } from "../../support/webhooks.ts"

const closing = { dismissal_category: "false_positive", dismissal_note: "A made-up key." } as const

const dismiss = (person: Person, ref: string) =>
  Effect.flatMap(Observations, (observations) => observations.dismiss(numberOf(ref), closing)).pipe(as(person))

const reopen = (person: Person, ref: string) =>
  Effect.flatMap(Observations, (observations) => observations.reopen(numberOf(ref), { reopen_reason: "Back." })).pipe(
    as(person)
  )

const observationTypes = ["observation.closed", "observation.reopened"] as const

/** A workspace with an endpoint for closed and reopened observations. */
const aScene = Effect.gen(function* () {
  const owner = yield* aWorkspace()
  const repository = yield* aRegisteredRepository(owner)
  const receiver = yield* aReceiver
  const webhook = yield* aWebhook(owner, { url: receiver.url, events: [...observationTypes] })
  return { owner, repository, receiver, webhook }
})

const refsOf = ({ data }: Received) =>
  (data.observations as ReadonlyArray<{ readonly ref: string }>).map(({ ref }) => ref).join()

const story = (requests: ReadonlyArray<Received>) =>
  requests.map((request) => `${request.type.split(".")[1]} ${refsOf(request)}`)

const statusesOf = (webhook_id: string) =>
  Effect.map(deliveriesTo(webhook_id), (found) => found.map(({ status, attempts }) => `${status} ${attempts}`))

const hangs = (_: Received) => undefined

layer(SenderLive.pipe(Layer.provideMerge(TestApp)))((it) => {
  describe("an event", () => {
    it.scoped("reaches the endpoint once, signed and addressed as Standard Webhooks says", () =>
      Effect.gen(function* () {
        const { owner, repository, receiver, webhook } = yield* aScene
        const ref = yield* anObservation(owner, repository)
        yield* dismiss(owner, ref)
        yield* sendDue
        yield* sendDue
        assert.deepStrictEqual(story(receiver.received), [`closed ${ref}`])
        const [request] = receiver.received
        verify(webhook.secret, request!)
        assert.strictEqual(request?.headers["content-type"], "application/json")
        const { data } = JSON.parse(request!.text)
        assert.deepInclude(data, {
          workspace_id: owner.workspace_id,
          repository: "acme/api@main",
          job_id: null,
          count: 1
        })
        assert.deepStrictEqual(data.observations, [
          {
            ref,
            url: `http://127.0.0.1:4000/api/observations/${ref}`,
            kind: "finding",
            priority: "P1",
            close_reason: "dismissed"
          }
        ])
        assert.deepStrictEqual(yield* statusesOf(webhook.id), ["delivered 1"])
      })
    )

    it.scoped("is signed with the old secret, too, for 24 hours after a rotation", () =>
      Effect.gen(function* () {
        const { owner, repository, receiver, webhook } = yield* aScene
        const next = yield* Effect.flatMap(Webhooks, (webhooks) => webhooks.rotateSecret(webhook.id)).pipe(as(owner))
        assert.notStrictEqual(next.secret, webhook.secret)
        const ref = yield* anObservation(owner, repository)
        yield* dismiss(owner, ref)
        yield* sendDue
        for (const secret of [webhook.secret, next.secret]) verify(secret, receiver.received[0]!)
        yield* TestClock.adjust("24 hours")
        yield* reopen(owner, ref)
        yield* sendDue
        verify(next.secret, receiver.received[1]!)
        assert.throws(() => verify(webhook.secret, receiver.received[1]!))
      })
    )

    it.scoped(
      "that fails for hours is tried again by the schedule, its successors about the same object after it",
      () =>
        Effect.gen(function* () {
          const { owner, repository, receiver, webhook } = yield* aScene
          const [ref, other] = [yield* anObservation(owner, repository), yield* anObservation(owner, repository)]
          yield* receiver.react((request, response) => {
            response.writeHead(request.type === "observation.closed" && refsOf(request) === ref ? 503 : 200).end()
          })
          yield* dismiss(owner, ref)
          yield* TestClock.adjust("1 second")
          yield* reopen(owner, ref)
          yield* dismiss(owner, other)
          yield* sendDue
          // What is about another object does not wait.
          assert.deepStrictEqual(story(receiver.received), [`closed ${ref}`, `closed ${other}`])
          for (const pause of ["6 seconds", "72 seconds", "6 minutes", "36 minutes", "144 minutes"] as const) {
            yield* TestClock.adjust(pause)
            yield* sendDue
          }
          assert.deepStrictEqual(yield* statusesOf(webhook.id), ["pending 6", "pending 0", "delivered 1"])
          yield* receiver.react(200)
          yield* TestClock.adjust("6 hours")
          yield* sendDue
          assert.deepStrictEqual(story(receiver.accepted), [`closed ${other}`, `closed ${ref}`, `reopened ${ref}`])
          const ids = receiver.received.filter(({ data }) => refsOf({ data } as Received) === ref)
          assert.strictEqual(new Set(ids.map(({ headers }) => headers["webhook-id"])).size, 2)
          assert.strictEqual(new Set(receiver.received.map(({ text }) => text)).size, 3)
        })
    )

    it.scoped("that no attempt gets through is given up after eleven, and its successors are sent", () =>
      Effect.gen(function* () {
        const { owner, repository, receiver, webhook } = yield* aScene
        const ref = yield* anObservation(owner, repository)
        yield* receiver.react(500)
        yield* dismiss(owner, ref)
        yield* TestClock.adjust("1 second")
        yield* reopen(owner, ref)
        for (let attempt = 0; attempt < 10; attempt++) {
          yield* sendDue
          yield* TestClock.adjust("29 hours")
        }
        assert.deepStrictEqual(yield* statusesOf(webhook.id), ["pending 10", "pending 0"])
        yield* receiver.react((request, response) => {
          response.writeHead(request.type === "observation.closed" ? 500 : 204).end()
        })
        yield* sendDue
        assert.deepStrictEqual(yield* statusesOf(webhook.id), ["failed 11", "delivered 1"])
        const [first] = yield* deliveriesTo(webhook.id)
        assert.deepInclude(first, { status_code: 500, error: "The endpoint answered 500.", next_attempt_at: null })
      })
    )

    it.scoped("answered with 410 makes the endpoint inactive, on the record; nothing more is sent or written", () =>
      Effect.gen(function* () {
        const { owner, repository, receiver, webhook } = yield* aScene
        const [ref, other] = [yield* anObservation(owner, repository), yield* anObservation(owner, repository)]
        yield* receiver.react(410)
        yield* dismiss(owner, ref)
        yield* TestClock.adjust("1 second")
        yield* reopen(owner, ref)
        yield* sendDue
        yield* dismiss(owner, other)
        yield* sendDue
        assert.lengthOf(receiver.received, 1)
        assert.deepStrictEqual(yield* statusesOf(webhook.id), ["failed 1", "pending 0"])
        const { get, update } = yield* Webhooks
        const found = yield* get(webhook.id).pipe(as(owner))
        assert.deepInclude(found, { active: false, disabled_reason: "The endpoint answered 410 Gone." })
        const logged = (yield* loggedIn(owner.workspace_id)).filter(({ actor }) => actor.label === "webhooks")
        assert.deepStrictEqual(
          logged.map(({ object_ref, actor }) => [object_ref, actor.label]),
          [[webhook.id, "webhooks"]]
        )
        yield* receiver.react(200)
        assert.deepInclude(yield* update(webhook.id, { active: true }).pipe(as(owner)), { disabled_reason: null })
        yield* sendDue
        assert.deepStrictEqual(story(receiver.accepted), [`reopened ${ref}`])
      })
    )

    it.scoped("is sent once although eight senders look for it at once, and in order", () =>
      Effect.gen(function* () {
        const { owner, repository, receiver, webhook } = yield* aScene
        const refs = yield* Effect.forEach([1, 2, 3], () => anObservation(owner, repository))
        for (let round = 0; round < 3; round++) {
          for (const ref of refs) {
            yield* TestClock.adjust("1 second")
            yield* round % 2 === 0 ? dismiss(owner, ref) : reopen(owner, ref)
          }
        }
        yield* Effect.forEach(Array(8).keys(), () => sendDue, { concurrency: 8, discard: true })
        assert.lengthOf(receiver.received, 9)
        for (const ref of refs) {
          assert.deepStrictEqual(
            story(receiver.received).filter((line) => line.endsWith(ref)),
            [`closed ${ref}`, `reopened ${ref}`, `closed ${ref}`]
          )
        }
        assert.deepStrictEqual(yield* statusesOf(webhook.id), Array(9).fill("delivered 1"))
      })
    )

    it.scoped("whose sender died is sent by another one once the lease has ended", () =>
      Effect.gen(function* () {
        const { owner, repository, receiver, webhook } = yield* aScene
        const ref = yield* anObservation(owner, repository)
        yield* receiver.react(hangs)
        yield* dismiss(owner, ref)
        const sql = yield* SqlClient.SqlClient
        const died = yield* Effect.fork(sendDue)
        yield* receiver.untilReceived(1)
        yield* receiver.react(200)
        yield* sendDue
        assert.lengthOf(receiver.received, 1)
        yield* TestClock.adjust("61 seconds")
        yield* sendDue
        assert.deepStrictEqual(yield* statusesOf(webhook.id), ["delivered 2"])
        // What the first one finds out afterwards counts no more.
        yield* Fiber.interrupt(died)
        assert.deepStrictEqual(yield* statusesOf(webhook.id), ["delivered 2"])
        assert.deepStrictEqual(yield* sql`SELECT * FROM webhook_turns WHERE webhook_id = ${webhook.id}`, [])
      })
    )

    it.scoped("waits, while its workspace is suspended or lacks the feature, and is not lost", () =>
      Effect.gen(function* () {
        const { owner, repository, receiver } = yield* aScene
        const sql = yield* SqlClient.SqlClient
        yield* dismiss(owner, yield* anObservation(owner, repository))
        const set = (change: string) =>
          sql`UPDATE workspaces SET ${sql.literal(change)} WHERE id = ${owner.workspace_id}`
        for (const [off, on] of [
          ["suspended_at = created_at", "suspended_at = NULL"],
          ["features = '{}'", "features = '{webhooks}'"],
          ["plan = 'free'", "plan = 'paid'"]
        ] as const) {
          yield* set(off)
          yield* sendDue
          assert.lengthOf(receiver.received, 0)
          yield* set(on)
        }
        yield* sendDue
        assert.lengthOf(receiver.received, 1)
      })
    )

    it.scoped("is forgotten with its deliveries after 30 days, and what waited for it is sent", () =>
      Effect.gen(function* () {
        const { owner, repository, receiver, webhook } = yield* aScene
        const ref = yield* anObservation(owner, repository)
        yield* receiver.react(500)
        yield* dismiss(owner, ref)
        yield* TestClock.adjust("2 days")
        yield* reopen(owner, ref)
        yield* sendDue
        assert.deepStrictEqual(yield* statusesOf(webhook.id), ["pending 1", "pending 0"])
        yield* receiver.react(200)
        yield* TestClock.adjust(Duration.days(28.5))
        const { sweep } = yield* WebhookSender
        yield* sweep()
        yield* sendDue
        assert.deepStrictEqual(story(receiver.accepted), [`reopened ${ref}`])
        assert.deepStrictEqual(yield* statusesOf(webhook.id), ["delivered 1"])
      })
    )
  })

  describe("sending again", () => {
    const resend = (person: Person, webhook_id: Parameters<typeof deliveriesTo>[0], n: number) =>
      Effect.gen(function* () {
        const { list, resend } = yield* WebhookDeliveries
        const id = webhook_id as Parameters<typeof list>[0]
        const { data } = yield* list(id, {}).pipe(as(person))
        return yield* resend(id, data.toReversed()[n]!.id).pipe(as(person))
      })

    it.scoped("makes a delivery that waits due at once, with those that it waits for", () =>
      Effect.gen(function* () {
        const { owner, repository, receiver, webhook } = yield* aScene
        const ref = yield* anObservation(owner, repository)
        yield* receiver.react(503)
        yield* dismiss(owner, ref)
        yield* TestClock.adjust("1 second")
        yield* reopen(owner, ref)
        yield* sendDue
        yield* receiver.react(200)
        yield* sendDue
        assert.lengthOf(receiver.received, 1)
        const { status, attempt } = yield* resend(owner, webhook.id, 1)
        assert.deepStrictEqual([status, attempt], ["pending", 0])
        yield* sendDue
        assert.deepStrictEqual(story(receiver.accepted), [`closed ${ref}`, `reopened ${ref}`])
      })
    )

    it.scoped("repeats a delivery that has ended, with the same ID and body", () =>
      Effect.gen(function* () {
        const { owner, repository, receiver, webhook } = yield* aScene
        yield* dismiss(owner, yield* anObservation(owner, repository))
        yield* sendDue
        const again = yield* resend(owner, webhook.id, 0)
        yield* sendDue
        const [first, second] = receiver.received
        assert.strictEqual(second?.headers["webhook-id"], again.event_id)
        assert.deepStrictEqual(
          [second?.headers["webhook-id"], second?.text],
          [first?.headers["webhook-id"], first?.text]
        )
        assert.deepStrictEqual(yield* statusesOf(webhook.id), ["delivered 1", "delivered 1"])
      })
    )
  })
})

layer(SenderLive.pipe(Layer.provideMerge(TestApp)))("endpoints that hang", (it) => {
  it.scoped("delay no other one, and have few requests open each", () =>
    Effect.gen(function* () {
      const { owner, repository, receiver } = yield* aScene
      const stuck = yield* Effect.forEach(Array(6).keys(), () => aReceiver)
      for (const { url, react } of stuck) {
        yield* react(hangs)
        yield* aWebhook(owner, { url, events: [...observationTypes] })
      }
      const loop = yield* Effect.flatMap(WebhookSender, (sender) => Effect.fork(sender.loop))
      const refs = yield* Effect.forEach(Array(40).keys(), () => anObservation(owner, repository))
      for (const ref of refs) yield* dismiss(owner, ref)
      yield* receiver.untilAccepted(refs.length)
      assert.sameMembers(
        story(receiver.accepted),
        refs.map((ref) => `closed ${ref}`)
      )
      for (const { received, untilReceived } of stuck) {
        yield* untilReceived(4)
        assert.lengthOf(received, 4)
      }
      yield* Fiber.interrupt(loop)
      const sql = yield* SqlClient.SqlClient
      const held = yield* sql`SELECT id FROM webhook_deliveries WHERE held_until IS NOT NULL`
      assert.deepStrictEqual(held, [], "a sender that stops leaves nothing held")
    })
  )
})

layer(TestApp)("of an audit", (it) => {
  it.scoped("each change of a job's observations in one transaction is one event, in the order of severity", () =>
    Effect.gen(function* () {
      const { owner, repository, webhook } = yield* aScene
      const refs = yield* Effect.forEach(["P3", "P1", "P2"] as const, (priority) =>
        anObservation(owner, repository, { priority })
      )
      const states = yield* ObservationStateRepo
      const sql = yield* SqlClient.SqlClient
      const { workspace_id, actor } = owner.caller
      yield* sql.withTransaction(
        Effect.forEach(refs, (ref) =>
          states.close({
            workspace_id,
            number: numberOf(ref),
            at: "2026-01-01T00:00:00.000Z",
            actor,
            job_id: null,
            closing: { close_reason: "expired" }
          })
        )
      )
      const events = yield* sql<{ readonly data: Received["data"] }>`
        SELECT e.data FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id
        WHERE d.webhook_id = ${webhook.id}`
      assert.lengthOf(events, 1)
      const [p3, p1, p2] = refs
      assert.strictEqual(refsOf(events[0] as Received), [p1, p2, p3].join())
      assert.deepStrictEqual(events[0]?.data.by_priority, { P0: 0, P1: 1, P2: 1, P3: 1 })
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM webhook_batch_items UNION ALL SELECT 1 FROM webhook_batches`, [])
    })
  )
})
