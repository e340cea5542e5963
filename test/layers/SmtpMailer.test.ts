import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as SmtpMailer from "../../src/layers/SmtpMailer.ts"
import { type Mail, Mailer } from "../../src/services/ports/Mailer.ts"
import { anSmtpServer, smtpUser } from "../support/smtpServer.ts"

const mail = { to: "ada@example.org", subject: "Hello", text: "A line.\nAnother: ü.\n.\nThe end.\n" }
const from = "Assay <assay@example.com>"

const send = (url: Redacted.Redacted, changes: Partial<Mail> = {}) =>
  Effect.flatMap(Mailer, (mailer) => mailer.send({ ...mail, ...changes })).pipe(
    Effect.provide(SmtpMailer.layer({ url, from }))
  )

/** A port that no process listens on. */
const closedPort = Effect.async<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address() as { readonly port: number }
    server.close(() => resume(Effect.succeed(port)))
  })
})

describe("the SMTP mailer", () => {
  it.scoped("hands a mail over to a mail server that asks for a login", () =>
    Effect.gen(function* () {
      const server = yield* anSmtpServer
      yield* send(server.url, { id: "0199" })
      const [received] = server.received
      assert.deepStrictEqual([received?.from, received?.to], ["assay@example.com", ["ada@example.org"]])
      assert.include(received?.message, "From: Assay <assay@example.com>\r\n")
      assert.include(received?.message, "To: ada@example.org\r\n")
      assert.include(received?.message, "Subject: Hello\r\n")
      assert.include(received?.message, "Message-ID: <0199@example.com>\r\n")
      assert.include(received?.message, "Auto-Submitted: auto-generated\r\n")
      assert.match(received?.message ?? "", /A line\.\r\nAnother: =C3=BC\.\r\n\.\r\nThe end\./)
    })
  )

  it.scoped("sends to one address, and lets no text into the headers", () =>
    Effect.gen(function* () {
      const server = yield* anSmtpServer
      yield* send(server.url, { subject: "a\r\nBcc: eve@example.org\u2028\u0000b" })
      assert.deepStrictEqual(server.received[0]?.to, ["ada@example.org"])
      assert.include(server.received[0]?.message, "Subject: a Bcc: eve@example.org b\r\n")
      yield* Effect.exit(send(server.url, { to: "ada@example.org, eve@example.org" }))
      for (const { to } of server.received) assert.notInclude(to, "eve@example.org")
    })
  )

  it.scoped("distinguishes a rejected mail from a temporary failure", () =>
    Effect.gen(function* () {
      const server = yield* anSmtpServer
      const reasonOf = (url: Redacted.Redacted) => Effect.map(Effect.flip(send(url)), ({ reason }) => reason)
      server.reject({ at: "rcpt", status: 550, text: "no such user" })
      const error = yield* Effect.flip(send(server.url))
      assert.strictEqual(error.reason, "refused")
      assert.include(error.message, "no such user")
      server.reject({ at: "data", status: 554 })
      assert.strictEqual(yield* reasonOf(server.url), "refused")
      server.reject({ at: "rcpt", status: 450 })
      assert.strictEqual(yield* reasonOf(server.url), "temporary")
      server.reject({ at: "data", status: 452 })
      assert.strictEqual(yield* reasonOf(server.url), "temporary")
      assert.strictEqual(yield* reasonOf(Redacted.make(`smtp://127.0.0.1:${yield* closedPort}`)), "temporary")
      assert.deepStrictEqual(server.received, [])
    })
  )

  it.scoped("says no password, even when the server does", () =>
    Effect.gen(function* () {
      const server = yield* anSmtpServer
      const error = yield* Effect.flip(send(server.urlWith("an0ther one")))
      assert.strictEqual(error.reason, "temporary")
      assert.include(error.message, "535")
      assert.include(error.message, "not ***")
      assert.notInclude(JSON.stringify(error), "an0ther")
      assert.notInclude(JSON.stringify(error), smtpUser.password)
    })
  )
})
