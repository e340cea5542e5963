import type { SqlClient, Statement } from "@effect/sql"

interface PersonColumns {
  /** Expression of the person's ID. */
  readonly user: string
  /** Expression of the workspace's ID. */
  readonly workspace: string
  /** Expression of the person's role in the workspace; NULL once they have left it. */
  readonly role: string
}

/**
 * Column `hidden_repositories`: IDs of the restricted repositories that a person may not see. Owners and admins see all,
 * others those in a project where, or above which, they have a role.
 */
export const hiddenRepositories = (
  sql: SqlClient.SqlClient,
  { user, workspace, role }: PersonColumns
): Statement.Fragment =>
  sql.literal(`CASE WHEN ${role} IN ('owner', 'admin') THEN '{}'::uuid[]
    ELSE hidden_repositories(${user}, ${workspace}) END AS hidden_repositories`)
