import { SqlClient } from "@effect/sql"
import { Data, Effect, Option } from "effect"
import { UserId, WorkspaceId } from "../../schema/Ids.ts"
import { SessionsRepo } from "../access/SessionsRepo.ts"
import { WorkspaceUnclear } from "../access/Workspaces.ts"
import { WorkspacesRepo } from "../access/WorkspacesRepo.ts"
import { AuditLog, operator } from "../audit_log/AuditLog.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { InvitationsRepo } from "./InvitationsRepo.ts"
import { UsersRepo } from "./UsersRepo.ts"

/** What the operator asked for cannot be done to this account. */
export class UserUnchanged extends Data.TaggedError("UserUnchanged")<{ readonly message: string }> {}

/** Accounts and first owners, as the operator of the installation manages them: no caller, no tenant. */
export class Users extends Effect.Service<Users>()("Users", {
  effect: Effect.gen(function* () {
    const repo = yield* UsersRepo
    const accounts = yield* InvitationsRepo
    const sessions = yield* SessionsRepo
    const workspaces = yield* WorkspacesRepo
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const locked = Effect.fnUntraced(function* (email: string) {
      const user = yield* repo.lockByEmail(email.toLowerCase())
      if (Option.isNone(user)) return yield* new UserUnchanged({ message: `There is no account ${email}.` })
      return user.value
    })

    const record = Effect.fnUntraced(function* (
      user_id: UserId,
      action: string,
      before: { readonly disabled_at: string | null },
      after: { readonly disabled_at: string | null }
    ) {
      const object = { kind: "user", ref: user_id } as const
      for (const { workspace_id } of yield* repo.membershipsOf(user_id)) {
        yield* auditLog.record({ object, before, after, action, by: { workspace_id, actor: operator } })
      }
    })

    /** They cannot sign in, their sessions and links end, their keys and streams stop, until they are enabled again. */
    const disable = Effect.fn("Users.disable")(function* (email: string) {
      const { user_id, disabled_at } = yield* locked(email)
      yield* repo.lockOwnersBeside(user_id)
      const alone = yield* repo.ownedAlone(user_id)
      if (alone.length > 0) {
        const names = alone.map(({ name }) => name).join(", ")
        return yield* new UserUnchanged({
          message: `${email} is the only owner of ${names}; make another one with assay user invite, or suspend it with assay workspace suspend.`
        })
      }
      const at = disabled_at ?? (yield* now)
      yield* repo.setDisabled({ user_id, at })
      const ended = yield* repo.endSessions(user_id)
      yield* sessions.closeLinksOf({ user_id, now: at })
      yield* record(user_id, "users.disable", { disabled_at }, { disabled_at: at })
      return { ended }
    }, inTransaction)

    const enable = Effect.fn("Users.enable")(function* (email: string) {
      const { user_id, disabled_at } = yield* locked(email)
      yield* repo.setDisabled({ user_id, at: null })
      yield* record(user_id, "users.enable", { disabled_at }, { disabled_at: null })
    }, inTransaction)

    /** A new workspace, and its owner: an account that exists, or a new one without a password. */
    const createWorkspace = Effect.fn("Users.createWorkspace")(function* (name: string, ownerEmail: string) {
      if ((yield* workspaces.findForUpdate(name)).length > 0) {
        return yield* new WorkspaceUnclear({ message: `There is a workspace ${name} already; choose another name.` })
      }
      const email = ownerEmail.toLowerCase()
      const created_at = yield* now
      const id = yield* newId(UserId)
      yield* accounts.insertAccount({ id, email, name: null, password_hash: null, created_at })
      const { user_id, disabled_at } = yield* locked(email)
      if (disabled_at !== null) return yield* new UserUnchanged({ message: `${email} is disabled; enable it first.` })
      const workspace_id = yield* newId(WorkspaceId)
      yield* sessions.insertWorkspace({ id: workspace_id, name, created_at })
      yield* sessions.insertMembership({ workspace_id, user_id, role: "owner", created_at })
      yield* auditLog.record({
        object: { kind: "workspace", ref: workspace_id },
        before: null,
        after: { name, owner: email },
        action: "workspaces.create",
        by: { workspace_id, actor: operator }
      })
      return { workspace_id, isNew: user_id === id }
    }, inTransaction)

    return { list: repo.list, disable, enable, createWorkspace }
  })
}) {}
