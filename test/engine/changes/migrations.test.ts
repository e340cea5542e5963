import { assert, describe, it } from "vitest"
import { described, type Files } from "../../support/changes.ts"

const railsPath = "db/migrate/20260101000000_change.rb"
const rails = (body: string): Files => ({ [railsPath]: `class Change < ActiveRecord::Migration[7.1]\n${body}\nend\n` })
const django = (operations: string): Files => ({
  "shop/migrations/0002_x.py": `from django.db import migrations, models\n\nclass Migration(migrations.Migration):\n    operations = [\n        ${operations}\n    ]\n`
})
const alembic = (down: string): Files => ({
  "alembic/versions/1_x.py": `from alembic import op\n\ndef upgrade():\n    op.add_column("a", "b")\n\ndef downgrade():\n    ${down}\n`
})
const knex = (text: string): Files => ({ "migrations/1_x.js": text })
const laravel = (down: string): Files => ({
  "database/migrations/1_x.php": `<?php\nreturn new class extends Migration {\n  public function up(): void { Schema::create('a', fn () => 1); }\n  ${down}\n};\n`
})
const efCore = (down: string): Files => ({
  "Data/Migrations/1_X.cs": `public partial class X : Migration {\n  protected override void Up(MigrationBuilder b) { b.DropTable("a"); }\n  protected override void Down(MigrationBuilder b) { ${down} }\n}\n`
})
const typeOrm = (down: string): Files => ({
  "src/migration/1-X.ts": `export class X implements MigrationInterface {\n  async up(q: QueryRunner) { await q.query("a") }\n  ${down}\n}\n`
})

