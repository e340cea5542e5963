import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { TriagePreviewRow } from "../../schema/BulkTriage.ts"
import type { WorkspaceId } from "../../schema/Ids.ts"
import { Observation, ObservationNumber, type Order } from "../../schema/Observation.ts"
import { Count } from "../../schema/Text.ts"
import { type Keyset, keyset, type Position } from "../support/keyset.ts"
import { onlyRow, rows } from "../support/rows.ts"
import { type Narrowed, ObservationFiltersRepo } from "./ObservationFiltersRepo.ts"
import { BriefObservation, briefColumns, observationColumns, printedObservation } from "./observationColumns.ts"

export interface ListRequest extends Narrowed {
  readonly order: Order
  readonly includeLocations: boolean
  readonly after: Position | null
  readonly limit: number
}

const SortKey = Schema.Array(Schema.Union(Schema.String, Schema.Number))

/** A listed row with the sort key of its order. */
const Listed = Schema.Struct({
  ...Observation.fields,
  sort_key: SortKey
})
export type Listed = typeof Listed.Type

const ListedBrief = Schema.Struct({ ...BriefObservation.fields, sort_key: SortKey })

/** The rows of a page as the text of a JSON array, and the position of its last row when there are more. */
const Printed = Schema.Struct({ data: Schema.String, last: Schema.NullOr(SortKey) })

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

    /** One row more than the page has, where there are more. */
    const selection = (request: ListRequest, columns: (locations: string) => string) => {
      const order = orderOf(request)
      const narrowed = narrowing(request.filters)
      const conditions = [within(request), ...narrowed.map(({ condition }) => condition), order.after(request.after)]
      return {
        // Which rows pass says little about the best plan: one plan serves every page, so that it is made only once. The
        // limit is in the text for the same reason.
        mark: sql.literal(narrowed.every(({ sharesPlan }) => sharesPlan) ? "/* prepared */" : ""),
        rows: sql`
          SELECT ${sql.literal(columns(request.includeLocations ? ", o.locations" : ""))}, ${order.position} AS sort_key
          FROM observations o WHERE ${sql.and(conditions)} ORDER BY ${order.by}
          LIMIT ${sql.literal(String(Math.trunc(request.limit) + 1))}`
      }
    }

    const list = (request: ListRequest) => {
      const { mark, rows: selected } = selection(request, (locations) => observationColumns + locations)
      return rows(Listed, sql`${mark}${selected}`)
    }

    /** The same rows, briefly. */
    const briefs = (request: ListRequest) => {
      const { mark, rows: selected } = selection(request, () => briefColumns)
      return rows(ListedBrief, sql`${mark}${selected}`)
    }

    /** The same page, printed by the database: no row becomes an object here. */
    const printed = (request: ListRequest) => {
      const { mark, rows: selected } = selection(request, printedObservation)
      const limit = sql.literal(String(Math.trunc(request.limit)))
      return onlyRow(
        Printed,
        sql`${mark}
          SELECT '[' || coalesce(string_agg(p.line, ',') FILTER (WHERE p.place <= ${limit}), '') || ']' AS data,
            CASE WHEN count(*) > ${limit} THEN max(p.sort_key::text) FILTER (WHERE p.place = ${limit}) END::jsonb AS last
          FROM (SELECT row_number() OVER () AS place, s.line, s.sort_key FROM (${selected}) s) p`
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

    return { list, briefs, printed, numbers, count, preview, unknownIds }
  })
}) {}
