import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { ProjectId, WorkspaceId } from "../../schema/Ids.ts"

/** What a caller sees of the issues: those of hidden levels are not among them. */
export interface Sight {
  readonly workspace_id: WorkspaceId
  readonly hidden_levels: ReadonlyArray<ProjectId>
}

/** Fragments of statements that the repos of issues share; the issue is `i` and its level `p`. */
export class IssueColumnsRepo extends Effect.Service<IssueColumnsRepo>()("IssueColumnsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const utc = (column: string) =>
      sql.literal(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

    /** Whether the issue's level is seen; row-level security hides issues whose repositories are all hidden. */
    const unhidden = (alias: string, { hidden_levels }: Sight) =>
      hidden_levels.length === 0
        ? sql`true`
        : sql`${sql.literal(alias)}.project_id <> ALL (${[...hidden_levels]}::uuid[])`

    /**
     * Whether the claim of the issue `i` is in force. The database's clock says so for all processes: theirs may differ, and
     * may be moved.
     */
    const claimed = sql.literal("coalesce(i.lease_expires_at > now(), false)")

    /** The end of a lease takes an issue back to open that no one but the claim has moved. */
    const status = sql`CASE WHEN i.moved_by_claim AND NOT ${claimed} THEN 'open' ELSE i.status END`

    const summaryColumns = (sight: Sight) => sql`
      'ISS-' || i.number AS ref, i.title, ${status} AS status, i.priority, i.labels, p.slug AS project,
      ARRAY(SELECT r.github_org || '/' || r.repo_name FROM repositories r
        WHERE r.id = ANY (i.repository_ids) AND r.deleted_at IS NULL ORDER BY 1) AS repos,
      CASE
        WHEN i.assignee_user_id IS NOT NULL THEN jsonb_build_object('kind', 'user', 'user_id', i.assignee_user_id,
          'email', (SELECT u.email FROM users u WHERE u.id = i.assignee_user_id), 'api_key', NULL)
        WHEN i.assignee_key_id IS NOT NULL THEN (SELECT jsonb_build_object('kind', 'api_key', 'user_id', NULL,
            'email', NULL, 'api_key', jsonb_build_object('name', k.name, 'prefix', k.prefix))
          FROM api_keys k WHERE k.id = i.assignee_key_id)
      END AS assignee,
      CASE WHEN ${claimed} THEN jsonb_build_object('holder', i.claim_holder, 'fence', i.fence,
        'claimed_at', ${utc("i.claimed_at")}, 'lease_expires_at', ${utc("i.lease_expires_at")}) END AS claim,
      ARRAY(SELECT 'ISS-' || b.number FROM issue_relations l JOIN issues b ON b.id = l.from_id
        WHERE l.to_id = i.id AND l.kind = 'blocks' AND b.closed_at IS NULL AND b.workspace_id = ${sight.workspace_id}
          AND ${unhidden("b", sight)}
        ORDER BY b.number) AS blocked_by,
      coalesce((SELECT jsonb_agg(jsonb_build_object('id', c.id, 'text', c.text, 'met', c.met_at IS NOT NULL,
            'met_by', c.met_by, 'met_at', ${utc("c.met_at")}) ORDER BY c.position)
          FROM issue_criteria c WHERE c.issue_id = i.id), '[]') AS acceptance_criteria,
      coalesce((SELECT jsonb_agg(jsonb_build_object('kind', l.kind, 'ref', 'ISS-' || o.number,
            'direction', CASE WHEN l.from_id = i.id THEN 'out' ELSE 'in' END) ORDER BY o.number, l.kind)
          FROM (SELECT kind, from_id, to_id AS other_id FROM issue_relations WHERE from_id = i.id
            UNION ALL SELECT kind, from_id, from_id FROM issue_relations WHERE to_id = i.id) l
          JOIN issues o ON o.id = l.other_id WHERE o.workspace_id = ${sight.workspace_id} AND ${unhidden("o", sight)}), '[]') AS relations,
      ARRAY(SELECT 'OBS-' || o.number FROM issue_observations l JOIN observations o ON o.id = l.observation_id
        WHERE l.issue_id = i.id ORDER BY o.number) AS observations,
      coalesce((SELECT jsonb_agg(jsonb_build_object('url', q.url, 'state', q.state) ORDER BY q.added_at, q.id)
          FROM issue_pull_requests q WHERE q.issue_id = i.id), '[]') AS pull_requests,
      i.created_by, i.updated_by, i.created_at, i.updated_at, i.closed_at, i.close_reason, i.version,
      i.id || ':' || i.version AS etag`

    return { utc, unhidden, claimed, status, summaryColumns }
  })
}) {}
