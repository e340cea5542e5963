import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type {
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
import type { Position } from "../access/Cursors.ts"
import { jsonb } from "../support/statements.ts"

/** A level as SQL needs it: from itself upwards, the workspace always being the end of the line. */
export interface Place {
  readonly workspace_id: string
  readonly line: ReadonlyArray<{ readonly id: string; readonly slug: string }>
}

/** What a writer may set. */
export interface EntryValues {
  readonly kind: ContextKind
  readonly title: string
  readonly summary: string
  readonly body_md: string
  readonly data: Readonly<Record<string, unknown>>
  readonly scope: ContextScope
  readonly tags: ReadonlyArray<string>
  readonly status: ContextStatus
}

/** An enabled or disabled entry at one level, locked for its change. */
export interface EntryRow extends EntryValues {
  readonly id: string
  readonly version: number
  readonly created_key_id: string | null
  readonly updated_key_id: string | null
  readonly corroborated_at: string | null
}

export interface NewEntry extends EntryValues {
  readonly id: string
  readonly key: string
  readonly actor: ContextActor
  readonly key_id: string | null
  readonly at: string
}

export interface Change {
  readonly actor: ContextActor
  readonly key_id: string | null
  readonly at: string
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

export class TeamContextRepo extends Effect.Service<TeamContextRepo>()("TeamContextRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const ids = ({ line }: Place) => line.map(({ id }) => id)
    const own = (place: Place) => place.line[0]?.id ?? null

    // Entries of the level, of what lies above it and passes down, and of the workspace; with how far away they live.
    const visible = (place: Place) => sql`
      SELECT e.*, coalesce(p.n - 1, ${place.line.length})::int AS distance, p.slug AS source_project_slug
      FROM context_entries e
      LEFT JOIN unnest(${ids(place)}::uuid[], ${place.line.map(({ slug }) => slug)}::text[]) WITH ORDINALITY AS p(id, slug, n)
        ON p.id = e.project_id
      WHERE e.workspace_id = ${place.workspace_id} AND e.disabled_at IS NULL
        AND (e.project_id IS NULL OR p.n = 1 OR (p.n > 1 AND e.scope = 'subtree'))`

    const ofThisLevel = (place: Place) =>
      sql`workspace_id = ${place.workspace_id} AND project_id IS NOT DISTINCT FROM ${own(place)}::uuid`

    const levelOf = (alias: string) =>
      `CASE WHEN ${alias}.distance = 0 THEN 'own' WHEN ${alias}.project_id IS NULL THEN 'workspace' ELSE 'inherited' END`

    const summaryColumns =
      sql.literal(`w.id, w.key, w.version, w.id || ':' || w.version AS etag, w.status, w.kind, w.title,
      w.summary, w.scope, ${levelOf("w")} AS level, w.distance, w.created_by, w.updated_by, w.created_at, w.updated_at,
      w.corroborated_at, w.corroborated_by, w.disabled_at, w.disabled_reason, '{}'::text[] AS labels,
      w.last_confirmed_at, w.last_confirmed_by_user_id, w.tags, false AS source_hidden, w.source_project_slug,
      CASE WHEN w.disabled_at IS NOT NULL THEN '[]' ELSE coalesce((
        SELECT jsonb_agg(jsonb_build_object('entry_id', o.id, 'version', o.version, 'level', ${levelOf("o")},
          'source_hidden', false, 'source_project_slug', o.source_project_slug) ORDER BY o.distance)
        FROM visible o WHERE o.key = w.key AND o.distance > w.distance), '[]') END AS replaces`)
    const fullColumns = sql.literal(", w.body_md, w.data")

    // The nearest entry of a key wins.
    const winners = sql.literal("SELECT DISTINCT ON (key) * FROM visible ORDER BY key, distance")

    const disabledHere = (place: Place) => sql`
      SELECT e.*, 0 AS distance, ${place.line[0]?.slug ?? null}::text AS source_project_slug
      FROM context_entries e WHERE ${ofThisLevel(place)} AND disabled_at IS NOT NULL`

    const list = (place: Place, request: ListRequest) => {
      const conditions = [
        sql`true`,
        ...(request.kind === null ? [] : [sql`w.kind = ${request.kind}`]),
        ...(request.status === null ? [] : [sql`w.status = ${request.status}`]),
        ...(request.tag === null ? [] : [sql`${request.tag} = ANY (w.tags)`]),
        ...(request.q === null ? [] : [sql`w.search @@ websearch_to_tsquery('english', ${request.q})`]),
        ...(request.after === null
          ? []
          : [sql`(w.key, w.id) > (${request.after[0] ?? null}::text COLLATE "C", ${request.after[1] ?? null}::uuid)`])
      ]
      const disabled = request.include_disabled ? sql`UNION ALL ${disabledHere(place)}` : sql.literal("")
      return Effect.orDie(
        sql<ContextEntrySummary>`
          WITH visible AS (${visible(place)})
          SELECT ${summaryColumns} FROM ((${winners}) ${disabled}) w
          WHERE ${sql.and(conditions)} ORDER BY w.key, w.id LIMIT ${request.limit + 1}`
      )
    }

    /** What identifies the effective set, and how many entries of the level itself are proposed. */
    const head = (place: Place, includeDisabled: boolean) =>
      Effect.map(
        Effect.orDie(
          sql<{ readonly effective: string; readonly disabled: string; readonly proposed: number }>`/* prepared */
            WITH visible AS (${visible(place)})
            SELECT coalesce((SELECT string_agg(concat_ws(':', w.id, w.version, w.corroborated_at), ',' ORDER BY w.key)
                FROM (${winners}) w), '') AS effective,
              (SELECT count(*)::int FROM visible WHERE distance = 0 AND status = 'proposed') AS proposed,
              ${
                includeDisabled
                  ? sql`coalesce((SELECT string_agg(concat_ws(':', w.id, w.version), ',' ORDER BY w.id)
                      FROM (${disabledHere(place)}) w), '')`
                  : sql`''`
              } AS disabled`
        ),
        (rows) => rows[0]!
      )

    const digest = (place: Place, limit: number, organizationKey: string) =>
      Effect.orDie(
        sql<ContextDigestRow>`/* prepared */
          WITH visible AS (${visible(place)})
          SELECT w.key, w.kind, w.summary, w.status, ${sql.literal(levelOf("w"))} AS level, w.distance,
            w.id || ':' || w.version AS etag, '{}'::text[] AS labels, w.tags, false AS source_hidden,
            w.source_project_slug
          FROM (${winners}) w
          ORDER BY (w.key = ${organizationKey} AND w.project_id IS NULL) DESC,
            CASE WHEN w.status = 'live' THEN 0 WHEN w.corroborated_at IS NOT NULL THEN 1 ELSE 2 END,
            w.kind = 'warning' DESC, w.distance, w.key
          LIMIT ${limit + 1}`
      )

    type Full = Omit<ContextEntry, "project" | "secret_warnings">

    const find = (place: Place, key: string) =>
      Effect.map(
        Effect.orDie(
          sql<Full>`/* prepared */
            WITH visible AS (${visible(place)} AND e.key = ${key})
            SELECT ${summaryColumns}${fullColumns} FROM (${winners}) w`
        ),
        (rows) => rows[0] ?? null
      )

    /** An entry of the level itself, disabled or not. */
    const byId = (place: Place, id: string) =>
      Effect.map(
        Effect.orDie(
          sql<Full>`
            WITH visible AS (${visible(place)})
            SELECT ${summaryColumns}${fullColumns} FROM (
              SELECT e.*, 0 AS distance, ${place.line[0]?.slug ?? null}::text AS source_project_slug
              FROM context_entries e WHERE e.id = ${id}) w`
        ),
        (rows) => rows[0]!
      )

    const rowColumns =
      sql.literal(`id, version, status, kind, title, summary, body_md, data, scope, tags, created_key_id,
      updated_key_id, corroborated_at`)

    // A row lock holds an entry, not the lack of one.
    /** Keeps others from enabling an entry of the key until the transaction ends. */
    const holdKey = (place: Place, key: string) =>
      Effect.orDie(
        sql`SELECT pg_advisory_xact_lock(hashtextextended(${[place.workspace_id, own(place) ?? "", key].join("/")}, 0))`
      )

    /** The level's own enabled entry of a key, held until the transaction ends. */
    const lock = (place: Place, key: string) =>
      Effect.map(
        Effect.orDie(
          sql<EntryRow>`SELECT ${rowColumns} FROM context_entries
            WHERE ${ofThisLevel(place)} AND key = ${key} AND disabled_at IS NULL FOR UPDATE`
        ),
        (rows) => rows[0] ?? null
      )

    const lockDisabled = (place: Place, key: string) =>
      Effect.map(
        Effect.orDie(
          sql<EntryRow>`SELECT ${rowColumns} FROM context_entries
            WHERE ${ofThisLevel(place)} AND key = ${key} AND disabled_at IS NOT NULL
            ORDER BY disabled_at DESC, id DESC LIMIT 1 FOR UPDATE`
        ),
        (rows) => rows[0] ?? null
      )

    /** Id of the level's newest disabled entry of a key. */
    const disabledId = (place: Place, key: string) =>
      Effect.map(
        Effect.orDie(
          sql<{ readonly id: string }>`SELECT id FROM context_entries
            WHERE ${ofThisLevel(place)} AND key = ${key} AND disabled_at IS NOT NULL
            ORDER BY disabled_at DESC, id DESC LIMIT 1`
        ),
        (rows) => rows[0]?.id ?? null
      )

    /** `false` while an enabled entry holds the key. */
    const insert = (place: Place, entry: NewEntry) =>
      Effect.map(
        Effect.orDie(
          sql`INSERT INTO context_entries (id, workspace_id, project_id, key, status, kind, title, summary, body_md, data,
              scope, tags, created_by, updated_by, created_key_id, updated_key_id, created_at, updated_at)
            VALUES (${entry.id}, ${place.workspace_id}, ${own(place)}, ${entry.key}, ${entry.status}, ${entry.kind},
              ${entry.title}, ${entry.summary}, ${entry.body_md}, ${jsonb(entry.data)}, ${entry.scope},
              ${[...entry.tags]}::text[], ${jsonb(entry.actor)}, ${jsonb(entry.actor)}, ${entry.key_id}, ${entry.key_id},
              ${entry.at}, ${entry.at})
            ON CONFLICT DO NOTHING RETURNING 1`
        ),
        (rows) => rows.length > 0
      )

    // Whatever changes an entry takes its corroboration away.
    const changed = ({ actor, key_id, at }: Change) => sql`version = version + 1, updated_by = ${jsonb(actor)},
      updated_key_id = ${key_id}, updated_at = ${at}, corroborated_at = NULL, corroborated_by = NULL`

    const update = (id: string, values: EntryValues, change: Change) =>
      Effect.orDie(
        sql`UPDATE context_entries SET ${changed(change)}, status = ${values.status}, kind = ${values.kind},
            title = ${values.title}, summary = ${values.summary}, body_md = ${values.body_md},
            data = ${jsonb(values.data)}, scope = ${values.scope}, tags = ${[...values.tags]}::text[]
          WHERE id = ${id}`
      )

    const disable = (id: string, reason: string, change: Change) =>
      Effect.orDie(
        sql`UPDATE context_entries SET ${changed(change)}, disabled_at = ${change.at}, disabled_reason = ${reason}
          WHERE id = ${id}`
      )

    const restore = (id: string, status: ContextStatus, change: Change) =>
      Effect.orDie(
        sql`UPDATE context_entries SET ${changed(change)}, status = ${status}, disabled_at = NULL, disabled_reason = NULL
          WHERE id = ${id}`
      )

    const confirm = (id: string, user_id: string, change: Change) =>
      Effect.orDie(
        sql`UPDATE context_entries SET ${changed(change)}, status = 'live', last_confirmed_at = ${change.at},
            last_confirmed_by_user_id = ${user_id}
          WHERE id = ${id}`
      )

    const corroborate = (id: string, actor: ContextActor, at: string) =>
      Effect.orDie(
        sql`UPDATE context_entries SET corroborated_at = ${at}, corroborated_by = ${jsonb(actor)} WHERE id = ${id}`
      )

    const addEvent = (event: {
      readonly id: string
      readonly entry_id: string
      readonly version: number
      readonly event: ContextEventName
      readonly actor: ContextActor
      readonly prev: ContextEventPrev
      readonly detail: Readonly<Record<string, unknown>> | null
      readonly created_at: string
    }) =>
      Effect.orDie(
        sql`INSERT INTO context_events (id, entry_id, version, event, actor, prev, detail, created_at)
          VALUES (${event.id}, ${event.entry_id}, ${event.version}, ${event.event}, ${jsonb(event.actor)},
            ${jsonb(event.prev)}, ${event.detail === null ? null : jsonb(event.detail)}, ${event.created_at})`
      )

    const history = (request: {
      readonly entry_id: string
      readonly after: readonly [string] | null
      readonly limit: number
    }) =>
      Effect.orDie(
        sql<ContextEvent>`
          SELECT id, version, event, actor, prev, detail, created_at FROM context_events
          WHERE entry_id = ${request.entry_id}
            AND (${request.after?.[0] ?? null}::uuid IS NULL OR id < ${request.after?.[0] ?? null}::uuid)
          ORDER BY id DESC LIMIT ${request.limit + 1}`
      )

    return {
      list,
      head,
      digest,
      find,
      byId,
      holdKey,
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
