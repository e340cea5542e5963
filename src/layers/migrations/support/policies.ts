import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"

// `assay.workspace` is the workspace that a statement acts in, `*` for the service itself, and anything else for none;
// `assay.hidden` are the repositories that its caller may not see. Both are read once a statement, not once a row.

const seesAll = "(SELECT current_setting('assay.workspace', true)) = '*'"
const workspace = "(SELECT nullif(nullif(current_setting('assay.workspace', true), '*'), '')::uuid)"
const hidden = "(SELECT coalesce(nullif(current_setting('assay.hidden', true), ''), '{}'))::uuid[]"

const ofWorkspace = (column: string) => `(${seesAll} OR ${column} = ${workspace})`
const notHidden = (column: string) => `(${column} IS NULL OR ${column} <> ALL (${hidden}))`

const noneHidden = (column: string) => `NOT ${column} && ${hidden}`

// Rows of no repository are seen.
const notAllHidden = (column: string) => `(${column} = '{}' OR NOT ${column} <@ ${hidden})`

const protect = (sql: SqlClient.SqlClient, table: string, condition: string, ofNewRows = condition) =>
  sql`
    ALTER TABLE ${sql.literal(table)} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY within_reach ON ${sql.literal(table)} USING (${sql.literal(condition)})
      WITH CHECK (${sql.literal(ofNewRows)});
  `

/**
 * Hides the rows of other workspaces, and with `repository` those of repositories that the caller may not see.
 * `workspace` is the column of the workspace's ID, `workspace_id` where nothing is said.
 */
export const tenantPolicy = (
  sql: SqlClient.SqlClient,
  table: string,
  { workspace = "workspace_id", repository }: { readonly workspace?: string; readonly repository?: string } = {}
) =>
  protect(
    sql,
    table,
    repository === undefined ? ofWorkspace(workspace) : `${ofWorkspace(workspace)} AND ${notHidden(repository)}`
  )

interface Part {
  readonly table: string
  /** Table of the rows that these belong to. */
  readonly parent: string
  /** Column with the ID of the row of `parent`. */
  readonly column: string
  /** Whether one statement writes a row together with its parent, which a policy of the same statement cannot see yet. */
  readonly writtenTogether?: true
}

/** A row is seen where the row that it belongs to is. */
export const partPolicy = (sql: SqlClient.SqlClient, { table, parent, column, writtenTogether }: Part) => {
  const isSeen = `${seesAll} OR EXISTS (SELECT 1 FROM ${parent} parent WHERE parent.id = ${table}.${column})`
  return protect(sql, table, isSeen, writtenTogether ? `${seesAll} OR ${workspace} IS NOT NULL` : isSeen)
}

/** Hides the rows of other workspaces, and those that are about any repository which the caller may not see. */
export const wholePolicy = (
  sql: SqlClient.SqlClient,
  table: string,
  { repositories }: { readonly repositories: string }
) => protect(sql, table, `${ofWorkspace("workspace_id")} AND ${noneHidden(repositories)}`)

/** Hides the rows of other workspaces, and those that are about repositories which the caller may not see and no others. */
export const sharedPolicy = (sql: SqlClient.SqlClient, table: string, { repositories }: { repositories: string }) =>
  protect(sql, table, `${ofWorkspace("workspace_id")} AND ${notAllHidden(repositories)}`)

/** Several tables, one after another. */
export const inOrder = <E, R>(changes: ReadonlyArray<Effect.Effect<unknown, E, R>>) =>
  Effect.forEach(changes, (change) => change, { discard: true })
