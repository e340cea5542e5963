import { Context, Effect } from "effect"

/**
 * Folders in which one audit or discovery of a repository leaves what the next need not find out again. They are this machine's own
 * and may vanish at any time. Without one plugged in, each of them looks at everything.
 */
export class AuditCache extends Context.Reference<AuditCache>()("AuditCache", {
  defaultValue: (): {
    readonly folderOf: (repositoryId: string) => string | null
    readonly remove: (repositoryId: string) => Effect.Effect<void>
  } => ({ folderOf: () => null, remove: () => Effect.void })
}) {}
