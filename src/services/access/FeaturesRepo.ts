import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { type Feature, Plan } from "../../schema/Feature.ts"
import type { WorkspaceId } from "../../schema/Ids.ts"
import { onlyRow, run } from "../support/rows.ts"

const Subscription = Schema.Struct({ plan: Plan, features: Schema.Array(Schema.String) })

/** The plan of a workspace, and the features that are switched on for it. */
export class FeaturesRepo extends Effect.Service<FeaturesRepo>()("FeaturesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const subscription = (workspace_id: WorkspaceId) =>
      onlyRow(Subscription, sql`SELECT plan, features FROM workspaces WHERE id = ${workspace_id}`)

    const set = ({
      workspace_id,
      feature,
      on
    }: {
      readonly workspace_id: WorkspaceId
      readonly feature: Feature
      readonly on: boolean
    }) =>
      run(sql`UPDATE workspaces SET features = array_remove(features, ${feature})
              || CASE WHEN ${on} THEN ARRAY[${feature}] ELSE '{}' END
            WHERE id = ${workspace_id}`)

    return { subscription, set }
  })
}) {}
