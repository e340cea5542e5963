import { Context, type Effect } from "effect"
import type { ComparedTexts, Comparison } from "./Comparison.ts"
import type { PullRequests } from "./PullRequest.ts"
import type { CodeHostError, Remote } from "./Remote.ts"

export { CodeHostError, CodeHostReason, type Remote, type RemoteAccess } from "./Remote.ts"

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
  PullRequests & {
    readonly inspect: (remote: Remote) => Effect.Effect<RemoteHeads, CodeHostError>
    /** Afterwards `gitDir` holds the whole history of the branch, and reading it needs no network. */
    readonly fetch: (request: FetchRequest) => Effect.Effect<Fetched, CodeHostError>
    /** The branch and something beside it, in one `gitDir`. */
    readonly fetchRevision: (
      request: FetchRequest & { readonly revision: Revision }
    ) => Effect.Effect<FetchedRevision, CodeHostError>
    /** What `head` changed since it left `base`. */
    readonly compare: (request: CompareRequest) => Effect.Effect<Comparison, CodeHostError>
    /** The lines that lie between two commits of one `gitDir`; of more than 16 MB of them none, as `diff_too_large`. */
    readonly compareTexts: (request: RenamesRequest) => Effect.Effect<ComparedTexts, CodeHostError>
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
