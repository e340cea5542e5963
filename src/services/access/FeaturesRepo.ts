import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

interface WorkspaceFeature {
  readonly workspace_id: string
  readonly feature: string
}

/** The features that are switched on for a workspace. */
export class FeaturesRepo extends Effect.Service<FeaturesRepo>()("FeaturesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const isOn = ({ workspace_id, feature }: WorkspaceFeature) =>
      Effect.map(
        Effect.orDie(
          sql<{ readonly on: boolean }>`SELECT ${feature} = ANY (features) AS on FROM workspaces
            WHERE id = ${workspace_id}`
        ),
        (rows) => rows[0]?.on === true
      )

    const set = ({ workspace_id, feature, on }: WorkspaceFeature & { readonly on: boolean }) =>
      Effect.asVoid(
        Effect.orDie(
          sql`UPDATE workspaces SET features = array_remove(features, ${feature})
              || CASE WHEN ${on} THEN ARRAY[${feature}] ELSE '{}' END
            WHERE id = ${workspace_id}`
        )
      )

    return { isOn, set }
  })
}) {}
