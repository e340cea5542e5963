import { Effect, Layer, Option, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { Mailer, MailerError } from "../services/ports/Mailer.ts"

export interface SmtpOptions {
  /** `smtp://` (with STARTTLS where the server offers it) or `smtps://`, with user and password if needed. */
  readonly url: Redacted.Redacted
  /** `address` or `Name <address>`. */
  readonly from: string
}

const second = 1000

/** Silence ends a conversation well before another sender would take the mail for lost. */
const timeouts = {
  dnsTimeout: 10 * second,
  connectionTimeout: 10 * second,
  greetingTimeout: 10 * second,
  socketTimeout: 20 * second
}

/** Sends by one mail server, on a connection of its own for each mail. */
export const layer = (options: SmtpOptions) =>
  Layer.sync(Mailer, () => {
    const url = Redacted.value(options.url)
    const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
    const domain = /@([^\s<>@]+)>?\s*$/.exec(options.from)?.[1] ?? "localhost"
    return {
      send: ({ to, subject, text, id }) =>
        Effect.tryPromise({
          try: () =>
            transport.sendMail({
              from: options.from,
              // As an object it is one address, whatever is in it; text would be taken apart at its commas.
              to: { name: "", address: to },
              subject: oneLine(subject),
              text,
              headers: { "Auto-Submitted": "auto-generated" },
              ...(id === undefined ? {} : { messageId: `<${id}@${domain}>` })
            }),
          catch: (error) => failure(error, url)
        }).pipe(Effect.asVoid)
    }
  })

const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")

/** A permanent error about anything else (our account, our own address, the server's state) is for an operator to fix. */
const isAboutThisMail = (code: string | undefined, command: string | undefined) =>
  (code === "EENVELOPE" && command !== "MAIL FROM") || code === "EMESSAGE"

const failure = (error: unknown, url: string) => {
  const { code, command, responseCode, message } = error as {
    readonly code?: string
    readonly command?: string
    readonly responseCode?: number
    readonly message?: string
  }
  const lasting = responseCode === undefined || responseCode >= 500
  return new MailerError({
    reason: lasting && isAboutThisMail(code, command) ? "refused" : "temporary",
    message: withoutSecrets(oneLine(message ?? String(error)), url).slice(0, 500)
  })
}

/** A server may repeat what it was sent. */
const withoutSecrets = (text: string, url: string) => {
  const { username, password } = new URL(url)
  if (password === "") return text
  const plain = decoded(password)
  const login = `${decoded(username)}\0${plain}`
  return [plain, password, base64(plain), base64(`\0${login}`)].reduce(
    (hidden, secret) => hidden.replaceAll(secret, "***"),
    text
  )
}

const decoded = (text: string) => Option.getOrElse(Option.liftThrowable(decodeURIComponent)(text), () => text)

const base64 = (text: string) => Buffer.from(text).toString("base64")
