import type { AddressInfo } from "node:net"
import { Effect, Redacted } from "effect"
import { SMTPServer } from "smtp-server"

/** A mail as the server took it: envelope and message. */
export interface Received {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly message: string
}

/** What a server answers instead of taking a mail. */
export type Refusal = { readonly at: "rcpt" | "data"; readonly status: number; readonly says?: string } | null

const refused = ({ status, says = "no" }: NonNullable<Refusal>) =>
  Object.assign(new Error(says), { responseCode: status })

export const smtpUser = { name: "assay", password: "p@ss word" }

/** A mail server of its own, on the loopback, that asks for a login. */
export const anSmtpServer = Effect.acquireRelease(
  Effect.async<{
    readonly url: Redacted.Redacted
    readonly urlWith: (password: string) => Redacted.Redacted
    readonly received: ReadonlyArray<Received>
    readonly refuse: (refusal: Refusal) => void
    readonly close: Effect.Effect<void>
  }>((resume) => {
    const received: Array<Received> = []
    let refusal: Refusal = null
    const server = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      logger: false,
      onAuth: ({ username, password }, _, done) =>
        username === smtpUser.name && password === smtpUser.password
          ? done(null, { user: username })
          : done(refused({ at: "rcpt", status: 535, says: `not ${password}` })),
      onRcptTo: (_, __, done) => done(refusal?.at === "rcpt" ? refused(refusal) : null),
      onData: (stream, { envelope }, done) => {
        const parts: Array<Buffer> = []
        stream.on("data", (part: Buffer) => parts.push(part))
        stream.on("end", () => {
          if (refusal?.at === "data") return done(refused(refusal))
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
          refuse: (next) => {
            refusal = next
          },
          close: Effect.async<void>((closed) => server.close(() => closed(Effect.void)))
        })
      )
    })
  }),
  ({ close }) => close
)
