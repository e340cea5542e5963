import { SqlClient } from "@effect/sql"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../support/Database.ts"
import { matchesSnapshot } from "../support/snapshots.ts"

interface Table {
  readonly name: string
  readonly unlogged: boolean
  readonly columns: ReadonlyArray<string>
  readonly constraints: ReadonlyArray<string>
  readonly indexes: ReadonlyArray<string>
}

// Asked of the catalog, because the bundled server comes without pg_dump.
const tables = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Table>`
  SELECT c.relname AS name, c.relpersistence = 'u' AS unlogged,
    (SELECT array_agg(format('%I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        CASE WHEN a.attidentity <> '' THEN ' GENERATED ALWAYS AS IDENTITY'
          WHEN a.attgenerated = 's' THEN ' GENERATED ALWAYS AS (' || pg_get_expr(d.adbin, d.adrelid) || ') STORED'
          WHEN d.adbin IS NOT NULL THEN ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) ELSE '' END,
        CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END) ORDER BY a.attnum)
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    coalesce((SELECT array_agg(format('CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)) ORDER BY k.contype DESC, k.conname)
      FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype <> 'n'), '{}') AS constraints,
    coalesce((SELECT array_agg(pg_get_indexdef(i.indexrelid) ORDER BY i.indexrelid::regclass::text)
      FROM pg_index i LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.conrelid = i.indrelid
      WHERE i.indrelid = c.oid AND k.oid IS NULL), '{}') AS indexes
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname = 'public' ORDER BY c.relname`
)

const print = ({ name, unlogged, columns, constraints, indexes }: Table) =>
  [
    `CREATE ${unlogged ? "UNLOGGED " : ""}TABLE ${name} (`,
    [...columns, ...constraints].map((line) => `  ${line}`).join(",\n"),
    ");",
    ...indexes.map((index) => `${index};`)
  ].join("\n")

layer(Database)("the schema", (it) => {
  it.effect("after all migrations is a file to read", () =>
    Effect.map(tables, (all) => matchesSnapshot("schema.sql", `${all.map(print).join("\n\n")}\n`))
  )
})
