import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { WorkspaceId } from "../../src/schema/Ids.ts"
import { newId } from "../../src/services/support/ids.ts"
import { assay } from "../support/assayCommand.ts"
import { Database, TestDatabase } from "../support/Database.ts"
import { inForm } from "../support/forms.ts"

const named = (name: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = yield* newId(WorkspaceId)
    yield* sql`INSERT INTO workspaces (id, name, created_at) VALUES (${id}, ${name}, '2026-01-01T00:00:00Z')`
    return id
  })

const workspace = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(TestDatabase, ({ url }) =>
    assay(["workspace", ...args], { env: { DATABASE_URL: Redacted.value(url), HOME: "/tmp" } })
  )

layer(Database)("assay workspace", (it) => {
  it.effect("set changes what is named and nothing else, and list shows it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const id = yield* named("Acme")
      const settings = [
        ["--plan", "paid", "--credit", "20", "--spend-per-hour", "2.5", "--job-cap", "0.5", "--pause-spend"],
        ["--max-queued", "5", "--max-running", "2", "--workflows", "audit,fix", "--suspend"],
        ["--feature", "audit_suggestions=on"]
      ].flat()
      const set = yield* workspace("set", ...settings, "Acme")
      assert.deepStrictEqual([set.status, set.stderr], [0, ""])
      assert.strictEqual(
        set.stdout,
        `Acme (${id}): suspended, plan paid, 0 repositories, 0 members, features: audit_suggestions\n` +
          "  credit 20 USD; hourly ceiling 2.5 USD; job cap 0.5 USD; spending paused; at most 5 queued; " +
          "at most 2 running; workflows: audit, fix\n"
      )
      assert.strictEqual((yield* workspace("list")).stdout, set.stdout)

      const back = [
        ["--credit", "unmetered", "--spend-per-hour", "none", "--job-cap", "none", "--resume-spend", "--resume"],
        ["--max-queued", "default", "--max-running", "default", "--workflows", "all", "--plan", "free"]
      ].flat()
      assert.strictEqual(
        (yield* workspace("set", ...back, id)).stdout,
        `Acme (${id}): active, plan free, 0 repositories, 0 members, features: none\n` +
          "  credit unmetered; no hourly ceiling; no job cap\n"
      )
      assert.deepStrictEqual(yield* sql`SELECT kind, amount_usd::float8 AS usd FROM spend_entries ORDER BY id`, [
        { kind: "credit", usd: 20 },
        { kind: "credit", usd: null }
      ])
    })
  )

  it.effect("set says what it does not understand, with status 2, and changes nothing", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* named("Twice"), yield* named("Twice")]
      const rejections: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
        [["--credit", "5", "Twice"], one],
        [["Twice"], "Say what to set"],
        [["--credit", "5", "Absent"], "There is no workspace Absent."],
        [["--credit", "-5", "Twice"], "--credit must be an amount of USD, or unmetered"],
        [["--job-cap", "0", "Twice"], "--job-cap must be an amount of USD above 0, or none"],
        [["--workflows", "scan", "Twice"], "--workflows must be all, or some of standard_audit"],
        [["--feature", "audit_suggestions", "Twice"], "=on or =off"],
        [
          ["--feature", "mission=on", "Twice"],
          "the features are missions, change_reviews, webhooks, audit_suggestions"
        ],
        [
          ["--plan", "free", "--feature", "audit_suggestions=on", one],
          "The plan free has no audit_suggestions; give --plan paid"
        ],
        [["--pause-spend", "--resume-spend", "Twice"], "not both"]
      ]
      const tried = inForm({ short: rejections.slice(0, 2), long: rejections })
      const answers = yield* Effect.forEach(tried, ([args]) => workspace("set", ...args), { concurrency: 2 })
      answers.forEach(({ status, stdout, stderr }, i) => {
        const [args, message] = tried[i]!
        assert.deepStrictEqual([status, stdout], [2, ""], args.join(" "))
        assert.include(stderr, message)
      })
      assert.include(answers[0]?.stderr ?? "", other)
    })
  )
})
