import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { ObservationId, RepositoryId, type WorkspaceId } from "../../schema/Ids.ts"
import { IssueNumber } from "../../schema/Issue.ts"
import { LocatedObservation, observationColumns } from "../observations/observationColumns.ts"
import { rows } from "../support/rows.ts"
import { IssueColumnsRepo, type Sight } from "./IssueColumnsRepo.ts"

const Source = Schema.Struct({
  ...LocatedObservation.fields,
  id: ObservationId,
  repository_id: RepositoryId,
  restricted: Schema.Boolean
})

const OpenIssue = Schema.Struct({ observation_id: ObservationId, number: IssueNumber })

export class IssuesFromFindingsRepo extends Effect.Service<IssuesFromFindingsRepo>()("IssuesFromFindingsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { unhidden } = yield* IssueColumnsRepo

    /** What is known of observations. */
    const sources = (request: { readonly workspace_id: WorkspaceId; readonly ids: ReadonlyArray<ObservationId> }) =>
      rows(
        Source,
        sql`SELECT ${sql.literal(observationColumns)}, o.locations, o.repository_id, r.visibility = 'restricted' AS restricted
          FROM observations o JOIN repositories r ON r.id = o.repository_id
          WHERE o.workspace_id = ${request.workspace_id} AND o.id = ANY(${[...request.ids]}::uuid[])`
      )

    /** Of each observation that has any, its oldest open issue that the caller may see. */
    const openIssues = (sight: Sight, ids: ReadonlyArray<ObservationId>) =>
      rows(
        OpenIssue,
        sql`SELECT DISTINCT ON (l.observation_id) l.observation_id, i.number
          FROM issue_observations l JOIN issues i ON i.id = l.issue_id
          WHERE l.workspace_id = ${sight.workspace_id} AND l.observation_id = ANY(${[...ids]}::uuid[])
            AND i.closed_at IS NULL AND ${unhidden("i", sight)}
          ORDER BY l.observation_id, i.number`
      )

    return { sources, openIssues }
  })
}) {}
