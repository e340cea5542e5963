import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Option, Schema, Struct } from "effect"
import { EntryId, KeyId, UserId, WorkspaceId } from "../../schema/Ids.ts"
import {
  ContextActor,
  ContextDigestRow,
  ContextEntry,
  ContextEntrySummary,
  ContextEvent,
  ContextEventName,
  ContextEventPrev,
  ContextKind,
  ContextScope,
  ContextStatus
} from "../../schema/TeamContext.ts"
import { Count, Instant, JsonObject } from "../../schema/Text.ts"
import type { LineLevel } from "../projects/Projects.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, hasRow, onlyRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"

/** A level as SQL needs it: from itself upwards, the workspace always being the end of the line. */
export interface Place {
  readonly workspace_id: WorkspaceId
  readonly line: ReadonlyArray<LineLevel>
}

const values = {
  kind: ContextKind,
  title: Schema.String,
  summary: Schema.String,
  body_md: Schema.String,
  data: JsonObject,
  scope: ContextScope,
  tags: Schema.Array(Schema.String),
  labels: Schema.Array(Schema.String),
  status: ContextStatus
}

/** What a writer may set. */
const EntryValues = Schema.Struct(values)
export type EntryValues = typeof EntryValues.Type

/** An enabled or disabled entry at one level, locked for its change. */
export const EntryRow = Schema.Struct({
  ...values,
  id: EntryId,
  version: Count,
  created_key_id: Schema.NullOr(KeyId),
  updated_key_id: Schema.NullOr(KeyId),
  corroborated_at: Schema.NullOr(Instant)
})
export type EntryRow = typeof EntryRow.Type

/** The text of an entry, and who wrote it. */
const LastWritten = Schema.Struct({
  body_md: Schema.String,
  updated_at: Instant,
  updated_by: ContextActor,
  updated_key_id: Schema.NullOr(KeyId)
})
export type LastWritten = typeof LastWritten.Type

export interface Change {
  readonly actor: ContextActor
  readonly key_id: KeyId | null
  readonly at: string
}

export interface NewEntry extends EntryValues, Change {
  readonly id: EntryId
  readonly key: string
}

export interface ListRequest {
  readonly kind: ContextKind | null
  readonly status: ContextStatus | null
  readonly tag: string | null
  readonly q: string | null
  readonly include_disabled: boolean
  readonly after: Position | null
  readonly limit: number
}

const Head = Schema.Struct({ effective: Schema.String, proposed: Count })
const Digest = Schema.Struct({ effective: Schema.String, entries: Schema.Array(ContextDigestRow) })
const Identified = Schema.Struct({ id: EntryId })
const FullEntry = Schema.Struct(Struct.omit(ContextEntry.fields, "project", "secret_warnings"))
export type StoredEntry = typeof FullEntry.Type
const byKey = keyset("ASC", { "w.key": 'text COLLATE "C"', "w.id": "uuid" })
const newestEventFirst = keyset("DESC", { "v.id": "uuid" })