const cases: Record<string, readonly [Files, form: string | null, reversible: boolean | null]> = {
  "Rails turns round what it knows": [
    rails(
      "  def change\n    add_column :a, :b, :string\n    remove_column :a, :c, :string\n    create_table(:d) { |t| t.string :e }\n  end"
    ),
    "Rails",
    true
  ],
  "Rails does not know a removed column's type": [
    rails("  def change\n    remove_column :a, :b\n  end"),
    "Rails",
    false
  ],
  "Rails does not turn SQL round": [rails('  def change\n    execute "DELETE FROM a"\n  end'), "Rails", false],
  "Rails lets SQL say both directions": [
    rails(
      '  def change\n    reversible do |dir|\n      dir.up { execute "a" }\n      dir.down { execute "b" }\n    end\n  end'
    ),
    "Rails",
    true
  ],
  "Rails rolls no data back": [rails("  def change\n    User.update_all(a: 1)\n  end"), "Rails", null],
  "Rails has a way down": [
    rails("  def up\n    execute 'a'\n  end\n  def down\n    execute 'b'\n  end"),
    "Rails",
    true
  ],
  "Rails has no way down": [rails("  def up\n    execute 'a'\n  end"), "Rails", false],
  "Rails has a way down that fails": [
    rails("  def up\n    execute 'a'\n  end\n  def down\n    raise ActiveRecord::IrreversibleMigration\n  end"),
    "Rails",
    false
  ],
  "Django turns its own operations round": [
    django('migrations.AddField("a", "b", models.TextField()),'),
    "Django",
    true
  ],
  "Django runs Python with a reverse": [django("migrations.RunPython(forth, back),"), "Django", true],
  "Django runs Python with a named reverse": [
    django("migrations.RunPython(forth, reverse_code=migrations.RunPython.noop),"),
    "Django",
    true
  ],
  "Django runs Python without a reverse": [django("migrations.RunPython(forth),"), "Django", false],
  "Django runs SQL without a reverse": [django('migrations.RunSQL("DROP TABLE a"),'), "Django", false],
  "Django runs an operation of someone else": [django("mine.Backfill(),"), "Django", null],
  "Alembic goes back": [alembic('op.drop_column("a", "b")'), "Alembic", true],
  "Alembic does nothing on the way back": [alembic("pass"), "Alembic", false],
  "Alembic refuses to go back": [alembic('raise NotImplementedError("no")'), "Alembic", false],
  "Knex goes back": [
    knex("exports.up = (knex) => knex.schema.createTable('a')\nexports.down = (knex) => knex.schema.dropTable('a')\n"),
    "Knex",
    true
  ],
  "Knex does not go back": [
    knex("exports.up = (knex) => knex.schema.dropTable('a')\nexports.down = async () => {}\n"),
    "Knex",
    false
  ],
  "Sequelize goes back": [
    knex(
      "module.exports = {\n  up: async (queryInterface) => { await queryInterface.addColumn('a') },\n  down: async (queryInterface) => { await queryInterface.removeColumn('a') }\n}\n"
    ),
    "Sequelize",
    true
  ],
  "Sequelize does not go back": [
    knex("module.exports = {\n  async up(queryInterface) { await queryInterface.addColumn('a') }\n}\n"),
    "Sequelize",
    false
  ],
  "node-pg-migrate says that it does not go back": [
    knex("exports.up = (pgm) => { pgm.sql('a') }\nexports.down = false\n"),
    "node-pg-migrate",
    false
  ],
  "TypeORM goes back": [typeOrm('async down(q: QueryRunner) { await q.query("b") }'), "TypeORM", true],
  "TypeORM does not go back": [typeOrm('async down(q: QueryRunner) { throw new Error("no") }'), "TypeORM", false],
  "Laravel goes back": [laravel("public function down(): void { Schema::dropIfExists('a'); }"), "Laravel", true],
  "Laravel does not go back": [laravel("public function down(): void { // nothing\n }"), "Laravel", false],
  "EF Core goes back": [efCore('b.CreateTable("a");'), "EF Core", true],
  "EF Core does not go back": [efCore(""), "EF Core", false],
  "Flyway has a script that undoes it": [
    { "db/migration/V2__a.sql": "DROP TABLE a;", "db/migration/U2__a.sql": "CREATE TABLE a ();" },
    "Flyway",
    true
  ],
  "Flyway has no script that undoes it": [{ "db/migration/V2__a.sql": "DROP TABLE a;" }, "Flyway", false],
  "Flyway runs it again": [{ "db/migration/R__a.sql": "CREATE VIEW a;" }, "Flyway", null],
  "golang-migrate goes down": [
    { "migrations/1_a.up.sql": "a;", "migrations/1_a.down.sql": "b;" },
    "golang-migrate",
    true
  ],
  "golang-migrate goes down by comments": [
    { "migrations/1_a.up.sql": "a;", "migrations/1_a.down.sql": "-- none\r\n" },
    "golang-migrate",
    false
  ],
  "Prisma has a script beside it": [
    { "prisma/migrations/1_a/migration.sql": "a;", "prisma/migrations/1_a/down.sql": "b;" },
    "Prisma",
    true
  ],
  "Prisma has none": [{ "prisma/migrations/1_a/migration.sql": "a;" }, "Prisma", false],
  "goose goes down": [
    { "migrations/1_a.sql": "-- +goose Up\nCREATE TABLE a ();\n-- +goose Down\nDROP TABLE a;\n" },
    "goose",
    true
  ],
  "goose does not go down": [
    { "migrations/1_a.sql": "-- +goose Up\nDROP TABLE a;\n-- +goose Down\n-- nothing\n" },
    "goose",
    false
  ],
  "goose in Go goes down": [
    { "migrations/1_a.go": "package m\nfunc init() { goose.AddMigration(up, down) }\n" },
    "goose",
    true
  ],
  "goose in Go does not go down": [
    { "migrations/1_a.go": "package m\nfunc init() { goose.AddMigrationContext(up, nil) }\n" },
    "goose",
    false
  ],
  "Liquibase has rollbacks": [
    {
      "db/changelog/1.sql":
        "--liquibase formatted sql\n--changeset ann:1\nCREATE TABLE a ();\n--rollback DROP TABLE a;\n"
    },
    "Liquibase",
    true
  ],
  "Liquibase lacks a rollback": [
    { "db/changelog/1.sql": "--liquibase formatted sql\n--changeset ann:1\nDROP TABLE a;\n" },
    "Liquibase",
    false
  ],
  "a script of an unknown tool": [{ "migrations/1_a.sql": "DROP TABLE a;" }, null, null]
}

describe("migrations of a change", () => {
  it.each(Object.entries(cases))("%s", async (_, [head, form, reversible]) => {
    const { migrations } = await described({}, head)
    assert.deepStrictEqual(
      migrations.map((one) => [one.form, one.reversible]),
      [[form, reversible]]
    )
  })

  it("are named with the line that shows it", async () => {
    const { migrations } = await described(
      {},
      rails("  def change\n    add_column :a, :b, :string\n    remove_column :a, :b\n  end")
    )
    assert.deepStrictEqual(migrations, [
      {
        path: railsPath,
        line_start: 4,
        line_end: 4,
        form: "Rails",
        reversible: false,
        reason: "runs `remove_column` without the type in `change`"
      }
    ])
  })

  it("are no other files: tests, deleted ones, snapshots of a model and helpers", async () => {
    const head = {
      "test/migrations/1_a.sql": "DROP TABLE a;",
      "Data/Migrations/X.Designer.cs": "partial class X : Migration {}",
      "src/versions/compare.py": "def compare(a, b): return a > b\n",
      "src/migrations/index.ts": "export const list = []\n",
      "migrations/1_a.down.sql": "DROP TABLE a;"
    }
    const { migrations } = await described({ "migrations/0_a.sql": "a;" }, head)
    assert.deepStrictEqual(migrations, [])
  })
})
