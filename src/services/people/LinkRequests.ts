import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect, FiberSet, Option } from "effect"
import type { RequestLink } from "../../schema/Account.ts"
import { PasswordPolicy } from "../access/PasswordPolicy.ts"
import { asSystem } from "../access/Reach.ts"
import { Sessions, type SignInOrigin } from "../access/Sessions.ts"
import { type Account, SessionsRepo } from "../access/SessionsRepo.ts"
import { SignInLimits } from "../access/SignInLimits.ts"
import { Site } from "../access/Site.ts"
import { AuditLog, visitor } from "../audit_log/AuditLog.ts"
import { linkPlaceholder } from "../outbox/mailTexts.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { transactional } from "../support/transactional.ts"
import { AccountRepo } from "./AccountRepo.ts"

/** One e-mail to a person in this time, however many requests name them. */
const pause = Duration.minutes(5)

/**
 * Sends people who forgot their password a link by e-mail. The response comes before the account is looked for, so that
 * neither its content nor its time says whether there is one.
 */
export class LinkRequests extends Effect.Service<LinkRequests>()("LinkRequests", {
  scoped: Effect.gen(function* () {
    const accounts = yield* SessionsRepo
    const repo = yield* AccountRepo
    const sessions = yield* Sessions
    const limits = yield* SignInLimits
    const { requirePasswords } = yield* PasswordPolicy
    const outbox = yield* Outbox
    const site = yield* Site
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)
    const work = yield* FiberSet.make<void>()

    const mail = Effect.fn("LinkRequests.mail")(function* ({ user_id, workspace_id, email }: Account) {
      if (workspace_id === null) return
      const since = DateTime.formatIso(DateTime.subtractDuration(yield* DateTime.now, pause))
      if (yield* repo.hasLinkSince({ user_id, since })) return
      const token = yield* sessions.makeLink(user_id, workspace_id)
      yield* outbox.enqueue({ workspace_id, to: email, link: `${yield* site.url}/sign-in#token=${token}`, ...linkMail })
      yield* auditLog.record({
        object: { kind: "user", ref: user_id },
        before: null,
        after: { sign_in_link: "sent" },
        by: { workspace_id, actor: visitor }
      })
    }, inTransaction)

    const send = (email: string) =>
      accounts.accountByEmail(email).pipe(
        Effect.flatMap(Option.match({ onNone: () => Effect.void, onSome: mail })),
        Effect.catchAllCause((cause) => Effect.logWarning("A sign-in link could not be sent.", cause))
      )

    /** Limited by the address that asks, for any account. */
    const request = Effect.fn("LinkRequests.request")(function* ({ email }: RequestLink, { address }: SignInOrigin) {
      yield* requirePasswords
      yield* limits.forLinkRequest(address)
      yield* FiberSet.run(work, send(email))
    }, asSystem)

    /** Waits until all requests so far are worked on. */
    const settled = FiberSet.awaitEmpty(work)

    return { request, settled }
  })
}) {}

const linkMail = {
  subject: "Sign in to Assay",
  text: `Sign in, and set a new password if you like, at
${linkPlaceholder}

The link works once, for 24 hours. If you did not ask for it, ignore this e-mail: nothing has changed.
`
}
