import { Data } from "effect"

/** Why a backup or a restore was given up; nothing has changed then. */
export class BackupError extends Data.TaggedError("BackupError")<{ readonly message: string }> {}

/** An error for a person, whatever a stream or the database threw. */
export const asBackupError = (doing: string) => (cause: unknown) =>
  cause instanceof BackupError
    ? cause
    : new BackupError({ message: `${doing}: ${cause instanceof Error ? cause.message : String(cause)}` })
