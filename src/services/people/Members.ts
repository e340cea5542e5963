import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { UserId, WorkspaceId } from "../../schema/Ids.ts"
import { LastOwner, PermissionDenied, type UpdateMember } from "../../schema/Member.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import { MemberNotFound } from "../../schema/Project.ts"
import { type Role } from "../../schema/Session.ts"
import { Caller, personOf } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { KeyCredentials } from "../access/KeyCredentials.ts"
import { managesWorkspace } from "../access/roles.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { MembersRepo } from "./MembersRepo.ts"

/** Who belongs to the workspace, and with which role. */
export class Members extends Effect.Service<Members>()("Members", {
  effect: Effect.gen(function* () {
    const repo = yield* MembersRepo
    const cursors = yield* Cursors
    const credentials = yield* KeyCredentials
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const list = Effect.fn("Members.list")(function* ({ limit = defaultPageSize, cursor }: PageRequest) {
      const { workspace_id } = yield* Caller
      const after = yield* cursors.open("members", {}, cursor)
      const rows = yield* repo.list({ workspace_id, after, limit })
      return yield* cursors.page("members", {}, limit, rows, (row) => [row.created_at, row.user_id])
    })

    const find = Effect.fnUntraced(function* (workspace_id: WorkspaceId, user_id: UserId) {
      const member = yield* repo.find({ workspace_id, user_id })
      if (Option.isNone(member)) return yield* new MemberNotFound({ message: `No member ${user_id}.` })
      return member.value
    })

    /** The caller as they are now: their role may have changed since the call was admitted. */
    const begin = Effect.gen(function* () {
      const caller = yield* Caller
      const { user_id } = personOf(caller)
      const { workspace_id } = caller
      yield* repo.lockOwners(workspace_id)
      const owners = yield* repo.owners(workspace_id)
      const self = Option.getOrNull(yield* repo.find({ workspace_id, user_id }))
      return { workspace_id, user_id, role: self?.role ?? null, owners: owners.map((owner) => owner.user_id) }
    })

    const change = Effect.fn("Members.change")(
      function* (user_id: UserId, { role }: UpdateMember) {
        const caller = yield* begin
        yield* requireManager(caller.role)
        const member = yield* find(caller.workspace_id, user_id)
        if (member.role === role) return member
        if (role === "owner" || member.role === "owner") yield* requireOwner(caller.role)
        if (member.role === "owner") yield* keepAnOwner(caller.owners, user_id)
        const changed = yield* repo.setRole({ workspace_id: caller.workspace_id, user_id, role })
        yield* auditLog.record({
          object: { kind: "member", ref: member.email },
          before: { role: member.role },
          after: { role }
        })
        return changed
      },
      inTransaction,
      Effect.ensuring(credentials.forget)
    )

    const remove = Effect.fn("Members.remove")(
      function* (user_id: UserId) {
        const caller = yield* begin
        if (user_id !== caller.user_id) yield* requireManager(caller.role)
        const member = yield* find(caller.workspace_id, user_id)
        if (member.role === "owner") {
          yield* requireOwner(caller.role)
          yield* keepAnOwner(caller.owners, user_id)
        }
        const membership = { workspace_id: caller.workspace_id, user_id }
        yield* repo.remove(membership)
        yield* repo.deleteSessions(membership)
        yield* repo.revokeKeys({ ...membership, now: yield* now })
        yield* repo.withdrawInvitations(membership)
        yield* auditLog.record({
          object: { kind: "member", ref: member.email },
          before: { user_id, role: member.role },
          after: null
        })
      },
      inTransaction,
      Effect.ensuring(credentials.forget)
    )

    return { list, change, remove }
  })
}) {}

/** Whether a person with this role decides about others. */
export const requireManager = (role: Role | null) =>
  role !== null && managesWorkspace(role)
    ? Effect.void
    : Effect.fail(new PermissionDenied({ message: "Only admins and owners manage members." }))

/** Whether a person with this role decides about owners. */
export const requireOwner = (role: Role | null) =>
  role === "owner"
    ? Effect.void
    : Effect.fail(new PermissionDenied({ message: "Only an owner makes someone an owner, or ends it." }))

const keepAnOwner = (owners: ReadonlyArray<UserId>, leaving: UserId) =>
  owners.some((owner) => owner !== leaving)
    ? Effect.void
    : Effect.fail(
        new LastOwner({ message: "A workspace needs an owner who can sign in; make another member an owner first." })
      )
