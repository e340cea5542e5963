import { Context, type Effect, Schema } from "effect"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import type { AccessMode } from "../../schema/Repository.ts"
import type { Comparison } from "./Comparison.ts"

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

export interface RemoteHeads {
  /** The branch the remote's HEAD names; null when HEAD is detached or the repository has no commits. */
  readonly default_branch: string | null
  /** Branch name to commit. Empty for a repository without commits. */
  readonly heads: ReadonlyMap<string, string>
}

export interface FetchRequest {
  readonly repositoryId: string
  readonly remote: Remote
  readonly branch: string
}

export interface Fetched {
  readonly gitDir: string
  readonly commit: string
}

/** Something to be compared with a branch. */
export type Revision =
  | { readonly kind: "branch"; readonly name: string }
  | { readonly kind: "pull_request"; readonly number: number }
  | { readonly kind: "commit"; readonly sha: string }

export interface FetchedRevision extends Fetched {
  /** Newest commit of the revision; `commit` is that of the branch. */
  readonly revision: string
}

export interface CompareRequest {
  readonly gitDir: string
  readonly base: string
  readonly head: string
  /** A change of more files is refused. */
  readonly maxFiles: number
}

export interface RenamesRequest {
  readonly gitDir: string
  readonly from: string
  readonly to: string
}

export interface FilesRequest {
  readonly repositoryId: string
  readonly commit: string
  readonly paths: ReadonlyArray<string>
  readonly maxBytes: number
}

export class CodeHost extends Context.Tag("CodeHost")<
  CodeHost,
  {
    readonly inspect: (remote: Remote) => Effect.Effect<RemoteHeads, CodeHostError>
    /** Afterwards `gitDir` holds the whole history of the branch, and reading it needs no network. */
    readonly fetch: (request: FetchRequest) => Effect.Effect<Fetched, CodeHostError>
    /** The branch and something beside it, in one `gitDir`. */
    readonly fetchRevision: (
      request: FetchRequest & { readonly revision: Revision }
    ) => Effect.Effect<FetchedRevision, CodeHostError>
    /** What `head` changed since it left `base`. */
    readonly compare: (request: CompareRequest) => Effect.Effect<Comparison, CodeHostError>
    /** Whether `gitDir` holds the commit. */
    readonly has: (request: { readonly gitDir: string; readonly commit: string }) => Effect.Effect<boolean>
    /**
     * Files of a commit that is here already, by path; without those that are not there or larger. Asks no remote, and an
     * unknown repository or commit has no files.
     */
    readonly files: (request: FilesRequest) => Effect.Effect<ReadonlyMap<string, Uint8Array>>
    /** Every file of a commit that `gitDir` holds, as a path from the root. */
    readonly paths: (request: {
      readonly gitDir: string
      readonly commit: string
    }) => Effect.Effect<Iterable<string>, CodeHostError>
    /** Old path to new path between two commits of one `gitDir`; empty when `from` is not known there. */
    readonly renames: (request: RenamesRequest) => Effect.Effect<ReadonlyMap<string, string>, CodeHostError>
  }
>() {}
