import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { IssueId } from "../../src/schema/Ids.ts"
import { IssueNumber } from "../../src/schema/Issue.ts"
import { newId } from "../../src/services/support/ids.ts"
import { now } from "../../src/services/support/now.ts"
import { jsonb } from "../../src/services/support/statements.ts"
import type { Person } from "./builders.ts"

const filer = { kind: "system", user_id: null, api_key: null, label: "a test" }

/** Puts open issues into a project, in one statement; their numbers in order. */
export const issuesIn = (person: Person, project: string, count: number, repositoryIds: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { workspace_id } = person
    const ids = yield* Effect.replicateEffect(newId(IssueId), count)
    const at = yield* now
    const rows = yield* sql<{ readonly number: IssueNumber }>`
      WITH numbered AS (
        UPDATE workspaces SET next_issue = next_issue + ${count} WHERE id = ${workspace_id}
        RETURNING next_issue - ${count} AS first
      )
      INSERT INTO issues (id, workspace_id, number, project_id, repository_ids, title, body_md, priority, created_by,
        updated_by, created_at, updated_at)
      SELECT i.id, ${workspace_id}, n.first + i.position - 1,
        (SELECT p.id FROM projects p WHERE p.workspace_id = ${workspace_id} AND p.slug = ${project}),
        ${[...repositoryIds]}::uuid[], 'Sign the session cookie', '', 'P2', ${jsonb(filer)}, ${jsonb(filer)}, ${at}, ${at}
      FROM numbered n, unnest(${ids}::uuid[]) WITH ORDINALITY AS i (id, position)
      RETURNING number`
    return rows.map(({ number }) => IssueNumber.make(number)).sort((a, b) => a - b)
  }).pipe(Effect.orDie)
