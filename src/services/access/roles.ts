import { type Scope, scopes } from "../../schema/Key.ts"
import type { Role } from "../../schema/Session.ts"

const viewer: ReadonlyArray<Scope> = scopes.filter((scope) => scope.startsWith("view_"))
const member: ReadonlyArray<Scope> = [
  ...viewer,
  "submit_audit_jobs",
  "submit_fix_jobs",
  "cancel_running_jobs",
  "triage_observations",
  "register_repo",
  "manage_context",
  "corroborate_context",
  "manage_issues"
]

const byRole: Record<Role, ReadonlySet<Scope>> = {
  owner: new Set(scopes),
  admin: new Set(scopes),
  member: new Set(member),
  viewer: new Set(viewer)
}

/** What a role may do in its workspace. */
export const permissionsOf = (role: Role): ReadonlySet<Scope> => byRole[role]

/** Admins and the owner manage every key of the workspace; others only their own. */
export const managesWorkspace = (role: Role): boolean => role === "owner" || role === "admin"
