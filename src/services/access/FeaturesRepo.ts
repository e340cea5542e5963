import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { WorkspaceId } from "../../schema/Ids.ts"
import { onlyRow, run } from "../support/rows.ts"

interface WorkspaceFeature {
  readonly workspace_id: WorkspaceId
  readonly feature: string
}

const FeatureState = Schema.Struct({ on: Schema.Boolean })

/** The features that are switched on for a workspace. */
export class FeaturesRepo extends Effect.Service<FeaturesRepo>()("FeaturesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const isOn = ({ workspace_id, feature }: WorkspaceFeature) =>
      Effect.map(
        onlyRow(
          FeatureState,
          sql`SELECT ${feature} = ANY (features) AS on FROM workspaces
            WHERE id = ${workspace_id}`
        ),
        (row) => row.on
      )

    const set = ({ workspace_id, feature, on }: WorkspaceFeature & { readonly on: boolean }) =>
      run(sql`UPDATE workspaces SET features = array_remove(features, ${feature})
              || CASE WHEN ${on} THEN ARRAY[${feature}] ELSE '{}' END
            WHERE id = ${workspace_id}`)

    return { isOn, set }
  })
}) {}
