import { assert, it } from "vitest"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { treeOf } from "../support/audit.ts"

const found = async (rule: string, files: Record<string, string>) => {
  const { findings } = await scan(treeOf(files), { suite: "full", tools })
  return findings
    .filter(({ rule_id }) => rule_id === rule)
    .map(({ kind, locations }) => `${kind} ${locations.map(({ file_path }) => file_path).join(" ")}`)
    .sort()
}

const page = "<!doctype html>\n<html>\n<head>\n<title>Shop</title>\n</head>\n<body>\n<p>Shop</p>\n</body>\n</html>\n"

it("pages of one folder, or of its translations, that state no language are one observation", async () => {
  const files = { "help/de/a.html": page, "help/pt-BR/a.html": page, "help/de/b.html": page, "web/index.html": page }
  assert.deepStrictEqual(await found("accessibility.page_without_language", files), [
    "advisory help/de/a.html help/de/b.html help/pt-BR/a.html",
    "advisory web/index.html"
  ])
})

it("a mail that states no language is reported with less confidence than a page", async () => {
  const files = { "shop/emails/welcome.html": page, "web/index.html": page }
  const { findings } = await scan(treeOf(files), { suite: "full", tools })
  const [mail, ofPage] = Object.keys(files).map(
    (path) =>
      findings.find(
        ({ rule_id, locations }) =>
          rule_id === "accessibility.page_without_language" && locations.some(({ file_path }) => file_path === path)
      )?.confidence
  )
  assert.strictEqual(mail, 0.6)
  assert.isAbove(ofPage ?? 0, 0.7)
})

it("an index that the script of a release builds is an advisory, one of a migration a finding", async () => {
  const first = "CREATE TABLE orders (id BIGSERIAL PRIMARY KEY, state TEXT);\n"
  const index = "CREATE INDEX orders_by_state ON orders (state);\n"
  const files = {
    "release/postgres/upgrade/1.0.0.sql": first,
    "release/postgres/upgrade/2.4.0.sql": index,
    "shop/postgres/migrations/0001_init.sql": first,
    "shop/postgres/migrations/0002_orders.sql": index
  }
  assert.deepStrictEqual(await found("database_schema.index_locks_table", files), [
    "advisory release/postgres/upgrade/2.4.0.sql",
    "finding shop/postgres/migrations/0002_orders.sql"
  ])
})
