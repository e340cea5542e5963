import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, TestClock } from "effect"
import * as SmtpMailer from "../../../src/layers/SmtpMailer.ts"
import type { OutboxMail } from "../../../src/schema/Outbox.ts"
import { linkPlaceholder } from "../../../src/services/outbox/mailTexts.ts"
import { Outbox } from "../../../src/services/outbox/Outbox.ts"
import { OutboxRepo } from "../../../src/services/outbox/OutboxRepo.ts"
import { OutboxSender } from "../../../src/services/outbox/OutboxSender.ts"
import { Mailer } from "../../../src/services/ports/Mailer.ts"
import { AccessOverDatabase } from "../../support/access.ts"
import { as, aWorkspace, type Person } from "../../support/builders.ts"
import { anSmtpServer } from "../../support/smtpServer.ts"

const Services = Outbox.Default.pipe(Layer.provideMerge(OutboxRepo.Default), Layer.provideMerge(AccessOverDatabase))

/** A sender as each process has its own. */
const sender = (mailer: Layer.Layer<Mailer>) =>
  Effect.map(Layer.build(Layer.fresh(Layer.provide(OutboxSender.Default, mailer))), (context) =>
    Effect.provide(OutboxSender, context)
  ).pipe(Effect.flatten)

const smtp = Effect.gen(function* () {
  const server = yield* anSmtpServer
  return { server, mailer: SmtpMailer.layer({ url: server.url, from: "assay@example.com" }) }
})

const enqueue = (person: Person, subject = "Hello") =>
  Effect.flatMap(Outbox, (outbox) =>
    outbox.enqueue({ workspace_id: person.workspace_id, to: person.email, subject, text: "A text.\n" })
  )

const mails = (person: Person) =>
  Effect.map(as(person)(Effect.flatMap(Outbox, (outbox) => outbox.list({}))), ({ data }) => data)

const stateOf = ({ status, attempts, error }: OutboxMail) => ({ status, attempts, failed: error !== null })

