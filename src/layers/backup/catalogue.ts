import type pg from "pg"
import type { ArchivedTable } from "./archive.ts"

/** What a database consists of: read from PostgreSQL's catalogues, so that no list of tables can be out of date. */

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The migrator writes its own table; the archive's header names what was applied. */
const migrationsTable = "effect_sql_migrations"

export const columnsOf = ({ name, columns }: ArchivedTable) => `${quoted(name)} (${columns.map(quoted).join(", ")})`

/** Every table of the product with the columns that are not computed from others. */
export const tablesOf = async (client: pg.ClientBase): Promise<ReadonlyArray<ArchivedTable>> => {
  const { rows } = await client.query<ArchivedTable>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> $1
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
    [migrationsTable]
  )
  return rows
}

export const migrationsOf = async (client: pg.ClientBase) => {
  const found = await client.query<{ there: boolean }>("SELECT to_regclass($1) IS NOT NULL AS there", [migrationsTable])
  if (found.rows[0]?.there !== true) return []
  const { rows } = await client.query<{ id: number; name: string }>(
    `SELECT migration_id AS id, name FROM ${quoted(migrationsTable)} ORDER BY migration_id`
  )
  return rows
}

export const sequencesOf = async (client: pg.ClientBase) => {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = current_schema() ORDER BY sequencename`
  )
  return rows
}

export const setSequence = (client: pg.ClientBase, { name, value }: { name: string; value: string | null }) =>
  value === null
    ? client.query(`ALTER SEQUENCE ${quoted(name)} RESTART`)
    : client.query("SELECT setval($1::regclass, $2)", [quoted(name), value])

/** Other processes of Assay that use this database. */
export const usersOf = async (client: pg.ClientBase): Promise<number> => {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'assay%'`
  )
  return rows[0]?.count ?? 0
}

/** Names of the tables that have a row. */
export const filledTables = async (client: pg.ClientBase): Promise<ReadonlyArray<string>> => {
  const filled: Array<string> = []
  for (const { name } of await tablesOf(client)) {
    const { rows } = await client.query<{ filled: boolean }>(`SELECT EXISTS (SELECT FROM ${quoted(name)}) AS filled`)
    if (rows[0]?.filled === true) filled.push(name)
  }
  return filled
}

/** Drops what migrations and the job engine made; extensions and other schemas stay. */
export const dropEverything = async (client: pg.ClientBase) => {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('DROP TABLE IF EXISTS %I CASCADE', relname) AS statement FROM pg_class c
       WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
     UNION ALL
     SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', oid::regprocedure) FROM pg_proc p
       WHERE pronamespace = current_schema()::regnamespace
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`
  )
  await client.query("DROP SCHEMA IF EXISTS engine CASCADE")
  for (const { statement } of rows) await client.query(statement)
}

interface Change {
  readonly drop: string
  readonly add: string
}

/**
 * Runs `load` without foreign keys, triggers and policies: rows come table by table, in no order that would satisfy the
 * keys, what a trigger counts is among the rows, and COPY writes to no table whose policies bind the user. Adding the keys
 * again checks every row.
 */
export const unconstrained = async <A>(client: pg.ClientBase, load: () => Promise<A>): Promise<A> => {
  const tables = await tablesOf(client)
  const { rows: keys } = await client.query<Change>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`
  )
  const { rows: policies } = await client.query<Change>(
    `SELECT format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', oid::regclass) AS drop,
       format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', oid::regclass) AS add
     FROM pg_class WHERE relforcerowsecurity AND relnamespace = current_schema()::regnamespace`
  )
  for (const { drop } of [...keys, ...policies]) await client.query(drop)
  for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`)
  if (tables.length > 0) await client.query(`TRUNCATE ${tables.map(({ name }) => quoted(name)).join(", ")}`)
  const result = await load()
  for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`)
  for (const { add } of [...keys, ...policies]) await client.query(add)
  return result
}

/** Keeps other transactions from changing the tables' columns. */
export const lockTables = (client: pg.ClientBase, tables: ReadonlyArray<ArchivedTable>) =>
  client.query(`LOCK TABLE ${tables.map(({ name }) => quoted(name)).join(", ")} IN ACCESS SHARE MODE`)
