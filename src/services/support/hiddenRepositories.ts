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
  sql.literal(`CASE WHEN ${role} IN ('owner', 'admin') THEN '{}'::uuid[] ELSE ARRAY(
    SELECT restricted.id FROM repositories restricted
    WHERE restricted.workspace_id = ${workspace} AND restricted.visibility = 'restricted' AND NOT EXISTS (
      SELECT 1 FROM project_repositories held
      JOIN projects level ON level.id = held.project_id
      LEFT JOIN projects above ON above.id = level.parent_id
      LEFT JOIN projects top ON top.id = above.parent_id
      JOIN project_roles granted ON granted.project_id IN (level.id, above.id, top.id)
      WHERE held.repository_id = restricted.id AND granted.user_id = ${user}
        AND granted.workspace_id = ${workspace})
    ORDER BY restricted.id) END AS hidden_repositories`)
