import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect, FiberSet, Option } from "effect"
import { InvalidSession } from "../../schema/Errors.ts"
import { UserId, WorkspaceId } from "../../schema/Ids.ts"
import { InvalidCredentials, InvalidSignInLink, type SessionInfo } from "../../schema/Session.ts"
import { Uuid } from "../../schema/Text.ts"
import { AuditLog, operator, visitor } from "../audit_log/AuditLog.ts"
import { newId, randomBase62, sha256 } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { Caller } from "./Caller.ts"
import { PasswordPolicy } from "./PasswordPolicy.ts"
import { hashPassword, verifyPassword } from "./passwords.ts"
import { asSystem } from "./Reach.ts"
import { permissionsOf } from "./roles.ts"
import { type Account, type SessionRow, SessionsRepo } from "./SessionsRepo.ts"
import { type SignInAttempt, SignInLimits } from "./SignInLimits.ts"

export const sessionLifetime = Duration.days(14)
const linkLifetime = Duration.hours(24)
const seenInterval = Duration.toMillis("1 minute")
const mostSeen = 10_000

export interface OpenedSession {
  /** The cookie's value; shown to no one else. */
  readonly token: string
  /** Recognises the browser at the account's next sign-in. */
  readonly device: string
  readonly info: SessionInfo
}

/** Where an attempt to sign in comes from. */
export interface SignInOrigin {
  readonly address: string | null
  /** `device` of an earlier sign-in, as the browser sent it. */
  readonly device?: string | undefined
}

