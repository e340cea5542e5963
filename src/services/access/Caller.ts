import { Context, Effect } from "effect"
import { InsufficientScope } from "../../schema/Errors.ts"
import { type KeyId, type RepositoryId, UserId, type WorkspaceId } from "../../schema/Ids.ts"
import type { Actor } from "../../schema/Job.ts"
import type { Scope } from "../../schema/Key.ts"
import type { Role } from "../../schema/Session.ts"

export interface CallerInfo {
  readonly workspace_id: WorkspaceId
  readonly actor: Actor
  readonly permissions: ReadonlySet<Scope>
  /** Restricted repositories that the person behind the call may not see. */
  readonly hidden_repositories: ReadonlyArray<RepositoryId>
  readonly credential:
    | {
        readonly kind: "api_key"
        readonly id: KeyId
        readonly name: string
        readonly prefix: string
        /** Who made the key; what that person may not do (any more), the key may not do either. */
        readonly created_by: UserId
        /** `null` once they have left the workspace. */
        readonly creator_role: Role | null
      }
    | { readonly kind: "session"; readonly id: string; readonly role: Role; readonly user_id: UserId }
}

/** The person behind a call: signed in, or the maker of the key. */
export const personOf = ({ credential }: CallerInfo): { readonly user_id: UserId; readonly role: Role | null } =>
  credential.kind === "session"
    ? { user_id: credential.user_id, role: credential.role }
    : { user_id: credential.created_by, role: credential.creator_role }

/** The caller, as a reader of the log knows them. */
export const nameOf = ({ actor, credential }: CallerInfo): string =>
  credential.kind === "api_key" ? `key ${credential.name} (${credential.prefix})` : `user ${actor.label}`

/** Who is calling, as the guard established it. */
export class Caller extends Context.Tag("Caller")<Caller, CallerInfo>() {}

// Managing repositories includes registering them.
const implied: Partial<Record<Scope, Scope>> = { register_repo: "manage_repos" }

export const holds = (permissions: ReadonlySet<Scope>, scope: Scope): boolean => {
  const wider = implied[scope]
  return permissions.has(scope) || (wider !== undefined && permissions.has(wider))
}

export const missingScopes = (permissions: ReadonlySet<Scope>, required: ReadonlyArray<Scope>): ReadonlyArray<Scope> =>
  required.filter((scope) => !holds(permissions, scope))

export const insufficientScope = (missing: ReadonlyArray<Scope>) =>
  new InsufficientScope({
    message: `This call needs the permission ${missing.join(" and ")}.`,
    details: { missing_scopes: missing }
  })

/** For checks that depend on data; everything else is declared on the operation. */
export const requireScope = (scope: Scope): Effect.Effect<void, InsufficientScope, Caller> =>
  Effect.flatMap(Caller, ({ permissions }) =>
    holds(permissions, scope) ? Effect.void : Effect.fail(insufficientScope([scope]))
  )

/** As whom a job reads what its workspace knows: everything that a viewer of all repositories sees. */
export const callerOfJob = (workspace_id: WorkspaceId): CallerInfo => ({
  workspace_id,
  actor: { kind: "system", label: "job", api_key_id: null, user_id: null },
  permissions: new Set(["view_repositories", "view_jobs", "view_observations", "view_context"]),
  hidden_repositories: [],
  credential: {
    kind: "session",
    id: "job",
    role: "viewer",
    user_id: UserId.make("00000000-0000-0000-0000-000000000000")
  }
})
