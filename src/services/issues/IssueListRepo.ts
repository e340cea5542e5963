import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { IssueId, type KeyId, ProjectId, type RepositoryId, type UserId } from "../../schema/Ids.ts"
import { type IssueStatus, IssueSummary } from "../../schema/Issue.ts"
import type { Priority } from "../../schema/Observation.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { rows } from "../support/rows.ts"
import { IssueColumnsRepo, type Sight } from "./IssueColumnsRepo.ts"

/** What to list: all that is given must match. */
export interface IssueSelection {
  readonly status?: ReadonlyArray<IssueStatus>
  /** A level and those below it. */
  readonly project_ids?: ReadonlyArray<ProjectId>
  readonly repository_id?: RepositoryId
  /** `null` selects what is assigned to no one. */
  readonly assignee?: { readonly user_id: UserId } | { readonly key_id: KeyId } | null
  readonly labels?: ReadonlyArray<string>
  readonly priority?: ReadonlyArray<Priority>
  readonly q?: string
  readonly ready?: boolean
}

interface ListRequest extends IssueSelection {
  readonly after: Position | null
  readonly limit: number
}

const Chosen = Schema.Struct({ id: IssueId })
const LevelId = Schema.Struct({ id: ProjectId })

const orders = {
  newest: keyset("DESC", { "i.number": "int" }),
  // What can be worked on: the most urgent first, the oldest of them first.
  ready: keyset("ASC", { "i.priority": "text", "i.number": "int" })
}

export class IssueListRepo extends Effect.Service<IssueListRepo>()("IssueListRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { claimed, summaryColumns, unhidden } = yield* IssueColumnsRepo

    /** A claim that moved an issue has ended: it is open, whatever the row says. */
    const lapsed = sql`(i.moved_by_claim AND NOT ${claimed})`

    // Conditions on columns, not on the status that follows from them: the planner knows how many rows a column selects, and
    // with that whether to read the list in its order.
    const hasStatus = (statuses: ReadonlyArray<IssueStatus>) => {
      const stored = sql`i.status = ANY (${[...statuses]}::text[])`
      const [open, inProgress] = [statuses.includes("open"), statuses.includes("in_progress")]
      if (open === inProgress) return stored
      return open ? sql`(${stored} OR ${lapsed})` : sql`${stored} AND NOT ${lapsed}`
    }

    const isReady = (sight: Sight) => sql`i.status IN ('open', 'in_progress') AND (i.status = 'open' OR ${lapsed})
      AND NOT ${claimed} AND NOT EXISTS (
        SELECT 1 FROM issue_relations l JOIN issues b ON b.id = l.from_id
        WHERE l.to_id = i.id AND l.kind = 'blocks' AND b.closed_at IS NULL AND b.workspace_id = ${sight.workspace_id}
          AND ${unhidden("b", sight)})`

    const isAssigned = (assignee: NonNullable<IssueSelection["assignee"]> | null) =>
      assignee === null
        ? sql`i.assignee_user_id IS NULL AND i.assignee_key_id IS NULL`
        : "key_id" in assignee
          ? sql`i.assignee_key_id = ${assignee.key_id}`
          : sql`i.assignee_user_id = ${assignee.user_id}`

    const conditionsOf = (sight: Sight, selection: IssueSelection) => [
      ...when(selection.status, hasStatus),
      ...when(selection.project_ids, (ids) => sql`i.project_id = ANY (${[...ids]}::uuid[])`),
      ...when(selection.repository_id, (id) => sql`i.repository_ids @> ARRAY[${id}::uuid]`),
      ...when(selection.assignee, isAssigned),
      ...when(selection.labels, (labels) => sql`i.labels @> ${[...labels]}::text[]`),
      ...when(selection.priority, (priorities) => sql`i.priority = ANY (${[...priorities]}::text[])`),
      ...when(selection.q, (q) => sql`i.search @@ websearch_to_tsquery('english', ${q})`),
      ...(selection.ready === true ? [isReady(sight)] : [])
    ]

    /** Newest first, or what can be worked on in its own order; one more than `limit` shows that there are more. */
    const chosen = (sight: Sight, { after, limit, ...selection }: ListRequest) => {
      const order = selection.ready === true ? orders.ready : orders.newest
      return rows(
        Chosen,
        sql`SELECT i.id FROM issues i
          WHERE ${sql.and([
            sql`i.workspace_id = ${sight.workspace_id} AND ${unhidden("i", sight)}`,
            ...conditionsOf(sight, selection),
            order.after(after)
          ])}
          ORDER BY ${order.by} LIMIT ${limit + 1}`
      )
    }

    /** The issues in this order; one that has disappeared meanwhile is left out. */
    const summaries = (sight: Sight, ids: ReadonlyArray<IssueId>) =>
      rows(
        IssueSummary,
        sql`/* prepared */
          SELECT ${summaryColumns(sight)}
          FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS chosen (id, position)
            JOIN issues i ON i.id = chosen.id JOIN projects p ON p.id = i.project_id
          WHERE i.workspace_id = ${sight.workspace_id} AND ${unhidden("i", sight)} ORDER BY chosen.position`
      )

    /**
     * In two statements: what a filter selects takes a plan of its own each time, which is quickly made of one table; the
     * parts of a page take a dozen tables, whose plan the connection keeps.
     */
    const list = (sight: Sight, request: ListRequest) =>
      Effect.flatMap(chosen(sight, request), (found) =>
        summaries(
          sight,
          found.map(({ id }) => id)
        )
      )

    /** A level and all levels below it. */
    const levelsBelow = (sight: Sight, id: ProjectId) =>
      Effect.map(
        rows(
          LevelId,
          sql`WITH RECURSIVE below AS (
              SELECT ${id}::uuid AS id
              UNION ALL
              SELECT p.id FROM projects p JOIN below b ON p.parent_id = b.id
              WHERE p.workspace_id = ${sight.workspace_id})
            SELECT id FROM below`
        ),
        (found) => found.map((row) => row.id)
      )

    return { list, levelsBelow }
  })
}) {}

/** The condition of a filter that is set. */
const when = <A, B>(value: A | undefined, condition: (value: A) => B): ReadonlyArray<B> =>
  value === undefined ? [] : [condition(value)]
