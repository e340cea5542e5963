import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import {
  type ChangePassword,
  OwnSessionNotFound,
  OwnWorkspaceNotFound,
  type SwitchWorkspace,
  type UpdateProfile,
  WrongPassword
} from "../../schema/Account.ts"
import { SessionRequired } from "../../schema/Errors.ts"
import type { SessionId } from "../../schema/Ids.ts"
import { Caller } from "../access/Caller.ts"
import { PasswordPolicy } from "../access/PasswordPolicy.ts"
import { verifyPassword } from "../access/passwords.ts"
import { asSystem } from "../access/Reach.ts"
import { Sessions, type SignInOrigin } from "../access/Sessions.ts"
import { SessionsRepo } from "../access/SessionsRepo.ts"
import { SignInLimits } from "../access/SignInLimits.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { randomBase62 } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { AccountRepo } from "./AccountRepo.ts"

const mostSessions = 200

/** What signed-in people do with their own account: password, profile, sessions, and the workspace they work in. */
export class Account extends Effect.Service<Account>()("Account", {
  effect: Effect.gen(function* () {
    const repo = yield* AccountRepo
    const accounts = yield* SessionsRepo
    const sessions = yield* Sessions
    const limits = yield* SignInLimits
    const { requirePasswords } = yield* PasswordPolicy
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const signedIn = Effect.flatMap(Caller, ({ workspace_id, actor, credential }) =>
      credential.kind === "session"
        ? Effect.succeed({
            workspace_id,
            email: actor.label ?? "",
            session_id: credential.id,
            user_id: credential.user_id
          })
        : Effect.fail(new SessionRequired({ message: "An account is managed by its signed-in user, not with a key." }))
    )

    const workspaces = Effect.fn("Account.workspaces")(function* () {
      const { user_id, workspace_id } = yield* signedIn
      const data = yield* repo.workspacesOf(user_id)
      return { data: data.map((workspace) => ({ ...workspace, current: workspace.id === workspace_id })) }
    }, asSystem)

    /** Streams of the session end; its cookie stays. To the workspace it is in already, nothing changes. */
    const switchTo = Effect.fn("Account.switchTo")(
      function* ({ workspace_id }: SwitchWorkspace) {
        const caller = yield* signedIn
        if (workspace_id === caller.workspace_id) return
        const csrf_token = randomBase62(32)
        const moved = yield* repo.moveSession({ ...caller, id: caller.session_id, workspace_id, csrf_token })
        if (!moved) {
          return yield* new OwnWorkspaceNotFound({ message: `You are not a member of a workspace ${workspace_id}.` })
        }
        yield* auditLog.record({
          object: { kind: "session", ref: caller.session_id },
          before: { workspace_id: caller.workspace_id },
          after: { workspace_id }
        })
      },
      inTransaction,
      asSystem
    )

    const list = Effect.fn("Account.sessions")(function* () {
      const { user_id, session_id } = yield* signedIn
      const rows = yield* repo.sessionsOf({ user_id, now: yield* now, limit: mostSessions })
      return { data: rows.map((session) => ({ ...session, current: session.id === session_id })) }
    }, asSystem)

    const end = Effect.fn("Account.endSession")(
      function* (id: SessionId) {
        const { user_id } = yield* signedIn
        const ended = yield* repo.endSession({ id, user_id })
        if (Option.isNone(ended)) return yield* new OwnSessionNotFound({ message: `You have no session ${id}.` })
        yield* auditLog.record({ object: { kind: "session", ref: id }, before: ended.value, after: null })
      },
      inTransaction,
      asSystem
    )

    const replacePassword = Effect.fnUntraced(function* (
      caller: Effect.Effect.Success<typeof signedIn>,
      request: ChangePassword
    ) {
      yield* requirePasswords
      const account = Option.getOrNull(yield* accounts.accountByEmail(caller.email))
      if (!(yield* verifyPassword(account?.password_hash ?? null, request.current_password))) {
        return yield* new WrongPassword({
          message: "The present password is wrong. Without one, set it with a sign-in link.",
          param: "current_password"
        })
      }
      yield* sessions.setPassword(caller.user_id, request.new_password, caller.session_id)
      const object = { kind: "user", ref: caller.user_id } as const
      yield* auditLog.record({ object, before: null, after: { password: "changed" } })
    }, inTransaction)

    /** Wrong passwords are limited as those of signing in are: a stolen session does not help to guess. */
    const changePassword = Effect.fn("Account.changePassword")(function* (
      request: ChangePassword,
      origin: SignInOrigin
    ) {
      const caller = yield* signedIn
      const attempt = { account: caller.email, user_id: caller.user_id, address: origin.address, device: origin.device }
      yield* limits.withPassword(attempt, replacePassword(caller, request))
    }, asSystem)

    const updateProfile = Effect.fn("Account.updateProfile")(
      function* (request: UpdateProfile) {
        const { user_id } = yield* signedIn
        const before = yield* repo.lockProfile(user_id)
        const after = { ...before, ...request }
        yield* repo.updateProfile(user_id, after)
        yield* auditLog.record({ object: { kind: "user", ref: user_id }, before, after })
      },
      inTransaction,
      asSystem
    )

    return { workspaces, switchTo, list, end, changePassword, updateProfile }
  })
}) {}
