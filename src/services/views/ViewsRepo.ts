import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { type RepositoryId, UserId, ViewId, type WorkspaceId } from "../../schema/Ids.ts"
import { Count, Instant } from "../../schema/Text.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, hasRow, onlyRow, rows, run } from "../support/rows.ts"

export const ViewRow = Schema.Struct({
  id: ViewId,
  user_id: UserId,
  email: Schema.String,
  name: Schema.String,
  query: Schema.String,
  shared: Schema.Boolean,
  created_at: Instant,
  updated_at: Instant
})
export type ViewRow = typeof ViewRow.Type

/** Someone, in a workspace. */
interface Person {
  readonly workspace_id: WorkspaceId
  readonly user_id: UserId
}

export interface ViewContent {
  readonly name: string
  readonly query: string
  readonly shared: boolean
  /** The repository that the query names. */
  readonly repository_id: RepositoryId | null
}

const byName = keyset("ASC", { "v.name": "text", "v.id": "uuid" })

const Total = Schema.Struct({ n: Count })

/** Saved views; each statement names who asks, since a view that is not shared is its maker's only. */
export class ViewsRepo extends Effect.Service<ViewsRepo>()("ViewsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const visible = ({ workspace_id, user_id }: Person) =>
      sql`SELECT v.id, v.user_id, u.email, v.name, v.query, v.shared, v.created_at, v.updated_at
        FROM views v JOIN users u ON u.id = v.user_id
        WHERE v.workspace_id = ${workspace_id} AND (v.user_id = ${user_id} OR v.shared)`

    const list = (request: Person & { readonly after: Position | null; readonly limit: number }) =>
      rows(
        ViewRow,
        sql`${visible(request)} AND ${byName.after(request.after)} ORDER BY ${byName.by} LIMIT ${request.limit + 1}`
      )

    /** No one else changes it until the transaction ends. */
    const lock = (request: Person & { readonly id: ViewId }) =>
      firstRow(ViewRow, sql`${visible(request)} AND v.id = ${request.id} FOR UPDATE OF v`)

    /** Views of one person are made and renamed one at a time: their number and names are checked exactly. */
    const lockViewsOf = ({ workspace_id, user_id }: Person) =>
      run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`assay/views/${workspace_id}/${user_id}`}, 0))`)

    const countOf = ({ workspace_id, user_id }: Person) =>
      Effect.map(
        onlyRow(
          Total,
          sql`SELECT count(*)::int AS n FROM views WHERE workspace_id = ${workspace_id} AND user_id = ${user_id}`
        ),
        ({ n }) => n
      )

    /** Whether another view of this person has the name. */
    const isTaken = ({ workspace_id, user_id, name, id }: Person & { readonly name: string; readonly id: ViewId }) =>
      hasRow(sql`SELECT 1 FROM views
        WHERE workspace_id = ${workspace_id} AND user_id = ${user_id} AND name = ${name} AND id <> ${id}`)

    const insert = (view: Person & ViewContent & { readonly id: ViewId; readonly created_at: string }) =>
      run(sql`INSERT INTO views ${sql.insert({ ...view, updated_at: view.created_at })}`)

    const update = (
      view: ViewContent & { readonly workspace_id: WorkspaceId; readonly id: ViewId; readonly at: string }
    ) =>
      run(sql`UPDATE views SET name = ${view.name}, query = ${view.query}, shared = ${view.shared},
          repository_id = ${view.repository_id}::uuid, updated_at = ${view.at}
        WHERE workspace_id = ${view.workspace_id} AND id = ${view.id}`)

    const remove = ({ workspace_id, id }: { readonly workspace_id: WorkspaceId; readonly id: ViewId }) =>
      run(sql`DELETE FROM views WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    return { list, lock, lockViewsOf, countOf, isTaken, insert, update, remove }
  })
}) {}
