import { Context, type Effect } from "effect"
import type { RepositoryId } from "../../schema/Ids.ts"

/** A repository's mirror and caches on this machine. */
export interface KeptFiles {
  readonly repositoryId: RepositoryId
  readonly bytes: number
  /** When a job last used them, in milliseconds since 1970. */
  readonly usedAt: number
}

/** What this machine keeps of repositories to save time. Each of it comes back when it is needed. */
export class RepositoryFiles extends Context.Tag("RepositoryFiles")<
  RepositoryFiles,
  {
    readonly kept: Effect.Effect<ReadonlyArray<KeptFiles>>
    /**
     * Removes the files of a repository, and gives whether it did: not while something fetches it, nor where `isBusy` says
     * so. No fetch begins between that question and the removal.
     */
    readonly remove: (repositoryId: RepositoryId, isBusy: Effect.Effect<boolean>) => Effect.Effect<boolean>
  }
>() {}
