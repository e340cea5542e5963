import { DateTime, Effect } from "effect"

/** The clock's time as it is stored and sent: ISO 8601 UTC with milliseconds. */
export const now = Effect.map(DateTime.now, DateTime.formatIso)
