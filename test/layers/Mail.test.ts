import { assert, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, Layer, Redacted, TestClock } from "effect"
import { AppConfig } from "../../src/layers/Config.ts"
import * as Mail from "../../src/layers/Mail.ts"
import { Outbox } from "../../src/services/outbox/Outbox.ts"
import { OutboxRepo } from "../../src/services/outbox/OutboxRepo.ts"
import { AccessOverDatabase } from "../support/access.ts"
import { aKey, as, aWorkspace, type Person } from "../support/builders.ts"
import { anSmtpServer } from "../support/smtpServer.ts"

const Services = Outbox.Default.pipe(Layer.provideMerge(OutboxRepo.Default), Layer.provideMerge(AccessOverDatabase))

const configured = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(AppConfig, ConfigProvider.fromMap(new Map(Object.entries(variables))))

const aKeyFor8Days = (person: Person) =>
  Effect.flatMap(DateTime.now, (now) =>
    aKey(person, { expires_at: DateTime.formatIso(DateTime.add(now, { days: 8 })) })
  )

const statuses = (person: Person) =>
  Effect.map(as(person)(Effect.flatMap(Outbox, (outbox) => outbox.list({}))), ({ data }) =>
    data.map(({ status }) => status)
  )

/** Lets the loops run until an outbox reads like this. */
const until = (person: Person, expected: ReadonlyArray<string>) =>
  Effect.repeat(Effect.zipRight(TestClock.adjust("15 seconds"), statuses(person)), {
    until: (found) => found.join() === expected.join()
  })

layer(Services)("e-mail", (it) => {
  it.scoped("waits in the outbox while there is no mail server, and leaves by the one that is configured then", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aKeyFor8Days(owner)
      yield* TestClock.adjust("1 day")
      yield* Effect.scoped(Effect.zipRight(Layer.build(Mail.layer(yield* configured({}))), until(owner, ["pending"])))
      const server = yield* anSmtpServer
      yield* Layer.build(
        Mail.layer(
          yield* configured({
            ASSAY_SMTP_URL: Redacted.value(server.url),
            ASSAY_MAIL_FROM: "Assay <assay@example.com>"
          })
        )
      )
      yield* until(owner, ["sent"])
      assert.deepStrictEqual(
        server.received.map(({ from, to }) => [from, to]),
        [["assay@example.com", [owner.email]]]
      )
    })
  )

  it.effect("bad settings are rejected, without repeating a password", () =>
    Effect.gen(function* () {
      const rejection = (variables: Readonly<Record<string, string>>) =>
        Effect.map(Effect.flip(configured(variables)), String)
      for (const url of ["mail.example.org", "http://u:s3cret@mail.example.org", "smtp://", "smtp:25"]) {
        const error = yield* rejection({ ASSAY_SMTP_URL: url })
        assert.include(error, "ASSAY_SMTP_URL")
        assert.notInclude(error, "s3cret")
      }
      for (const from of ["assay", "a@b, c@d", "Assay <assay>", "Assay <a@b>\nBcc: c@d"]) {
        assert.include(yield* rejection({ ASSAY_MAIL_FROM: from }), "ASSAY_MAIL_FROM")
      }
      const config = yield* configured({ ASSAY_SMTP_URL: "smtps://mail.example.org", ASSAY_MAIL_FROM: "a@example.org" })
      assert.strictEqual(config.mailFrom, "a@example.org")
    })
  )
})
