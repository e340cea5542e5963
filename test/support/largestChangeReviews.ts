import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { maxChangeBranches, maxCriteria } from "../../src/schema/ChangeReview.ts"
import { jsonb } from "../../src/services/support/statements.ts"
import type { World } from "./samples.ts"

interface Longest {
  readonly rows: number
  readonly path: string
  readonly longText: (length: number) => string
}

/** Gives change reviews as many branches and criteria as they may have, with the longest texts, and the list many of them. */
export const withLargestChangeReviews = ({ owner, change_review }: World, { rows, path, longText }: Longest) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const workspace = owner.workspace_id
    const commit = "c".repeat(40)
    const evidence = Array.from({ length: 20 }, () => ({
      repository: "acme/api@main",
      commit,
      file_path: path,
      line_start: 1,
      line_end: 9
    }))
    yield* sql`
      INSERT INTO change_reviews (id, workspace_id, name, title, repository_ids, created_by, created_at, updated_at)
      SELECT gen_random_uuid(), workspace_id, 'BIG-' || 100 + n, '', repository_ids, created_by, created_at, updated_at
      FROM change_reviews CROSS JOIN generate_series(1, ${rows}) n
      WHERE workspace_id = ${workspace} AND name = ${change_review}`
    yield* sql`UPDATE change_reviews SET title = ${longText(200)} WHERE workspace_id = ${workspace}`
    yield* sql`
      INSERT INTO change_review_branches (id, workspace_id, change_review_id, repository_id, position, branch, base_sha,
        head_sha, latest_sha, problem)
      SELECT gen_random_uuid(), c.workspace_id, c.id, r.id, 1000 + n, n || ${longText(250)}, ${commit}, ${commit},
        ${commit}, ${longText(2000)}
      FROM change_reviews c JOIN repositories r ON r.id = c.repository_ids[1]
        CROSS JOIN generate_series(2, ${maxChangeBranches}) n
      WHERE c.workspace_id = ${workspace}`
    yield* sql`
      INSERT INTO change_review_criteria (id, workspace_id, change_review_id, position, text, verdict, reason, evidence)
      SELECT gen_random_uuid(), workspace_id, id, 1000 + n, ${longText(1000)}, 'not_met', ${longText(2000)},
        CASE WHEN name = ${change_review} THEN ${jsonb(evidence)} ELSE '[]' END
      FROM change_reviews CROSS JOIN generate_series(2, ${maxCriteria}) n WHERE workspace_id = ${workspace}`
  }).pipe(Effect.orDie)
