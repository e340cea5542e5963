import { Schema } from "effect"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import type { AccessMode } from "../../schema/Repository.ts"

/** On whose behalf a remote is reached: the credentials of this workspace and repository apply, and no others. */
export interface RemoteAccess {
  readonly workspace_id: WorkspaceId
  /** Null before the repository is registered. */
  readonly repository_id: RepositoryId | null
  /** `installed`: through the installation of the code host's app, where the remote is on such a host. */
  readonly access_mode: typeof AccessMode.Type
}

/** Where a repository is read from: `https://`, `ssh://`, `user@host:path`, `file://` or an absolute path. */
export interface Remote {
  readonly url: string
  /** Without it the remote is reached anonymously. */
  readonly access?: RemoteAccess
}

export const CodeHostReason = Schema.Literal(
  "not_found",
  "unreachable",
  "authentication",
  "address_refused",
  "protocol_refused",
  "path_refused",
  "no_commits",
  "branch_not_found",
  "no_common_history",
  "diff_too_large",
  "timeout",
  "too_large",
  "corrupt",
  "push_rejected",
  "workflow_file",
  "rate_limited"
)
export type CodeHostReason = typeof CodeHostReason.Type

/** The message is for a person: it holds no password and no path of our own. */
export class CodeHostError extends Schema.TaggedError<CodeHostError>()("CodeHostError", {
  reason: CodeHostReason,
  message: Schema.String
}) {}