layer(Services)("the outbox", (it) => {
  // Mails of the test before would be due again.
  const aFreshWorkspace = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.zipRight(sql`DELETE FROM outbox_mails`, aWorkspace())
  )

  it.scoped("keeps a mail until it is sent, and afterwards", () =>
    Effect.gen(function* () {
      const owner = yield* aFreshWorkspace
      yield* enqueue(owner)
      assert.deepStrictEqual((yield* mails(owner)).map(stateOf), [{ status: "pending", attempts: 0, failed: false }])
      const { server, mailer } = yield* smtp
      const { tick } = yield* sender(mailer)
      yield* tick()
      yield* tick()
      assert.strictEqual(server.received.length, 1)
      const [mail] = yield* mails(owner)
      assert.deepStrictEqual(stateOf(mail!), { status: "sent", attempts: 1, failed: false })
      assert.isNotNull(mail?.sent_at)
      assert.isNull(mail?.next_attempt_at)
      assert.include(server.received[0]?.message, `Message-ID: <${mail?.id}@example.com>`)
    })
  )

  it.scoped("a link is in the mail that is sent, in no list, and in the database only until then", () =>
    Effect.gen(function* () {
      const owner = yield* aFreshWorkspace
      const sql = yield* SqlClient.SqlClient
      const [link, rejected] = ["https://assay.example.com/sign-in#token=a$&b", "https://assay.example.com/other"]
      const text = `Sign in at ${linkPlaceholder}.\n`
      const { enqueue } = yield* Outbox
      const letter = { workspace_id: owner.workspace_id, to: owner.email, subject: "Sign in", text }
      yield* enqueue({ ...letter, link })
      assert.strictEqual((yield* mails(owner))[0]?.text, text)
      const stored = Effect.map(sql`SELECT o::text AS row FROM outbox_mails o`, (rows) => JSON.stringify(rows))
      assert.notInclude(yield* stored, Buffer.from(link).toString("hex"))
      const { server, mailer } = yield* smtp
      yield* Effect.flatMap(sender(mailer), ({ tick }) => tick())
      assert.include(server.received[0]?.message.replaceAll("=\r\n", "").replaceAll("=3D", "="), link)
      yield* enqueue({ ...letter, link: rejected })
      yield* TestClock.adjust("4 days")
      yield* Effect.flatMap(sender(mailer), ({ tick }) => tick())
      assert.deepStrictEqual((yield* mails(owner)).map(({ status }) => status).sort(), ["failed", "sent"])
      assert.deepStrictEqual(yield* sql`SELECT id FROM outbox_mails WHERE sealed_link IS NOT NULL`, [])
    })
  )

  it.scoped("a mail of a transaction that failed was never written", () =>
    Effect.gen(function* () {
      const owner = yield* aFreshWorkspace
      const sql = yield* SqlClient.SqlClient
      yield* Effect.flip(sql.withTransaction(Effect.zipRight(enqueue(owner), Effect.fail("no"))))
      assert.deepStrictEqual(yield* mails(owner), [])
    })
  )

  it.scoped("two processes at once send each mail once", () =>
    Effect.gen(function* () {
      const owner = yield* aFreshWorkspace
      yield* Effect.forEach(
        Array.from({ length: 20 }, (_, i) => i),
        (i) => enqueue(owner, `Mail ${i}`)
      )
      const { server, mailer } = yield* smtp
      const processes = yield* Effect.all([sender(mailer), sender(mailer), sender(mailer)])
      yield* Effect.forEach(processes, ({ tick }) => tick(), { concurrency: "unbounded" })
      const subjects = server.received.map(({ message }) => /^Subject: (.*)\r$/m.exec(message)?.[1])
      assert.strictEqual(subjects.length, 20)
      assert.strictEqual(new Set(subjects).size, 20)
      for (const mail of yield* mails(owner)) assert.strictEqual(mail.status, "sent")
    })
  )

  it.scoped("a mail that one process is just taking is passed over by the others, not waited for", () =>
    Effect.gen(function* () {
      const owner = yield* aFreshWorkspace
      yield* enqueue(owner, "one")
      yield* enqueue(owner, "two")
      const repo = yield* OutboxRepo
      const sql = yield* SqlClient.SqlClient
      const at = { now: "2100-01-01T00:00:00.000Z", until: "2100-01-01T00:10:00.000Z" }
      const [taken, go] = [yield* Deferred.make<Option.Option<string>>(), yield* Deferred.make<void>()]
      const taking = yield* repo.claimDue(at).pipe(
        Effect.flatMap((mail) =>
          Deferred.succeed(
            taken,
            Option.map(mail, ({ subject }) => subject)
          )
        ),
        Effect.zipRight(Deferred.await(go)),
        sql.withTransaction,
        Effect.fork
      )
      const first = yield* Deferred.await(taken)
      const others = yield* Effect.all([repo.claimDue(at), repo.claimDue(at)])
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(taking)
      const subjects = [first, ...others.map(Option.map(({ subject }) => subject))]
      assert.sameMembers(subjects.flatMap(Option.toArray), ["one", "two"])
      assert.isTrue(Option.isNone(others[1]))
    })
  )

  it.scoped("after a temporary failure a mail is tried again, ever later, and then sent", () =>
    Effect.gen(function* () {
      const owner = yield* aFreshWorkspace
      const { server, mailer } = yield* smtp
      const { tick } = yield* sender(mailer)
      yield* enqueue(owner)
      server.reject({ at: "rcpt", status: 451, text: "try later" })
      yield* tick()
      const [failed] = yield* mails(owner)
      assert.deepStrictEqual(stateOf(failed!), { status: "pending", attempts: 1, failed: true })
      assert.include(failed?.error, "try later")
      const attemptsAfter = (pause: "59 seconds" | "1 second" | "119 seconds") =>
        Effect.gen(function* () {
          yield* TestClock.adjust(pause)
          yield* tick()
          return (yield* mails(owner))[0]?.attempts
        })
      assert.strictEqual(yield* attemptsAfter("59 seconds"), 1)
      assert.strictEqual(yield* attemptsAfter("1 second"), 2)
      assert.strictEqual(yield* attemptsAfter("119 seconds"), 2)
      server.reject(null)
      assert.strictEqual(yield* attemptsAfter("1 second"), 3)
      assert.strictEqual(server.received.length, 1)
      assert.deepStrictEqual(stateOf((yield* mails(owner))[0]!), { status: "sent", attempts: 3, failed: false })
    })
  )

  it.scoped("what a server rejects permanently is not tried again, nor what was not accepted for three days", () =>
    Effect.gen(function* () {
      const owner = yield* aFreshWorkspace
      const { server, mailer } = yield* smtp
      const { tick } = yield* sender(mailer)
      yield* enqueue(owner)
      server.reject({ at: "rcpt", status: 550, text: "no such user" })
      yield* tick()
      const [rejected] = yield* mails(owner)
      assert.deepStrictEqual(stateOf(rejected!), { status: "failed", attempts: 1, failed: true })
      assert.isNull(rejected?.next_attempt_at)

      yield* enqueue(owner)
      server.reject({ at: "data", status: 452 })
      yield* tick()
      yield* TestClock.adjust("73 hours")
      server.reject(null)
      yield* tick()
      assert.deepStrictEqual(server.received, [])
      assert.deepStrictEqual(stateOf((yield* mails(owner))[0]!), { status: "failed", attempts: 1, failed: true })
    })
  )

  it.scoped("a mail whose sender was lost is sent by another, not before that one is surely gone", () =>
    Effect.gen(function* () {
      const owner = yield* aFreshWorkspace
      yield* enqueue(owner)
      const repo = yield* OutboxRepo
      const sql = yield* SqlClient.SqlClient
      const [at] = yield* sql<{ readonly now: string; readonly until: string }>`
        SELECT created_at AS now, created_at + interval '10 minutes' AS until FROM outbox_mails`
      const lost = Option.getOrThrow(yield* repo.claimDue(at!))
      const { server, mailer } = yield* smtp
      const { tick } = yield* sender(mailer)
      yield* TestClock.adjust("9 minutes")
      yield* tick()
      assert.strictEqual(server.received.length, 0)
      yield* TestClock.adjust("1 minute")
      yield* tick()
      assert.strictEqual(server.received.length, 1)
      // What the lost one says now is of no account.
      yield* repo.markFailed({ ...lost, error: "late", next: null })
      assert.deepStrictEqual(stateOf((yield* mails(owner))[0]!), { status: "sent", attempts: 2, failed: false })
    })
  )

  it.scoped("the loop finishes the mail in hand when it is stopped, and outlives a mailer that breaks", () =>
    Effect.gen(function* () {
      const owner = yield* aFreshWorkspace
      const [sending, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const slow = Layer.succeed(Mailer, {
        send: () => Effect.zipRight(Deferred.succeed(sending, undefined), Deferred.await(go))
      })
      yield* enqueue(owner)
      const fiber = yield* Effect.fork((yield* sender(slow)).loop)
      yield* Deferred.await(sending)
      const stopped = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(stopped)
      assert.strictEqual((yield* mails(owner))[0]?.status, "sent")

      const [first, second] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const broken = Layer.succeed(Mailer, {
        send: ({ subject }) =>
          subject === "first"
            ? Effect.zipRight(Deferred.succeed(first, undefined), Effect.dieMessage("broken"))
            : Effect.asVoid(Deferred.succeed(second, undefined))
      })
      yield* enqueue(owner, "first")
      const { loop } = yield* sender(broken)
      yield* Effect.forkScoped(loop)
      yield* Deferred.await(first)
      yield* enqueue(owner, "second")
      yield* Effect.race(
        Deferred.await(second),
        Effect.forever(Effect.zipRight(TestClock.adjust("15 seconds"), Effect.yieldNow()))
      )
    })
  )
})
