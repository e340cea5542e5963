import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import {
  type IssueCriterionId,
  type IssueId,
  ObservationId,
  RepositoryId,
  UserId,
  type WorkspaceId
} from "../../schema/Ids.ts"
import { ObservationNumber } from "../../schema/Observation.ts"
import { firstRow, rows, run } from "../support/rows.ts"

interface Tenant {
  readonly workspace_id: WorkspaceId
}

export interface NewCriterion {
  readonly id: IssueCriterionId
  readonly position: number
  readonly text: string
  readonly repository_id: RepositoryId | null
}

export interface LinkedObservation {
  readonly observation_id: ObservationId
  readonly repository_id: RepositoryId
  /** The criterion that is met once the observation is fixed. */
  readonly criterion_id: IssueCriterionId | null
}

const MemberId = Schema.Struct({ user_id: UserId })
const Named = Schema.Struct({ id: RepositoryId, slug: Schema.String })
const Observed = Schema.Struct({ id: ObservationId, number: ObservationNumber, repository_id: RepositoryId })

/** What issues are made of, and what their requests name. */
export class IssueFilingRepo extends Effect.Service<IssueFilingRepo>()("IssueFilingRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const memberByEmail = ({ workspace_id, email }: Tenant & { readonly email: string }) =>
      Effect.map(
        firstRow(
          MemberId,
          sql`SELECT u.id AS user_id FROM users u JOIN memberships m ON m.user_id = u.id
            WHERE m.workspace_id = ${workspace_id} AND u.email = lower(${email})`
        ),
        Option.map(({ user_id }) => user_id)
      )

    /** Slugs of repositories, also of deleted ones. */
    const slugs = ({ workspace_id, ids }: Tenant & { readonly ids: ReadonlyArray<RepositoryId> }) =>
      Effect.map(
        rows(
          Named,
          sql`SELECT id, github_org || '/' || repo_name AS slug FROM repositories
            WHERE workspace_id = ${workspace_id} AND id = ANY (${[...ids]}::uuid[])`
        ),
        (found) => new Map(found.map(({ id, slug }) => [id, slug]))
      )

    const observations = ({ workspace_id, numbers }: Tenant & { readonly numbers: ReadonlyArray<ObservationNumber> }) =>
      rows(
        Observed,
        sql`SELECT id, number, repository_id FROM observations
          WHERE workspace_id = ${workspace_id} AND number = ANY (${[...numbers]}::bigint[]) ORDER BY number`
      )

    const addCriteria = (
      { workspace_id, issue_id }: Tenant & { readonly issue_id: IssueId },
      criteria: ReadonlyArray<NewCriterion>
    ) =>
      run(sql`INSERT INTO issue_criteria (id, workspace_id, issue_id, repository_id, position, text)
          SELECT c.id, ${workspace_id}::uuid, ${issue_id}::uuid, c.repository_id, c.position, c.text
          FROM unnest(${criteria.map(({ id }) => id)}::uuid[],
            ${criteria.map(({ repository_id }) => repository_id)}::uuid[],
            ${criteria.map(({ position }) => position)}::int[],
            ${criteria.map(({ text }) => text)}::text[]) AS c (id, repository_id, position, text)`)

    const link = (
      { workspace_id, issue_id, at }: Tenant & { readonly issue_id: IssueId; readonly at: string },
      linked: ReadonlyArray<LinkedObservation>
    ) =>
      run(sql`INSERT INTO issue_observations (issue_id, observation_id, workspace_id, repository_id, criterion_id, added_at)
          SELECT ${issue_id}::uuid, o.id, ${workspace_id}::uuid, o.repository_id, o.criterion_id, ${at}::timestamptz
          FROM unnest(${linked.map(({ observation_id }) => observation_id)}::uuid[],
            ${linked.map(({ repository_id }) => repository_id)}::uuid[],
            ${linked.map(({ criterion_id }) => criterion_id)}::uuid[]) AS o (id, repository_id, criterion_id)
          ON CONFLICT DO NOTHING`)

    return { memberByEmail, slugs, observations, addCriteria, link }
  })
}) {}
