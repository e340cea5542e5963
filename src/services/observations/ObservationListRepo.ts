import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { TriagePreviewRow } from "../../schema/BulkTriage.ts"
import type { WorkspaceId } from "../../schema/Ids.ts"
import { Observation, ObservationNumber, type Order } from "../../schema/Observation.ts"
import { Count } from "../../schema/Text.ts"
import { type Keyset, keyset, type Position } from "../support/keyset.ts"
import { onlyRow, rows } from "../support/rows.ts"
import { type Narrowed, ObservationFiltersRepo } from "./ObservationFiltersRepo.ts"
import { observationColumns } from "./observationColumns.ts"

export interface ListRequest extends Narrowed {
  readonly order: Order
  readonly includeLocations: boolean
  readonly after: Position | null
  readonly limit: number
}

/** A listed row with the sort key of its order. */
const Listed = Schema.Struct({
  ...Observation.fields,
  sort_key: Schema.Array(Schema.Union(Schema.String, Schema.Number))
})
export type Listed = typeof Listed.Type

const Numbered = Schema.Struct({ number: ObservationNumber })
const Counted = Schema.Struct({ count: Count })
const PreviewRow = Schema.Struct({ ...TriagePreviewRow.fields, ...Counted.fields })
const UnknownId = Schema.Struct({ id: Schema.String })

const orders: Readonly<Record<Order, Keyset>> = {
  recency: keyset("DESC", { "o.number": "int" }),
  display_rank: keyset("ASC", {
    "o.priority": "text",
    "-o.confidence": "float8",
    "-o.easy_win": "int",
    "-o.number": "int"
  }),
  // Open observations come last; a null would make the comparison with a cursor unknown.
  resolved: keyset("DESC", { "coalesce(o.closed_at, '-infinity'::timestamptz)": "timestamptz", "o.number": "int" })
}

/** Without closed ones the order of resolution is that of the numbers; its own index would pass over all closed ones first. */
const orderOf = ({ order, filters }: ListRequest): Keyset =>
  order === "resolved" && filters.status === "new" ? orders.recency : orders[order]

export class ObservationListRepo extends Effect.Service<ObservationListRepo>()("ObservationListRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { within, narrowing } = yield* ObservationFiltersRepo

    const list = (request: ListRequest) => {
      const order = orderOf(request)
      const narrowed = narrowing(request.filters)
      const conditions = [within(request), ...narrowed.map(({ condition }) => condition), order.after(request.after)]
      // Which rows pass says little about the best plan: one plan serves every page, so that it is made only once. The
      // limit is in the text for the same reason.
      const isPrepared = narrowed.every(({ sharesPlan }) => sharesPlan)
      return rows(
        Listed,
        sql`${sql.literal(isPrepared ? "/* prepared */" : "")}
          SELECT ${sql.literal(observationColumns)}${sql.literal(request.includeLocations ? ", o.locations" : "")},
            ${order.position} AS sort_key
          FROM observations o WHERE ${sql.and(conditions)} ORDER BY ${order.by}
          LIMIT ${sql.literal(String(Math.trunc(request.limit) + 1))}`
      )
    }

    const conditionsOf = (request: Narrowed) =>
      sql.and([within(request), ...narrowing(request.filters).map(({ condition }) => condition)])

    /** The numbers of the first that match, newest first. */
    const numbers = (request: Narrowed & { readonly limit: number }) =>
      Effect.map(
        rows(
          Numbered,
          sql`SELECT o.number FROM observations o WHERE ${conditionsOf(request)}
            ORDER BY o.number DESC LIMIT ${request.limit}`
        ),
        (found) => found.map(({ number }) => number)
      )

    const count = (request: Narrowed) =>
      Effect.map(
        onlyRow(Counted, sql`SELECT count(*)::int AS count FROM observations o WHERE ${conditionsOf(request)}`),
        (row) => row.count
      )

    /** How many of the numbers there are, and the most severe of them. */
    const preview = (request: {
      readonly workspace_id: WorkspaceId
      readonly numbers: ReadonlyArray<ObservationNumber>
      readonly limit: number
    }) =>
      Effect.map(
        rows(
          PreviewRow,
          sql`SELECT 'OBS-' || o.number AS ref, o.kind, o.status, o.priority, o.title, o.file_path,
              (SELECT r.repo_name FROM repositories r WHERE r.id = o.repository_id) AS repo_name,
              (count(*) OVER ())::int AS count
            FROM observations o
            WHERE ${within({ ...request, repository_id: null })}
              AND o.number = ANY(${[...request.numbers]}::bigint[])
            ORDER BY ${orders.display_rank.by} LIMIT ${request.limit}`
        ),
        (found) => ({ count: found[0]?.count ?? 0, sample: found.map(({ count: _, ...row }) => row) })
      )

    /** Those of the IDs that no observation of the workspace has in this column. */
    const unknownIds = (request: {
      readonly workspace_id: WorkspaceId
      readonly column: "o.tool" | "o.rule_id"
      readonly ids: ReadonlyArray<string>
    }) =>
      Effect.map(
        rows(
          UnknownId,
          sql`SELECT id FROM unnest(${[...request.ids]}::text[]) AS requested (id)
            WHERE NOT EXISTS (SELECT FROM observations o
              WHERE o.workspace_id = ${request.workspace_id} AND ${sql.literal(request.column)} = requested.id)`
        ),
        (found) => found.map(({ id }) => id)
      )

    return { list, numbers, count, preview, unknownIds }
  })
}) {}
