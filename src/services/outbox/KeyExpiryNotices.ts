import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect } from "effect"
import { type ExpiringKey, KeysRepo } from "../access/KeysRepo.ts"
import { NoticeWriter } from "../notices/NoticeWriter.ts"
import { transactional } from "../support/transactional.ts"
import { printable } from "./mailTexts.ts"
import { Outbox } from "./Outbox.ts"

const interval = "5 minutes"
const notice = Duration.days(7)
const batch = 100

/** Warns a key's creator by e-mail and with a notice, once, 7 days before it expires; not of keys that never had more than 7 days. */
export class KeyExpiryNotices extends Effect.Service<KeyExpiryNotices>()("KeyExpiryNotices", {
  effect: Effect.gen(function* () {
    const keys = yield* KeysRepo
    const outbox = yield* Outbox
    const notices = yield* NoticeWriter
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    // Marked and written together: one without the other would be a warning lost, or sent twice.
    const warnSome = Effect.fn("KeyExpiryNotices.warnSome")(function* () {
      const now = yield* DateTime.now
      const expiring = yield* keys.takeExpiring({
        now: DateTime.formatIso(now),
        before: DateTime.formatIso(DateTime.addDuration(now, notice)),
        shortestLifeSeconds: Duration.toSeconds(notice),
        limit: batch
      })
      yield* Effect.forEach(
        expiring,
        (key) => Effect.zipRight(outbox.enqueue(warning(key)), notices.add(noticeOf(key))),
        { discard: true }
      )
      return expiring.length
    }, inTransaction)

    /** Warns of all keys that are due now. */
    const tick = Effect.fn("KeyExpiryNotices.tick")(function* () {
      yield* Effect.repeat(warnSome(), { while: (warned) => warned === batch })
    })

    /** For ever, every 5 minutes. */
    const loop = Effect.forever(
      tick().pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("Expiring keys could not be looked up.", cause)),
        Effect.zipRight(Effect.sleep(interval))
      )
    )

    return { tick, loop }
  })
}) {}

const warning = (key: ExpiringKey) => {
  const [day, time] = [key.expires_at.slice(0, 10), key.expires_at.slice(11, 16)]
  const name = printable(key.name)
  return {
    workspace_id: key.workspace_id,
    to: key.email,
    subject: `API key "${name}" expires on ${day}`,
    text: `The API key "${name}" (${key.prefix}…), which you created in the workspace "${printable(key.workspace_name)}",
expires on ${day} at ${time} UTC. From then on every request with it is refused.

The expiry of a key cannot be changed. If the key is still in use, mint another one and replace it before then.
`
  }
}

const noticeOf = ({ workspace_id, created_by, id, name, prefix, expires_at }: ExpiringKey) => ({
  workspace_id,
  user_id: created_by,
  kind: "key_expiring" as const,
  subject: id,
  text: `The API key "${printable(name)}" (${prefix}…) expires on ${expires_at.slice(0, 10)}.`,
  link: "/keys"
})
