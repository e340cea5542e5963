import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["not_null_without_default", "drops_data", "renames_in_place", "changes_type", "constraint_scans_table"],
    path: "migrations/0002_a.sql",
    text: (size) =>
      filled(size, " ADD COLUMN a TEXT NOT NULL, DROP COLUMN b, ALTER c TYPE INT, RENAME d TO e,", [
        "ALTER TABLE t",
        ";"
      ])
  },
  {
    rules: ["index_locks_table", "deletes_all_rows", "float_for_money"],
    path: "migrations/0003_a.sql",
    text: (size) =>
      filled(size, "CREATE INDEX i ON t (a); DELETE FROM t; CREATE TABLE u (price FLOAT);\n", ["-- jsonb\n", ""])
  },
  { rules: ["drops_data"], path: "migrations/0004_a.sql", text: (size) => filled(size, "DROP TABLE [ '$a$ /* \" ") },
  { rules: ["drops_data"], path: "migrations/0005_a.sql", text: (size) => filled(size, "[") },
  { rules: ["drops_data"], path: "migrations/0006_a.sql", text: (size) => filled(size, "$a ") },
  {
    rules: ["drops_data", "float_for_money"],
    path: "db/migrate/2_a.rb",
    text: (size) => filled(size, "remove_column :a, :b\nadd_column :a, :price, :float\n", ["def up\n", "end\n"])
  },
  {
    rules: ["drops_data"],
    path: "migrations/2_a.js",
    text: (size) => filled(size, 'schema.table("t", (t) => { t.dropColumn("a"); t.string("b").notNullable() })\n')
  }
]
