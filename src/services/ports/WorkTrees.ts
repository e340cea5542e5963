import { Context, type Effect, type Scope } from "effect"
import type { CodeHostError } from "./Remote.ts"

/** A file that is to be in a commit; null removes it. */
export interface TreeFile {
  /** From the root, with "/". */
  readonly path: string
  readonly content: Uint8Array | null
}

/** How a file differs between two trees. Modes are those of git: `100644`, `100755`, `120000` for a symbolic link. */
export interface TreeChange {
  readonly path: string
  /** Null for a file that was added. */
  readonly old_mode: string | null
  /** Null for a file that was deleted. */
  readonly new_mode: string | null
  /** Added and removed lines; 0 for a binary file. */
  readonly lines: number
  readonly isBinary: boolean
  /** What the file held before; null for one that was added, is no file, or is too large for a fix. */
  readonly previous: Uint8Array | null
  /** What the file holds now; null for one that was deleted, is no file, or is too large for a fix. */
  readonly content: Uint8Array | null
}

export interface CommitRequest {
  readonly parent: string
  readonly files: ReadonlyArray<TreeFile>
  readonly message: string
  /** ISO 8601; the same request makes the same commit. */
  readonly at: string
}

/** A tree to be changed: a repository of its own over the objects of a mirror, and folders with its files where needed. */
export interface WorkTree {
  readonly gitDir: string
  readonly commit: (request: CommitRequest) => Effect.Effect<string, CodeHostError>
  /** A folder with the regular files of a commit: no links, no submodules, no filters, bytes as they are stored. */
  readonly checkout: (commit: string) => Effect.Effect<string, CodeHostError>
  /** How the files of a folder differ from the commit that was checked out there. Ignored files do not count. */
  readonly changesIn: (folder: string, commit: string) => Effect.Effect<ReadonlyArray<TreeChange>, CodeHostError>
  /** The same as a unified diff; empty where it is too large to read. */
  readonly diffIn: (folder: string, commit: string) => Effect.Effect<string, CodeHostError>
  /** Whether a process that worked in a checkout has left all around it as it was. */
  readonly isIntact: Effect.Effect<boolean>
  readonly changes: (from: string, to: string) => Effect.Effect<ReadonlyArray<TreeChange>, CodeHostError>
  /** Unified diff between two commits. */
  readonly diff: (from: string, to: string) => Effect.Effect<string, CodeHostError>
}

/** Isolated trees on this machine. */
export class WorkTrees extends Context.Tag("WorkTrees")<
  WorkTrees,
  {
    /** Everything of the tree is removed with the scope; what a killed process left is removed at the next start. */
    readonly open: (mirror: string) => Effect.Effect<WorkTree, CodeHostError, Scope.Scope>
  }
>() {}
