import { DateTime, Duration, Effect, Option } from "effect"
import { Mailer } from "../ports/Mailer.ts"
import { ServerSecrets } from "../support/ServerSecrets.ts"
import { linkPlaceholder, openLink } from "./mailTexts.ts"
import { type ClaimedMail, OutboxRepo } from "./OutboxRepo.ts"

const interval = "15 seconds"

// Longer than the slowest conversation with a mail server: only a sender that died holds a mail as long.
const lease = Duration.minutes(10)

/** A mail that was not accepted for so long is given up. */
const patience = Duration.days(3)
const firstPause = Duration.minutes(1)
const longestPause = Duration.hours(6)

const pauseAfter = (attempts: number) =>
  Duration.min(Duration.times(firstPause, 2 ** Math.min(attempts - 1, 20)), longestPause)

/** Delivers what is in the outbox; any number of processes may do so, each mail is sent by one of them. */
export class OutboxSender extends Effect.Service<OutboxSender>()("OutboxSender", {
  effect: Effect.gen(function* () {
    const repo = yield* OutboxRepo
    const mailer = yield* Mailer
    const key = yield* Effect.flatMap(ServerSecrets, (secrets) => secrets.get("outbox"))

    const textOf = ({ text, sealed_link }: ClaimedMail) =>
      sealed_link === null ? text : text.replaceAll(linkPlaceholder, () => openLink(key, sealed_link))

    const deliver = Effect.fn("OutboxSender.deliver")(function* (mail: ClaimedMail) {
      const { workspace_id, id, attempts } = mail
      const failed = yield* mailer.send({ ...mail, text: textOf(mail) }).pipe(
        Effect.as(null),
        Effect.catchTag("MailerError", (error) => Effect.succeed(error))
      )
      const now = yield* DateTime.now
      if (failed === null) return yield* repo.markSent({ workspace_id, id, attempts, at: DateTime.formatIso(now) })
      yield* Effect.logWarning(`An e-mail could not be sent: ${failed.message}`).pipe(
        Effect.annotateLogs({ mail_id: id, attempts })
      )
      const next = failed.reason === "refused" ? null : DateTime.addDuration(now, pauseAfter(attempts))
      yield* repo.markFailed({
        workspace_id,
        id,
        attempts,
        error: failed.message,
        next: next === null ? null : DateTime.formatIso(next)
      })
    })

    const sendNext = Effect.gen(function* () {
      const now = yield* DateTime.now
      const mail = yield* repo.claimDue({
        now: DateTime.formatIso(now),
        until: DateTime.formatIso(DateTime.addDuration(now, lease))
      })
      if (Option.isSome(mail)) yield* deliver(mail.value)
      return Option.isSome(mail)
      // Stopping in between would leave in doubt whether the mail has gone; the mailer's own time limits bound this.
    }).pipe(Effect.uninterruptible)

    /** Sends all that is due now. */
    const tick = Effect.fn("OutboxSender.tick")(function* () {
      const now = yield* DateTime.now
      yield* repo.giveUp({
        now: DateTime.formatIso(now),
        before: DateTime.formatIso(DateTime.subtractDuration(now, patience)),
        error: `Not sent within ${Duration.format(patience)}.`
      })
      yield* Effect.repeat(sendNext, { while: (sent) => sent })
    })

    /** For ever, every 15 seconds. */
    const loop = Effect.forever(
      tick().pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("The outbox could not be worked on.", cause)),
        Effect.zipRight(Effect.sleep(interval))
      )
    )

    return { tick, loop }
  })
}) {}
