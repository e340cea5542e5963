import type { ChangeHistory } from "../tool/ChangeHistory.ts"

/**
 * The files of a repository as the audit reads them. Plain asynchronous functions: this runs in the scanning
 * child process.
 */
export interface TreeEntry {
  /** POSIX. Bytes that are not UTF-8 are escaped reversibly (see `gitPath.ts`). */
  readonly path: string
  readonly escaped: boolean
  readonly blob: string
  readonly size: number
  readonly mode: string
}

export type SkipReason =
  | "symlink"
  | "submodule"
  | "missing"
  | "too_large"
  | "special_file"
  | "unreadable"
  | "unsafe_name"

export interface SkippedEntry {
  readonly path: string
  readonly reason: SkipReason
}

export interface TreeContent {
  readonly entry: TreeEntry
  readonly bytes: Uint8Array
}

/** What single commits changed, as git printed it for an earlier scan, and for the next one. */
export interface CommitStore {
  /** Null where nothing is kept of this commit. */
  readonly changes: (commit: string) => Uint8Array | null
  readonly keep: (commit: string, changes: Uint8Array) => void
}

export interface TreeSource {
  /** Reading a file twice gives the same bytes. Otherwise a file may be edited while it is scanned. */
  readonly isImmutable: boolean
  list(): Promise<ReadonlyArray<TreeEntry>>
  /** What `list` leaves out, and why. */
  skipped(): Promise<ReadonlyArray<SkippedEntry>>
  /** In the order asked for; what has vanished since `list` is left out. */
  read(entries: Iterable<TreeEntry>): AsyncIterable<TreeContent>
  /**
   * What the newest commits changed; null where that is not known. `storeFor` gives a store for what was printed under the
   * same conditions, which the key stands for.
   */
  history?(storeFor?: (key: string) => CommitStore): Promise<ChangeHistory | null>
  close(): Promise<void>
}

export interface SourceLimits {
  /** Larger files are listed as skipped. */
  readonly maxFileBytes: number
  /** More files than this are rejected: a small repository can describe billions. */
  readonly maxFiles: number
}

export const defaultSourceLimits: SourceLimits = { maxFileBytes: 64 * 1024 * 1024, maxFiles: 1_000_000 }

export type SourceReason =
  | "not_found"
  | "not_a_repository"
  | "bare_repository"
  | "unknown_commit"
  | "too_many_files"
  | "git_failed"

/** The message is for a person. */
export class SourceError extends Error {
  readonly reason: SourceReason
  constructor(reason: SourceReason, message: string) {
    super(message)
    this.name = "SourceError"
    this.reason = reason
  }
}

export interface Listing {
  readonly entries: Array<TreeEntry>
  readonly skipped: Array<SkippedEntry>
}
