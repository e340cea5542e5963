import type { AddressInfo } from "node:net"
import { Effect, Redacted } from "effect"
import { SMTPServer } from "smtp-server"

/** A mail as the server took it: envelope and message. */
export interface Received {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly message: string
}

/** The response of a server that does not accept a mail. */
export type Rejection = { readonly at: "rcpt" | "data"; readonly status: number; readonly text?: string } | null

const rejected = ({ status, text = "no" }: NonNullable<Rejection>) =>
  Object.assign(new Error(text), { responseCode: status })

export const smtpUser = { name: "assay", password: "p@ss word" }

/** A mail server of its own, on the loopback, that asks for a login. */
export const anSmtpServer = Effect.acquireRelease(
  Effect.async<{
    readonly url: Redacted.Redacted
    readonly urlWith: (password: string) => Redacted.Redacted
    readonly received: ReadonlyArray<Received>
    readonly reject: (rejection: Rejection) => void
    readonly close: Effect.Effect<void>
  }>((resume) => {
    const received: Array<Received> = []
    let rejection: Rejection = null
    const server = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      logger: false,
      onAuth: ({ username, password }, _, done) =>
        username === smtpUser.name && password === smtpUser.password
          ? done(null, { user: username })
          : done(rejected({ at: "rcpt", status: 535, text: `not ${password}` })),
      onRcptTo: (_, __, done) => done(rejection?.at === "rcpt" ? rejected(rejection) : null),
      onData: (stream, { envelope }, done) => {
        const parts: Array<Buffer> = []
        stream.on("data", (part: Buffer) => parts.push(part))
        stream.on("end", () => {
          if (rejection?.at === "data") return done(rejected(rejection))
          received.push({
            from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
            to: envelope.rcptTo.map(({ address }) => address),
            message: Buffer.concat(parts).toString()
          })
          done(null)
        })
      }
    })
    // A client that goes away is no fault of the server.
    server.on("error", () => undefined)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.server.address() as AddressInfo
      const urlWith = (password: string) =>
        Redacted.make(`smtp://${smtpUser.name}:${encodeURIComponent(password)}@127.0.0.1:${port}`)
      resume(
        Effect.succeed({
          url: urlWith(smtpUser.password),
          urlWith,
          received,
          reject: (next) => {
            rejection = next
          },
          close: Effect.async<void>((closed) => server.close(() => closed(Effect.void)))
        })
      )
    })
  }),
  ({ close }) => close
)
