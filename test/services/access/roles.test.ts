import { assert, it } from "@effect/vitest"
import { scopes } from "../../../src/schema/Key.ts"
import { permissionsOf } from "../../../src/services/access/roles.ts"

it("a viewer only reads; a member also runs and cancels jobs, triages, registers and writes; admins and owners do all", () => {
  const viewer = scopes.filter((scope) => scope.startsWith("view_"))
  const member = ["submit_audit_jobs", "submit_fix_jobs", "cancel_running_jobs", "triage_observations", "register_repo"]
  const writing = ["manage_context", "corroborate_context", "manage_issues"]
  assert.sameMembers([...permissionsOf("viewer")], viewer)
  assert.sameMembers([...permissionsOf("member")], [...viewer, ...member, ...writing])
  for (const role of ["admin", "owner"] as const) assert.sameMembers([...permissionsOf(role)], [...scopes])
})
