import { Context, Effect } from "effect"

/** What one check of the installation found, in words that name no path, no address and no secret. */
export interface InstallationCheck {
  readonly name: string
  readonly status: "ok" | "warn" | "fail"
  readonly detail: string
}

/** The checks of the process that serves the API; none where nothing makes any. */
export class InstallationChecks extends Context.Reference<InstallationChecks>()("InstallationChecks", {
  defaultValue: (): Effect.Effect<ReadonlyArray<InstallationCheck>> => Effect.succeed([])
}) {}