export class TeamContextRepo extends Effect.Service<TeamContextRepo>()("TeamContextRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const ids = ({ line }: Place) => line.map(({ id }) => id)
    const own = (place: Place) => place.line[0]?.id ?? null

    const line = (place: Place) => sql`unnest(${ids(place)}::uuid[], ${place.line.map(({ slug }) => slug)}::text[],
      ${place.line.map(({ hidden }) => hidden)}::boolean[]) WITH ORDINALITY AS p (id, slug, hidden, n)`

    const fromLine =
      "(p.n - 1)::int AS distance, p.hidden AS source_hidden, CASE WHEN NOT p.hidden THEN p.slug END AS source_project_slug"
    const fromWorkspace = ({ line }: Place) =>
      `${line.length} AS distance, false AS source_hidden, NULL::text AS source_project_slug`

    // Entries of the level, of what lies above it and passes down, and of the workspace; with how far away they live.
    const visible = (place: Place, columns = "e.*", which = sql`true`) => sql`
      SELECT ${sql.literal(columns)}, ${sql.literal(fromLine)}
      FROM ${line(place)} JOIN context_entries e ON e.project_id = p.id
      WHERE e.workspace_id = ${place.workspace_id} AND e.disabled_at IS NULL AND (p.n = 1 OR e.scope = 'subtree') AND ${which}
      UNION ALL
      SELECT ${sql.literal(columns)}, ${sql.literal(fromWorkspace(place))} FROM context_entries e
      WHERE e.workspace_id = ${place.workspace_id} AND e.project_id IS NULL AND e.disabled_at IS NULL AND ${which}`

    // An entry of the level itself, as `visible` shows it.
    const ownEntry = (place: Place, columns = "e.*") =>
      sql`${sql.literal(columns)}, 0 AS distance, false AS source_hidden, ${place.line[0]?.slug ?? null}::text AS source_project_slug`

    const ofThisLevel = (place: Place) =>
      sql`workspace_id = ${place.workspace_id} AND ${own(place) === null ? sql`project_id IS NULL` : sql`project_id = ${own(place)}`}`

    const levelOf = (alias: string) =>
      `CASE WHEN ${alias}.distance = 0 THEN 'own' WHEN ${alias}.project_id IS NULL THEN 'workspace' ELSE 'inherited' END`

    // Nothing lies above the workspace.
    const replaces = ({ line }: Place) =>
      line.length === 0
        ? "'[]'::jsonb"
        : `CASE WHEN w.disabled_at IS NOT NULL THEN '[]' ELSE coalesce((
        SELECT jsonb_agg(jsonb_build_object('entry_id', o.id, 'version', o.version, 'level', ${levelOf("o")},
          'source_hidden', o.source_hidden, 'source_project_slug', o.source_project_slug) ORDER BY o.distance)
        FROM visible o WHERE o.key = w.key AND o.distance > w.distance), '[]') END`

    const summaryColumns = (place: Place) =>
      sql.literal(`w.id, w.key, w.version, w.id || ':' || w.version AS etag, w.status, w.kind, w.title,
      w.summary, w.scope, ${levelOf("w")} AS level, w.distance, w.created_by, w.updated_by, w.created_at, w.updated_at,
      w.corroborated_at, w.corroborated_by, w.disabled_at, w.disabled_reason, w.labels,
      w.last_confirmed_at, w.last_confirmed_by_user_id, w.tags, w.source_hidden, w.source_project_slug,
      ${replaces(place)} AS replaces`)

    // No texts: reading them would cost more than the rest.
    const digestColumns =
      "e.id, e.key, e.version, e.status, e.project_id, e.corroborated_at, e.kind, e.summary, e.labels, e.tags"

    // The nearest entry of a key wins.
    const winners = sql.literal("SELECT DISTINCT ON (key) * FROM visible ORDER BY key, distance")

    // Those that a nearer one replaces are in it, too: a page shows their versions.
    const effectiveSet = (place: Place) => sql`
      SELECT coalesce(bit_xor(s.hash), 0)::text AS effective, coalesce(sum(s.proposed) FILTER (WHERE s.is_own), 0)::int AS proposed
      FROM (
        SELECT s.hash, s.proposed, p.n = 1 AS is_own FROM ${line(place)} JOIN context_sums s ON s.project_id = p.id
        WHERE s.workspace_id = ${place.workspace_id} AND (p.n = 1 OR s.scope = 'subtree')
        UNION ALL
        SELECT s.hash, s.proposed, ${own(place) === null}::boolean AS is_own FROM context_sums s
        WHERE s.workspace_id = ${place.workspace_id} AND s.project_id IS NULL) s`

    // `nearer`: the IDs of the levels that an entry `w` may be replaced at.
    const replacedAt = (place: Place, nearer: Statement.Fragment) => sql`EXISTS (
      SELECT FROM context_entries o WHERE o.workspace_id = ${place.workspace_id} AND o.project_id = ANY (${nearer})
        AND o.key = w.key AND o.disabled_at IS NULL AND (o.project_id = ${own(place)}::uuid OR o.scope = 'subtree'))`

    /** Which entries are on the page is decided level by level, as an index has the keys of each in order, and without texts. */
    const list = (place: Place, request: ListRequest) => {
      const conditions = [
        byKey.after(request.after),
        ...(request.kind === null ? [] : [sql`w.kind = ${request.kind}`]),
        ...(request.status === null ? [] : [sql`w.status = ${request.status}`]),
        ...(request.tag === null ? [] : [sql`${request.tag} = ANY (w.tags)`]),
        ...(request.q === null
          ? []
          : [
              sql`w.id IN (SELECT id FROM context_entries
                WHERE workspace_id = ${place.workspace_id} AND search @@ websearch_to_tsquery('english', ${request.q}))`
            ])
      ]
      // All have the same project; the index is in this order only where it is named.
      const firstOf = (level: Statement.Fragment) => sql`(
        SELECT w.id, w.key, w.project_id FROM context_entries w WHERE w.workspace_id = ${place.workspace_id} AND ${level}
          AND ${sql.and(conditions)} ORDER BY w.project_id, ${byKey.by} LIMIT ${request.limit + 1}) w`
      const disabled = request.include_disabled
        ? sql`UNION ALL SELECT ${ownEntry(place, "w.*")} FROM ${firstOf(sql`${ofThisLevel(place)} AND w.disabled_at IS NOT NULL`)}`
        : sql.literal("")
      return rows(
        ContextEntrySummary,
        sql`/* prepared */
          WITH page AS MATERIALIZED (
              SELECT * FROM (
                SELECT w.*, ${sql.literal(fromLine)} FROM ${line(place)} CROSS JOIN LATERAL ${firstOf(sql`w.project_id = p.id
                  AND w.disabled_at IS NULL AND (p.n = 1 OR w.scope = 'subtree') AND NOT ${replacedAt(place, sql`(${ids(place)}::uuid[])[:p.n::int - 1]`)}`)}
                UNION ALL
                SELECT w.*, ${sql.literal(fromWorkspace(place))} FROM ${firstOf(sql`w.project_id IS NULL
                  AND w.disabled_at IS NULL AND NOT ${replacedAt(place, sql`${ids(place)}::uuid[]`)}`)}
                ${disabled}) w
              ORDER BY ${byKey.by} LIMIT ${request.limit + 1}),
            visible AS MATERIALIZED (${visible(place, "e.id, e.key, e.version, e.project_id", sql`e.key IN (SELECT key FROM page)`)})
          SELECT ${summaryColumns(place)} FROM (
            SELECT e.*, p.distance, p.source_hidden, p.source_project_slug
            FROM page p JOIN context_entries e ON e.workspace_id = ${place.workspace_id} AND e.id = p.id) w
          ORDER BY ${byKey.by}`
      )
    }

    /** What identifies the effective set, and how many entries of the level itself are proposed. */
    const head = (place: Place) => onlyRow(Head, sql`/* prepared */ ${effectiveSet(place)}`)

    /** What identifies the effective set, and up to one entry more than the limit in reading order. */
    const digest = (place: Place, limit: number, organizationKey: string) =>
      onlyRow(
        Digest,
        sql`/* prepared */
          WITH visible AS (${visible(place, digestColumns)}),
            effective AS MATERIALIZED (${winners}),
            reading AS (
              SELECT *, row_number() OVER (
                ORDER BY (key = ${organizationKey} AND project_id IS NULL) DESC,
                  CASE WHEN status = 'live' THEN 0 WHEN corroborated_at IS NOT NULL THEN 1 ELSE 2 END,
                  kind = 'warning' DESC, distance, key) AS n
              FROM effective
            )
          SELECT (SELECT effective FROM (${effectiveSet(place)}) e) AS effective,
            coalesce((
              SELECT json_agg(json_build_object('key', w.key, 'kind', w.kind, 'summary', w.summary, 'status', w.status,
                'level', ${sql.literal(levelOf("w"))}, 'distance', w.distance, 'etag', w.id || ':' || w.version,
                'labels', w.labels, 'tags', w.tags, 'source_hidden', w.source_hidden,
                'source_project_slug', w.source_project_slug) ORDER BY w.n)
              FROM reading w WHERE w.n <= ${limit + 1}), '[]') AS entries`
      )

    const find = (place: Place, key: string) =>
      firstRow(
        FullEntry,
        sql`/* prepared */
            WITH visible AS (${visible(place, "e.*", sql`e.key = ${key}`)})
            SELECT ${summaryColumns(place)}, w.body_md, w.data FROM (${winners}) w`
      )

    /** An entry of the level itself, disabled or not. */
    const byId = (place: Place, id: EntryId) =>
      onlyRow(
        FullEntry,
        sql`/* prepared */
            WITH visible AS (${visible(place)})
            SELECT ${summaryColumns(place)}, w.body_md, w.data FROM (
              SELECT ${ownEntry(place)} FROM context_entries e WHERE e.workspace_id = ${place.workspace_id} AND e.id = ${id}) w`
      )

    const rowColumns =
      sql.literal(`id, version, status, kind, title, summary, body_md, data, scope, tags, labels, created_key_id,
      updated_key_id, corroborated_at`)

    // A row lock holds an entry, not the lack of one.
    const keyHeld = (place: Place, key: string) =>
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${[place.workspace_id, own(place) ?? "", key].join("/")}, 0))`

    /** Keeps others from enabling an entry of the key until the transaction ends. */
    const holdKey = (place: Place, key: string) => run(keyHeld(place, key))

    /** The level's own enabled entry of a key, held until the transaction ends. */
    const lock = (place: Place, key: string) =>
      firstRow(
        EntryRow,
        sql`SELECT ${rowColumns} FROM context_entries
            WHERE ${ofThisLevel(place)} AND key = ${key} AND disabled_at IS NULL FOR UPDATE`
      )

    const lastWritten = (place: Place, key: string) =>
      firstRow(
        LastWritten,
        sql`SELECT body_md, updated_at, updated_by, updated_key_id FROM context_entries
            WHERE ${ofThisLevel(place)} AND key = ${key} AND disabled_at IS NULL`
      )

    const lockDisabled = (place: Place, key: string) =>
      firstRow(
        EntryRow,
        sql`SELECT ${rowColumns} FROM context_entries
            WHERE ${ofThisLevel(place)} AND key = ${key} AND disabled_at IS NOT NULL
            ORDER BY disabled_at DESC, id DESC LIMIT 1 FOR UPDATE`
      )

    /** Id of the level's newest disabled entry of a key. */
    const disabledId = (place: Place, key: string) =>
      Effect.map(
        firstRow(
          Identified,
          sql`SELECT id FROM context_entries
            WHERE ${ofThisLevel(place)} AND key = ${key} AND disabled_at IS NOT NULL
            ORDER BY disabled_at DESC, id DESC LIMIT 1`
        ),
        Option.map((row) => row.id)
      )

    /** Holds the key; `false` while an enabled entry has it, which no snapshot decides but the unique index. */
    const insert = (place: Place, entry: NewEntry) =>
      hasRow(sql`/* prepared */
          WITH held AS MATERIALIZED (${keyHeld(place, entry.key)})
          INSERT INTO context_entries (id, workspace_id, project_id, key, status, kind, title, summary, body_md, data,
              scope, tags, labels, created_by, updated_by, created_key_id, updated_key_id, created_at, updated_at)
            SELECT ${entry.id}::uuid, ${place.workspace_id}::uuid, ${own(place)}::uuid, ${entry.key}, ${entry.status}, ${entry.kind},
              ${entry.title}, ${entry.summary}, ${entry.body_md}, ${jsonb(entry.data)}, ${entry.scope},
              ${[...entry.tags]}::text[], ${[...entry.labels]}::text[], ${jsonb(entry.actor)}, ${jsonb(entry.actor)},
              ${entry.key_id}::uuid, ${entry.key_id}::uuid, ${entry.at}::timestamptz, ${entry.at}::timestamptz
            FROM held ON CONFLICT DO NOTHING RETURNING 1`)

    // Whatever changes an entry takes its corroboration away.
    const changed = ({ actor, key_id, at }: Change) => sql`version = version + 1, updated_by = ${jsonb(actor)},
      updated_key_id = ${key_id}, updated_at = ${at}, corroborated_at = NULL, corroborated_by = NULL`

    const update = (place: Place, id: EntryId, values: EntryValues, change: Change) =>
      run(sql`UPDATE context_entries SET ${changed(change)}, status = ${values.status}, kind = ${values.kind},
            title = ${values.title}, summary = ${values.summary}, body_md = ${values.body_md},
            data = ${jsonb(values.data)}, scope = ${values.scope}, tags = ${[...values.tags]}::text[],
            labels = ${[...values.labels]}::text[]
          WHERE workspace_id = ${place.workspace_id} AND id = ${id}`)

    const disable = (place: Place, id: EntryId, reason: string, change: Change) =>
      run(sql`UPDATE context_entries SET ${changed(change)}, disabled_at = ${change.at}, disabled_reason = ${reason}
          WHERE workspace_id = ${place.workspace_id} AND id = ${id}`)

    const restore = (place: Place, id: EntryId, status: ContextStatus, change: Change) =>
      run(sql`UPDATE context_entries SET ${changed(change)}, status = ${status}, disabled_at = NULL, disabled_reason = NULL
          WHERE workspace_id = ${place.workspace_id} AND id = ${id}`)

    const confirm = (place: Place, id: EntryId, user_id: UserId, change: Change) =>
      run(sql`UPDATE context_entries SET ${changed(change)}, status = 'live', last_confirmed_at = ${change.at},
            last_confirmed_by_user_id = ${user_id}
          WHERE workspace_id = ${place.workspace_id} AND id = ${id}`)

    const corroborate = (place: Place, id: EntryId, actor: ContextActor, at: string) =>
      run(
        sql`UPDATE context_entries SET corroborated_at = ${at}, corroborated_by = ${jsonb(actor)} WHERE workspace_id = ${place.workspace_id} AND id = ${id}`
      )

    const addEvent = (
      place: Place,
      event: {
        readonly id: string
        readonly entry_id: EntryId
        readonly version: number
        readonly event: ContextEventName
        readonly actor: ContextActor
        readonly prev: ContextEventPrev
        readonly detail: Readonly<Record<string, unknown>> | null
        readonly created_at: string
      }
    ) =>
      run(sql`/* prepared */
          INSERT INTO context_events (id, entry_id, version, event, actor, prev, detail, created_at)
          SELECT ${event.id}::uuid, e.id, ${event.version}::int, ${event.event}, ${jsonb(event.actor)}, ${jsonb(event.prev)},
            ${jsonb(event.detail)}, ${event.created_at}::timestamptz
          FROM context_entries e WHERE e.workspace_id = ${place.workspace_id} AND e.id = ${event.entry_id}`)

    /** `passedDown`: without changes of what the entry held while it applied to its own level only. */
    const history = (request: {
      readonly workspace_id: WorkspaceId
      readonly entry_id: EntryId
      readonly passedDown: boolean
      readonly after: Position | null
      readonly limit: number
    }) =>
      rows(
        ContextEvent,
        sql`
          SELECT v.id, v.version, v.event, v.actor, jsonb_build_object('labels', null) || v.prev AS prev, v.detail,
            v.created_at
          FROM context_events v JOIN context_entries e ON e.id = v.entry_id
          WHERE v.entry_id = ${request.entry_id} AND e.workspace_id = ${request.workspace_id}
            AND (NOT ${request.passedDown} OR v.prev ->> 'scope' IS DISTINCT FROM 'project')
            AND ${newestEventFirst.after(request.after)}
          ORDER BY ${newestEventFirst.by} LIMIT ${request.limit + 1}`
      )

    return {
      list,
      head,
      digest,
      find,
      byId,
      holdKey,
      lastWritten,
      lock,
      lockDisabled,
      disabledId,
      insert,
      update,
      disable,
      restore,
      confirm,
      corroborate,
      addEvent,
      history
    }
  })
}) {}
