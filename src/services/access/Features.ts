import { Effect } from "effect"
import type { WorkspaceId } from "../../schema/Ids.ts"
import { suggestionsFeature } from "../../schema/Setting.ts"
import { FeaturesRepo } from "./FeaturesRepo.ts"

/** Features of a workspace that the product itself reads and switches; the operator may switch any. */
export class Features extends Effect.Service<Features>()("Features", {
  effect: Effect.map(FeaturesRepo, (repo) => ({
    /** Whether audits of the workspace record suggestions, and lists show them. */
    suggestionsAreOn: (workspace_id: WorkspaceId) => repo.isOn({ workspace_id, feature: suggestionsFeature }),
    setSuggestions: (workspace_id: WorkspaceId, on: boolean) =>
      repo.set({ workspace_id, feature: suggestionsFeature, on })
  }))
}) {}
