import { Context, Effect } from "effect"

export interface FoundGitFolders {
  /** Absolute paths, those nearest to a root first. */
  readonly paths: ReadonlyArray<string>
  readonly truncated: boolean
}

/** The git folders that this server may read; none where no folder is allowed. */
export class LocalGitFolders extends Context.Reference<LocalGitFolders>()("LocalGitFolders", {
  defaultValue: (): Effect.Effect<FoundGitFolders> => Effect.succeed({ paths: [], truncated: false })
}) {}
