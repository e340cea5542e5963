import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { AuditActor } from "../../schema/AuditLog.ts"
import { IssueId, type WorkspaceId } from "../../schema/Ids.ts"
import { IssueNumber, type RelationKind } from "../../schema/Issue.ts"
import { Count } from "../../schema/Text.ts"
import { hasRow, onlyRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { IssueColumnsRepo, type Sight } from "./IssueColumnsRepo.ts"

/** A relation from one issue to another. */
export interface Relation {
  readonly workspace_id: WorkspaceId
  readonly from_id: IssueId
  readonly kind: RelationKind
  readonly to_id: IssueId
}

const StoredEdge = Schema.Struct({ from_id: IssueId, to_id: IssueId })
const Numbered = Schema.Struct({ id: IssueId, number: IssueNumber })
const Counted = Schema.Struct({ count: Count })

/** Relations of issues. Those of issues that the caller may not see are among them: a circle through one is a circle. */
export class IssueRelationsRepo extends Effect.Service<IssueRelationsRepo>()("IssueRelationsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { unhidden } = yield* IssueColumnsRepo

    /**
     * Until the transaction ends no other one adds a relation of this kind in the workspace: two that are added at the same
     * time, each without seeing the other, could close a circle together.
     */
    const lockKind = ({ workspace_id, kind }: Pick<Relation, "workspace_id" | "kind">) =>
      run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`assay/issue-relations/${workspace_id}/${kind}`}, 0))`)

    const insert = (relation: Relation & { readonly actor: AuditActor; readonly at: string }) =>
      hasRow(sql`INSERT INTO issue_relations (workspace_id, from_id, kind, to_id, created_by, created_at)
          VALUES (${relation.workspace_id}, ${relation.from_id}, ${relation.kind}, ${relation.to_id},
            ${jsonb(relation.actor)}, ${relation.at})
          ON CONFLICT DO NOTHING RETURNING 1`)

    const exists = ({ workspace_id, from_id, kind, to_id }: Relation) =>
      hasRow(sql`SELECT 1 FROM issue_relations WHERE workspace_id = ${workspace_id}
          AND from_id = ${from_id} AND kind = ${kind} AND to_id = ${to_id}`)

    const remove = ({ workspace_id, from_id, kind, to_id }: Relation) =>
      hasRow(sql`DELETE FROM issue_relations WHERE workspace_id = ${workspace_id}
          AND from_id = ${from_id} AND kind = ${kind} AND to_id = ${to_id} RETURNING 1`)

    /** How many relations an issue has, in both directions. */
    const count = ({ workspace_id, id }: { readonly workspace_id: WorkspaceId; readonly id: IssueId }) =>
      Effect.map(
        onlyRow(
          Counted,
          sql`SELECT (SELECT count(*) FROM issue_relations WHERE workspace_id = ${workspace_id} AND from_id = ${id})
            + (SELECT count(*) FROM issue_relations WHERE workspace_id = ${workspace_id} AND to_id = ${id}) AS count`
        ),
        (row) => row.count
      )

    /** The issues that relations of this kind lead to from `from_id`, itself included; each once. */
    const reached = ({ workspace_id, kind, from_id }: Omit<Relation, "to_id">) => sql`reached AS (
        SELECT ${from_id}::uuid AS id
        UNION
        SELECT l.to_id FROM reached r JOIN issue_relations l
          ON l.from_id = r.id AND l.kind = ${kind} AND l.workspace_id = ${workspace_id}
      )`

    /** Whether relations of this kind lead from the first issue to the second. */
    const leads = (relation: Relation) =>
      hasRow(sql`WITH RECURSIVE ${reached(relation)} SELECT 1 FROM reached WHERE id = ${relation.to_id} LIMIT 1`)

    /** The relations of this kind that lead on from the issue, in any number of steps. */
    const edgesFrom = (relation: Omit<Relation, "to_id">) =>
      rows(
        StoredEdge,
        sql`WITH RECURSIVE ${reached(relation)}
          SELECT l.from_id, l.to_id FROM reached r JOIN issue_relations l
            ON l.from_id = r.id AND l.kind = ${relation.kind} AND l.workspace_id = ${relation.workspace_id}`
      )

    /** The numbers of those issues that the caller may see. */
    const numbersOf = (sight: Sight, ids: ReadonlyArray<IssueId>) =>
      Effect.map(
        rows(
          Numbered,
          sql`SELECT i.id, i.number FROM issues i
            WHERE i.workspace_id = ${sight.workspace_id} AND i.id = ANY(${[...ids]}::uuid[]) AND ${unhidden("i", sight)}`
        ),
        (found) => new Map(found.map(({ id, number }) => [id, number]))
      )

    return { lockKind, insert, exists, remove, count, leads, edgesFrom, numbersOf }
  })
}) {}
