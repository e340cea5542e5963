import { Effect } from "effect"
import type { WorkspaceId } from "../../schema/Ids.ts"
import { SettingsRepo } from "./SettingsRepo.ts"

/** What a workspace decides about its fixes. Needs no caller: workers have none. */
export class FixSettings extends Effect.Service<FixSettings>()("FixSettings", {
  effect: Effect.gen(function* () {
    const repo = yield* SettingsRepo

    const runnerOf = Effect.fn("FixSettings.runnerOf")((workspace_id: WorkspaceId) =>
      Effect.map(repo.ofWorkspace(workspace_id), ({ fix_runner }) => fix_runner)
    )

    return { runnerOf }
  })
}) {}
