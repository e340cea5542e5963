import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Discoveries } from "../../../src/services/discovery/Discoveries.ts"
import { RepositoryLifecycle } from "../../../src/services/registration/RepositoryLifecycle.ts"
import { as } from "../../support/jobs.ts"
import { madeUp } from "../../support/madeUp.ts"
import { aWorkplace, ran, Workshop } from "../../support/workflows.ts"

const token = `ghp_${madeUp("alnum", 36, 21)}`

const route = (name: string) => `import { Router } from "express"
import { requireUser } from "../guard.js"
const router = Router()
router.post("/${name}", requireUser, async (req, res) => {
  res.json(await save(req.body))
})
export default router
`

const names = ["orders", "users", "carts", "bills", "stores", "items", "sizes", "tags", "words", "views"]

const files = {
  "README.md": "# Shop\n\nA shop that sells things over HTTP to anyone who asks for them.\n",
  "CONTRIBUTING.md":
    "# Contributing\n\n- Always call `requireUser` before a handler.\n- Never edit `src/gone/away.js` by hand.\n",
  "package.json": `{
  "name": "shop",
  "scripts": { "test": "vitest run", "build": "tsc" },
  "dependencies": { "express": "^4.18.0" }
}
`,
  "src/guard.js": "export const requireUser = (req, res, next) => next()\n",
  "src/settings.js": `export const port = process.env.SHOP_PORT ?? "3000"\nexport const key = process.env.SHOP_KEY || "${token}"\n`,
  "schema.sql":
    "CREATE TABLE users (id uuid PRIMARY KEY);\nCREATE TABLE orders (id uuid PRIMARY KEY, user_id uuid REFERENCES users, total integer);\n",
  ...Object.fromEntries(names.map((name) => [`src/routes/${name}.js`, route(name)]))
}

layer(Workshop, { timeout: "10 minutes" })("discover", (it) => {
  it.effect(
    "describes what a repository is, its conventions and how to work on it, each with its location",
    () =>
      Effect.gen(function* () {
        const { repository, tenant } = yield* aWorkplace(files)
        const discoveries = yield* Discoveries
        const job = yield* ran(tenant, "discover")
        assert.strictEqual(job.status, "completed", job.error ?? "")
        assert.strictEqual(job.result?.commit_sha, repository.git("rev-parse", "main"))
        const written = yield* as(tenant)(discoveries.files(tenant.path))

        assert.deepInclude((written.profile?.frameworks as ReadonlyArray<unknown> | undefined)?.[0], {
          name: "Express",
          line: 4
        })
        assert.include(
          written.principles_md ?? "",
          "“Always call `requireUser` before a handler.” (`CONTRIBUTING.md:3`)"
        )
        assert.include(written.principles_md ?? "", "pass `requireUser`: 10 of 10 such routes (100 %)")
        assert.include(
          written.patterns_md ?? "",
          "10 of 10 places (100 %) in 10 files. Typical: `src/routes/bills.js:4`"
        )
        assert.include(written.env_vars_md ?? "", "`SHOP_PORT`: default `3000`; `src/settings.js:1`")
        assert.include(written.domain_md ?? "", "- **orders** (SQL table `schema.sql:2`)")
        assert.include(written.guides.find(({ slug }) => slug === "test")?.content ?? "", "`npm test`: `vitest run`")
        assert.isBelow(Buffer.byteLength(written.hyrax_md ?? ""), 8192)

        // A sentence that names an absent symbol is left out and reported.
        assert.deepStrictEqual(written.unverified_symbols_skipped_time, { principles_md: ["src/gone/away.js"] })
        assert.notInclude(JSON.stringify({ ...written, unverified_symbols_skipped_time: {} }), "src/gone/away.js")
        assert.notInclude(JSON.stringify(written), token)

        const { rules, patterns } = yield* as(tenant)(discoveries.rules(tenant.path, "src/routes/new.js"))
        assert.isTrue(rules.some(({ text }) => text.includes("requireUser")))
        assert.deepStrictEqual(
          patterns.map(({ name }) => name),
          ["route", "response"]
        )

        const again = yield* ran(tenant, "discover")
        assert.strictEqual(again.status, "completed")
        const { last_discovery_at: _, ...second } = yield* as(tenant)(discoveries.files(tenant.path))
        const { last_discovery_at: __, ...first } = written
        assert.deepStrictEqual(second, first)
      }),
    { timeout: 600_000 }
  )

  it.effect("leaves out what a repository without code does not have", () =>
    Effect.gen(function* () {
      const { tenant } = yield* aWorkplace({ "notes.txt": "nothing here\n" })
      assert.strictEqual((yield* ran(tenant, "discover")).status, "completed")
      const written = yield* Effect.flatMap(Discoveries, (discoveries) => as(tenant)(discoveries.files(tenant.path)))
      assert.deepStrictEqual(
        [written.principles_md, written.patterns_md, written.hyrax_md, written.guides, written.skills],
        [null, null, null, [], []]
      )
    })
  )

  it.effect("counts the lines that forecasts scale by, until an audit counts them; a reset forgets them", () =>
    Effect.gen(function* () {
      const { repository, tenant } = yield* aWorkplace({ "a.js": "const one = 1\nexport default one" })
      const sql = yield* SqlClient.SqlClient
      const lines = Effect.map(
        sql<{ lines: number | null }>`SELECT lines::int FROM repositories WHERE id = ${tenant.repository_id}`,
        (rows) => rows.map((row) => row.lines)
      )
      assert.deepStrictEqual(yield* lines, [null])
      yield* ran(tenant, "discover")
      assert.deepStrictEqual(yield* lines, [2])
      repository.commit({ "b.js": "export const two = 2" })
      yield* ran(tenant, "standard_audit")
      assert.deepStrictEqual(yield* lines, [3])
      repository.commit({ "c.js": "export const three = 3\n" })
      yield* ran(tenant, "discover")
      assert.deepStrictEqual(yield* lines, [3])
      const lifecycle = yield* RepositoryLifecycle
      yield* as(tenant)(lifecycle.reset(tenant.path, { wipe: true }))
      assert.deepStrictEqual(yield* lines, [null])
    })
  )
})
