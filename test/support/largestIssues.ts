import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { issueLimits } from "../../src/schema/IssueRequests.ts"
import { jsonb } from "../../src/services/support/statements.ts"
import type { World } from "./samples.ts"

interface Longest {
  readonly rows: number
  readonly longText: (length: number) => string
}

const actor = { kind: "api_key", user_id: null, api_key: { name: "ci", prefix: "asy_12345678" }, label: "ci" }

/** Gives the issues of a world the longest texts that are legal, as many parts as they may have, and a long history. */
export const withLargestIssues = ({ owner }: World, { rows, longText }: Longest) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const workspace = owner.workspace_id
    const title = longText(issueLimits.title)
    const labels = Array.from({ length: issueLimits.labels }, (_, n) => `${n}${"l".repeat(issueLimits.label - 2)}`)
    yield* sql`
      INSERT INTO issues (id, workspace_id, number, project_id, title, body_md, priority, created_by, updated_by,
        created_at, updated_at)
      SELECT gen_random_uuid(), workspace_id, 100 + n, project_id, title, '', priority, created_by, updated_by,
        created_at, updated_at
      FROM issues CROSS JOIN generate_series(1, ${rows}) n WHERE workspace_id = ${workspace} AND number = 1`
    yield* sql`UPDATE workspaces SET next_issue = 1000 WHERE id = ${workspace}`
    yield* sql`
      UPDATE issues SET title = ${title}, labels = ${labels}::text[], repository_ids = ARRAY(
          SELECT id FROM repositories WHERE workspace_id = ${workspace} ORDER BY id LIMIT ${issueLimits.repos}),
        body_md = CASE WHEN number < 100 THEN ${longText(60_000)} ELSE '' END
      WHERE workspace_id = ${workspace}`
    yield* sql`
      INSERT INTO issue_criteria (id, workspace_id, issue_id, position, text)
      SELECT gen_random_uuid(), workspace_id, id, 1000 + n, ${longText(issueLimits.criterion)}
      FROM issues CROSS JOIN generate_series(1, ${issueLimits.criteria - 1}) n WHERE workspace_id = ${workspace}`
    yield* sql`
      INSERT INTO issue_relations (workspace_id, from_id, kind, to_id, created_by, created_at)
      SELECT i.workspace_id, o.id, 'blocks', i.id, ${jsonb(actor)}, i.created_at
      FROM issues i JOIN issues o ON o.workspace_id = i.workspace_id AND o.number BETWEEN 101 AND 190
      WHERE i.workspace_id = ${workspace} AND i.number < 100`
    yield* sql`
      INSERT INTO issue_observations (issue_id, observation_id, workspace_id, repository_id, added_at)
      SELECT i.id, o.id, i.workspace_id, o.repository_id, i.created_at
      FROM issues i JOIN observations o ON o.workspace_id = i.workspace_id AND o.number <= ${issueLimits.observations}
      WHERE i.workspace_id = ${workspace}`
    yield* sql`
      INSERT INTO issue_pull_requests (id, workspace_id, issue_id, url, added_by, added_at)
      SELECT gen_random_uuid(), workspace_id, id, 'https://example.org/' || n || ${"p".repeat(1900)}, ${jsonb(actor)}, created_at
      FROM issues CROSS JOIN generate_series(1, 20) n WHERE workspace_id = ${workspace} AND number < 100`
    yield* sql`
      INSERT INTO issue_events (id, workspace_id, issue_id, event, actor, at, detail)
      SELECT gen_random_uuid(), workspace_id, id, 'noted', ${jsonb(actor)}, created_at, ${jsonb({ note: longText(15_000) })}
      FROM issues CROSS JOIN generate_series(1, 60) n WHERE workspace_id = ${workspace} AND number < 5`
  }).pipe(Effect.orDie)

/** One of those that block others. */
const unblocked = "ISS-101"

/** The calls of the tools with the largest answers. */
export const largestIssueCalls = (
  { issues, project }: World,
  { longText }: Pick<Longest, "longText">
): Readonly<Record<string, Record<string, unknown>>> => ({
  list_issues: { limit: 200 },
  // Of those that no issue is about.
  file_issues_from_findings: {
    project,
    refs: Array.from({ length: issueLimits.findings }, (_, n) => `OBS-${issueLimits.observations + 1 + n}`)
  },
  list_issue_events: { ref: issues.read, limit: 200 },
  file_issue: {
    project,
    title: longText(issueLimits.title),
    body_md: longText(60_000),
    acceptance_criteria: Array.from({ length: issueLimits.criteria }, () => longText(issueLimits.criterion))
  },
  update_issue_fields: { ref: issues.update, expected_etag: issues.etag, body_md: longText(60_000) },
  close_issue: { ref: issues.close, reason: "completed", note: longText(15_000) },
  note_issue: { ref: issues.read, body_md: longText(15_000) },
  claim_issue: { ref: unblocked, agent_label: longText(issueLimits.agent_label) },
  renew_claim: { ref: unblocked, fence: 1 },
  release_issue: { ref: unblocked, fence: 1 },
  add_acceptance_criterion: { ref: issues.read, text: longText(issueLimits.criterion) },
  set_acceptance_criterion_met: {
    ref: issues.claim,
    criterion_id: issues.criterion,
    met: true,
    note: longText(15_000)
  },
  attach_pr: { ref: issues.read, url: `https://example.org/${"p".repeat(1900)}` }
})
