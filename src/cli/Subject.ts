import type { Effect } from "effect"
import type { SourceRequest } from "../engine/index.ts"

/** What is audited. */
export interface Subject {
  readonly source: SourceRequest
  /** Asked of git beside the audit, which does not need it. */
  readonly commit: Effect.Effect<string | null>
  /** Where the repository lies on this machine; null where it will not be for the next audit. */
  readonly home: string | null
  /** Folder of the repository, with a slash at its end, to which the result is limited; empty for all of it. */
  readonly scope: string
}