/** Signed-in people: password and one-time links, sessions, and the first owner of an empty database. */
export class Sessions extends Effect.Service<Sessions>()("Sessions", {
  scoped: Effect.gen(function* () {
    const repo = yield* SessionsRepo
    const limits = yield* SignInLimits
    const auditLog = yield* AuditLog
    const { requirePasswords } = yield* PasswordPolicy
    const inTransaction = transactional(yield* SqlClient.SqlClient)
    const writes = yield* FiberSet.make<void>()
    const seenAt = new Map<string, number>()

    const logSignIn = (
      { user_id, email, workspace_id }: Pick<Account, "user_id" | "email"> & { readonly workspace_id: WorkspaceId },
      after: object
    ) =>
      auditLog.record({
        object: { kind: "user", ref: user_id },
        before: null,
        after,
        by: { workspace_id, actor: { kind: "user", user_id, api_key: null, label: email } }
      })

    /**
     * A failed sign-in is kept for the workspace that the account would enter. One that no account is known for is kept
     * for the oldest workspace, which is the installation's own, without what was typed: that may be a password.
     */
    const logRejection = Effect.fn("Sessions.logRejection")(function* (account: Account | null, code: string) {
      // Read for known accounts, too: how long a rejection takes must not show which ones exist.
      const oldest = yield* repo.oldestWorkspace
      const after = { signed_in: false, code }
      if (account !== null && account.workspace_id !== null) {
        return yield* logSignIn({ ...account, workspace_id: account.workspace_id }, after)
      }
      if (Option.isNone(oldest)) return
      const by = { workspace_id: oldest.value, actor: visitor }
      yield* auditLog.record({ object: { kind: "user", ref: "unknown" }, before: null, after, by })
    }, inTransaction)

    /** A session of a member; the caller of this has established who signs in. */
    const open = Effect.fn("Sessions.open")(function* (
      user_id: UserId,
      workspace_id: WorkspaceId,
      { address }: Pick<SignInOrigin, "address">
    ) {
      const token = randomBase62(43)
      const at = yield* DateTime.now
      const id = yield* newId(Uuid)
      yield* repo.deleteExpired(DateTime.formatIso(at))
      yield* repo.insertSession({
        id,
        token_hash: sha256(token),
        csrf_token: randomBase62(32),
        user_id,
        workspace_id,
        created_at: DateTime.formatIso(at),
        last_seen_at: DateTime.formatIso(at),
        address,
        expires_at: DateTime.formatIso(DateTime.addDuration(at, sessionLifetime))
      })
      const row = yield* Effect.orDie(Effect.flatten(repo.sessionByToken(sha256(token))))
      yield* logSignIn({ user_id, email: row.email, workspace_id }, { signed_in: true, session_id: id })
      return { token, device: yield* limits.deviceOf(user_id), info: sessionInfo(row) } satisfies OpenedSession
    }, inTransaction)

    const signIn = Effect.fn("Sessions.signIn")(function* (
      request: { readonly email: string; readonly password: string },
      origin: SignInOrigin
    ) {
      const account = Option.getOrNull(yield* repo.accountByEmail(request.email))
      const attempt: SignInAttempt = {
        account: request.email.toLowerCase(),
        user_id: account?.user_id ?? null,
        address: origin.address,
        device: origin.device
      }
      return yield* limits.withPassword(
        attempt,
        Effect.gen(function* () {
          yield* requirePasswords
          const matches = yield* verifyPassword(account?.password_hash ?? null, request.password)
          if (!matches || account === null || account.workspace_id === null) {
            return yield* new InvalidCredentials({ message: "E-mail or password is wrong." })
          }
          return yield* open(account.user_id, account.workspace_id, origin)
        }).pipe(Effect.tapError(({ spec }) => logRejection(account, spec.code)))
      )
    }, asSystem)

    /** Anyone who knew the old password, or has a link or a session from then, is signed out; but for one session. */
    const setPassword = Effect.fn("Sessions.setPassword")(function* (
      user_id: UserId,
      password: string,
      exceptId: string | null
    ) {
      yield* requirePasswords
      yield* repo.setPassword({ user_id, password_hash: yield* hashPassword(password) })
      yield* repo.deleteSessionsOf({ user_id, exceptId })
      yield* repo.closeLinksOf({ user_id, now: yield* now })
    })

    const useLink = Effect.fn("Sessions.useLink")(function* (
      request: { readonly token: string; readonly password?: string },
      origin: SignInOrigin
    ) {
      const found = yield* repo.takeLink({ token_hash: sha256(request.token), now: yield* now })
      if (Option.isNone(found)) {
        return yield* new InvalidSignInLink({ message: "This sign-in link was used, has expired or never existed." })
      }
      const link = found.value
      if (request.password !== undefined) yield* setPassword(link.user_id, request.password, null)
      return yield* open(link.user_id, link.workspace_id, origin)
    }, inTransaction)

    // The attempt is counted outside the transaction: a rejection must not undo it.
    const signInByLink = Effect.fn("Sessions.signInByLink")(
      (request: { readonly token: string; readonly password?: string }, origin: SignInOrigin) =>
        limits.withLink(
          origin.address,
          Effect.tapError(useLink(request, origin), ({ spec }) => logRejection(null, spec.code))
        ),
      asSystem
    )

    /** The live session behind a cookie. */
    const resolve = Effect.fn("Sessions.resolve")(function* (token: string) {
      const at = yield* now
      const row = Option.filter(yield* repo.sessionByToken(sha256(token)), ({ expires_at }) => expires_at > at)
      if (Option.isNone(row)) return yield* new InvalidSession({ message: "The session has ended; sign in again." })
      return row.value
    }, asSystem)

    /** Notes that a session is in use, at most once a minute; the call does not wait for it. */
    const markSeen = (session: SessionRow, address: string | null) =>
      Effect.flatMap(DateTime.now, (now) => {
        const at = DateTime.toEpochMillis(now)
        const noted = session.last_seen_at === null ? 0 : Date.parse(session.last_seen_at)
        if (at - Math.max(noted, seenAt.get(session.id) ?? 0) <= seenInterval) return Effect.void
        if (seenAt.size >= mostSeen) seenAt.clear()
        seenAt.set(session.id, at)
        const seen = repo.markSeen({ ...session, at: DateTime.formatIso(now), address })
        return Effect.asVoid(FiberSet.run(writes, asSystem(seen)))
      })

    /** Waits until every use is noted. */
    const noted = FiberSet.awaitEmpty(writes)

    const read = Effect.fn("Sessions.read")(function* (token: string) {
      return sessionInfo(yield* resolve(token))
    })

    const signOut = Effect.fn("Sessions.signOut")(function* () {
      const { workspace_id, credential } = yield* Caller
      if (credential.kind !== "session") return
      const { id, user_id } = credential
      yield* repo.deleteSession({ workspace_id, id })
      yield* auditLog.record({ object: { kind: "session", ref: id }, before: { user_id }, after: null })
    }, inTransaction)

    /** Ends the person's sessions everywhere but here. */
    const signOutElsewhere = Effect.fn("Sessions.signOutElsewhere")(
      function* () {
        const { credential } = yield* Caller
        if (credential.kind !== "session") return
        const { id, user_id } = credential
        const ended = yield* repo.deleteSessionsOf({ user_id, exceptId: id })
        if (ended > 0) {
          yield* auditLog.record({
            object: { kind: "user", ref: user_id },
            before: null,
            after: { ended_sessions: ended }
          })
        }
      },
      inTransaction,
      asSystem
    )

    const makeLink = Effect.fn("Sessions.makeLink")(function* (user_id: UserId, workspace_id: WorkspaceId) {
      const token = randomBase62(43)
      const at = yield* DateTime.now
      yield* repo.insertLink({
        token_hash: sha256(token),
        user_id,
        workspace_id,
        created_at: DateTime.formatIso(at),
        expires_at: DateTime.formatIso(DateTime.addDuration(at, linkLifetime))
      })
      return token
    })

    /** A new one-time link for a member (default: the first owner); `null` when there is none of that name, or disabled. */
    const linkFor = Effect.fn("Sessions.linkFor")(function* (email: string | null) {
      const account = Option.getOrNull(yield* email === null ? repo.firstOwner : repo.accountByEmail(email))
      if (account === null || account.workspace_id === null) return null
      const { user_id, workspace_id } = account
      yield* auditLog.record({
        object: { kind: "user", ref: user_id },
        before: null,
        after: { sign_in_link: "created" },
        action: "operator.create_sign_in_link",
        by: { workspace_id, actor: operator }
      })
      return { email: account.email, token: yield* makeLink(user_id, workspace_id) }
    }, inTransaction)

    /**
     * On an empty database makes a workspace and its owner. Answers a one-time sign-in token for as long as that owner
     * has no password, so that a lost first link is no dead end; `null` otherwise.
     */
    const firstStart = Effect.fn("Sessions.firstStart")(function* (
      bootstrap: { readonly email: string; readonly password: string } | null
    ) {
      yield* repo.lockFirstStart
      if (!(yield* repo.anyWorkspace)) {
        const created_at = yield* now
        const workspace_id = yield* newId(WorkspaceId)
        const user_id = yield* newId(UserId)
        const password_hash = bootstrap === null ? null : yield* hashPassword(bootstrap.password)
        yield* repo.insertWorkspace({ id: workspace_id, name: "Workspace", created_at })
        yield* repo.insertUser({
          id: user_id,
          email: (bootstrap?.email ?? "owner@assay.local").toLowerCase(),
          password_hash,
          created_at
        })
        yield* repo.insertMembership({ workspace_id, user_id, role: "owner", created_at })
      }
      const owner = Option.getOrNull(yield* repo.firstOwner)
      if (owner === null || owner.password_hash !== null || owner.workspace_id === null) return null
      return { email: owner.email, token: yield* makeLink(owner.user_id, owner.workspace_id) }
    }, inTransaction)

    return {
      open,
      logRejection,
      signIn,
      signInByLink,
      setPassword,
      resolve,
      markSeen,
      noted,
      read,
      signOut,
      signOutElsewhere,
      makeLink,
      linkFor,
      firstStart
    }
  })
}) {}

export const sessionInfo = (row: SessionRow): SessionInfo => ({
  user: { id: row.user_id, email: row.email, name: row.name, single_keys: row.single_keys },
  workspace: { id: row.workspace_id, name: row.workspace_name, plan: row.plan, suspended_at: row.suspended_at },
  role: row.role,
  permissions: [...permissionsOf(row.role)],
  csrf_token: row.csrf_token
})
