import { UserId, type WorkspaceId } from "../../schema/Ids.ts"
import type { CallerInfo } from "../access/Caller.ts"

const noOne = UserId.make("00000000-0000-0000-0000-000000000000")

/**
 * Whose job a review is that a pull request caused: no person's. It may start reviews and nothing else, and what it does is
 * recorded by the name of the service.
 */
export const serviceCaller = (workspace_id: WorkspaceId): CallerInfo => ({
  workspace_id,
  actor: { kind: "system", label: "github", api_key_id: null, user_id: null },
  permissions: new Set(["submit_audit_jobs", "view_jobs", "view_repositories"]),
  hidden_repositories: [],
  credential: { kind: "session", id: "github", role: "viewer", user_id: noOne }
})
