import { Context, type Effect, Schema } from "effect"

/** One plain-text e-mail to one address. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same for each attempt to send one mail, so that a receiver can recognise a repetition. */
  readonly id?: string
}

/** `temporary`: worth another attempt. `refused`: the server will never take this mail. The message holds no password. */
export class MailerError extends Schema.TaggedError<MailerError>()("MailerError", {
  reason: Schema.Literal("temporary", "refused"),
  message: Schema.String
}) {}

export class Mailer extends Context.Tag("Mailer")<
  Mailer,
  {
    /** Done when a mail server has taken the mail over. */
    readonly send: (mail: Mail) => Effect.Effect<void, MailerError>
  }
>() {}
