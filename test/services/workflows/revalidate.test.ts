import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { as, type Tenant } from "../../support/jobs.ts"
import { numberOf } from "../../support/services.ts"
import { aWorkplace, observed, ran, Workshop } from "../../support/workflows.ts"

const query = (name: string) =>
  `export const ${name} = (req, db) => db.query("SELECT * FROM ${name} WHERE id = " + req.query.id)\n`
const files = {
  "src/users.js": query("users"),
  "src/orders.js": query("orders"),
  "src/carts.js": query("carts"),
  "src/stays.js": query("stays")
}

const refIn = (rows: Effect.Effect.Success<ReturnType<typeof observed>>, path: string) =>
  [...rows.values()].find(
    ({ tool, locations }) => tool === "sql_injection" && locations?.some(({ file_path }) => file_path === path)
  )!.ref

const detail = (tenant: Tenant, ref: string) =>
  as(tenant)(Effect.flatMap(Observations, (observations) => observations.get(numberOf(ref))))

layer(Workshop, { timeout: "10 minutes" })("revalidate", (it) => {
  it.effect(
    "follows what moved, closes what is gone with the reason, and an audit brings back what returns",
    () =>
      Effect.gen(function* () {
        const { repository, tenant } = yield* aWorkplace(files)
        assert.strictEqual((yield* ran(tenant, "audit")).status, "completed")
        const before = yield* observed(tenant)
        const [users, orders, carts, stays] = Object.keys(files).map((path) => refIn(before, path))
        repository.commit(
          {
            "src/users.js": `// A line above.\n\n${query("users")}`,
            "src/orders.js": 'export const orders = (req, db) => db.query("SELECT 1")\n'
          },
          { remove: ["src/carts.js"] }
        )
        const refs = [users!, orders!, carts!, stays!]
        const job = yield* ran(tenant, "revalidate", { refs })
        assert.strictEqual(job.status, "completed", job.error ?? "")
        const { checked, confirmed, moved, closed_no_longer_found, closed_stale, inconclusive, not_checked, ...rest } =
          job.result!
        assert.deepStrictEqual(
          { checked, confirmed, moved, closed_no_longer_found, closed_stale, inconclusive },
          { checked: 4, confirmed: 1, moved: 1, closed_no_longer_found: 1, closed_stale: 1, inconclusive: 0 }
        )
        assert.deepStrictEqual(rest.refs, {
          confirmed: [stays],
          moved: [users],
          closed_no_longer_found: [orders],
          closed_stale: [carts],
          inconclusive: []
        })
        assert.deepStrictEqual(not_checked, [])
        assert.strictEqual(job.commit_sha, repository.git("rev-parse", "main"))

        const seen = yield* detail(tenant, users!)
        assert.strictEqual(seen.locations[0]?.line_start, 3)
        assert.strictEqual(seen.times_seen, 2)
        assert.deepStrictEqual(
          seen.events.map(({ event, reason }) => [event, reason]),
          [
            ["found", null],
            ["seen_again", "moved from src/users.js:1 to src/users.js:3"]
          ]
        )
        assert.deepStrictEqual(
          [seen.evidence.citation?.checked_at_stage, seen.evidence.detection_query],
          ["revalidate", { absence_hint: false, match_count: 1, status: "confirmed" }]
        )

        const gone = yield* detail(tenant, orders!)
        assert.deepStrictEqual(
          [gone.status, gone.close_reason, gone.dismissal_category, gone.closed_by?.label],
          ["closed", "dismissed", "no_longer_found", "revalidate"]
        )
        assert.deepStrictEqual(gone.evidence, {
          citation: {
            checked_at_stage: "revalidate",
            path_resolved: true,
            line_in_range: true,
            missing_identifiers: []
          },
          detection_query: { absence_hint: true, match_count: 0, status: "absent" }
        })
        assert.deepStrictEqual(gone.events.at(-1)?.event, "dismissed")

        const stale = yield* detail(tenant, carts!)
        assert.strictEqual(stale.dismissal_category, "stale")
        assert.deepStrictEqual(stale.evidence, {
          citation: {
            checked_at_stage: "revalidate",
            path_resolved: false,
            line_in_range: false,
            missing_identifiers: null
          },
          detection_query: { absence_hint: false, match_count: 0, status: "absent" }
        })

        repository.commit({ "src/orders.js": query("orders"), "src/carts.js": query("carts") })
        yield* ran(tenant, "audit")
        const after = yield* observed(tenant)
        assert.deepStrictEqual(
          [users, orders, carts, stays].map((ref) => after.get(ref!)?.status),
          ["new", "new", "new", "new"]
        )
      }),
    600_000
  )

  it.effect(
    "follows a renamed file, and says nothing of a file that can no longer be inspected",
    () =>
      Effect.gen(function* () {
        const { repository, tenant } = yield* aWorkplace(files)
        yield* ran(tenant, "standard_audit")
        const before = yield* observed(tenant)
        const [users, orders] = Object.keys(files).map((path) => refIn(before, path))
        repository.commit(
          { "src/orders.js": `${query("orders")}\n// ${"x".repeat(600_000)}\n` },
          { rename: { "src/users.js": "lib/people.js" } }
        )
        const { status, result } = yield* ran(tenant, "revalidate")
        assert.strictEqual(status, "completed")
        assert.strictEqual(result?.checked, before.size)
        assert.strictEqual((yield* detail(tenant, users!)).locations[0]?.file_path, "lib/people.js")
        const { status: still, evidence } = yield* detail(tenant, orders!)
        assert.deepStrictEqual([still, evidence.detection_query?.status], ["new", "inconclusive"])
        assert.deepStrictEqual(result?.inconclusive_because, { file_not_inspected: result?.inconclusive })
        // A closed observation is distinguished from one that never existed.
        yield* as(tenant)(
          Effect.flatMap(Observations, (observations) =>
            observations.dismiss(numberOf(users!), {
              dismissal_category: "wont_fix",
              dismissal_note: "We live with it."
            })
          )
        )
        const again = yield* ran(tenant, "revalidate", { refs: [users!] })
        assert.deepStrictEqual(
          [again.result?.checked, again.result?.not_checked],
          [0, [{ ref: users, reason: "closed" }]]
        )
      }),
    600_000
  )

  it.effect("rejects params that are not a list of refs", () =>
    Effect.gen(function* () {
      const { tenant } = yield* aWorkplace({ a: "a" })
      for (const params of [{ refs: [] }, { refs: ["OBS-0"] }, { refs: "OBS-1" }, { ref: ["OBS-1"] }]) {
        const error = yield* Effect.flip(ran(tenant, "revalidate", params))
        assert.strictEqual("spec" in error ? error.spec.type : "", "validation_error", JSON.stringify(params))
      }
    })
  )
})
