import { Duration, Effect } from "effect"
import { Mailer } from "../ports/Mailer.ts"
import { ServerSecrets } from "../support/ServerSecrets.ts"
import { growingPause, sending } from "../support/sending.ts"
import { linkPlaceholder, openLink } from "./mailTexts.ts"
import { type ClaimedMail, OutboxRepo } from "./OutboxRepo.ts"

const firstPause = Duration.minutes(1)
const longestPause = Duration.hours(6)

/** Delivers what is in the outbox; any number of processes may do so, each mail is sent by one of them. */
export class OutboxSender extends Effect.Service<OutboxSender>()("OutboxSender", {
  effect: Effect.gen(function* () {
    const repo = yield* OutboxRepo
    const mailer = yield* Mailer
    const key = yield* Effect.flatMap(ServerSecrets, (secrets) => secrets.get("outbox"))

    const textOf = ({ text, sealed_link }: ClaimedMail) =>
      sealed_link === null ? text : text.replaceAll(linkPlaceholder, () => openLink(key, sealed_link))

    return sending({
      name: "OutboxSender",
      noun: "An e-mail",
      repo,
      send: (mail: ClaimedMail) => mailer.send({ ...mail, text: textOf(mail) }),
      pauseAfter: (attempts, { reason }) =>
        reason === "refused" ? null : growingPause(attempts, firstPause, longestPause),
      lease: Duration.minutes(10),
      patience: Duration.days(3)
    })
  })
}) {}
