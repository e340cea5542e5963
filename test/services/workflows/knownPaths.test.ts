import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Discoveries } from "../../../src/services/discovery/Discoveries.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { RepositoryLifecycle } from "../../../src/services/registration/RepositoryLifecycle.ts"
import { as, type Tenant } from "../../support/jobs.ts"
import { aWorkplace, ran, Workshop } from "../../support/workflows.ts"

/** What both questions about a file report of it, which must agree. */
const isKnown = (tenant: Tenant, file_path: string) =>
  Effect.gen(function* () {
    const observations = yield* Observations
    const discoveries = yield* Discoveries
    const recent = yield* observations.recent(tenant.path, { file_path })
    const rules = yield* discoveries.rules(tenant.path, file_path)
    assert.strictEqual(rules.path_known, recent.path_known, file_path)
    return recent.path_known
  }).pipe(as(tenant))

const long = { timeout: 600_000 }

layer(Workshop, { timeout: "10 minutes" })("a file", (it) => {
  for (const workflow of ["standard_audit", "discover"] as const) {
    it.effect(
      `is known when the commit that the last ${workflow} read has it; nothing is known before the first one`,
      () =>
        Effect.gen(function* () {
          const files = { "src/app.js": "export const one = 1\n", "docs/naïve name.md": "# Text\n", "odd\\xff": "x" }
          const { repository, tenant } = yield* aWorkplace(files)
          assert.isNull(yield* isKnown(tenant, "src/app.js"))
          const { status, error } = yield* ran(tenant, workflow)
          assert.strictEqual(status, "completed", error ?? "")
          for (const path of ["src/app.js", "./src/app.js", "/src/app.js", "docs/naïve name.md", "odd\\xff"]) {
            assert.isTrue(yield* isKnown(tenant, path), path)
          }
          for (const path of ["src", "src/", "src/App.js", "app.js", "src/gone.js", ""]) {
            assert.isFalse(yield* isKnown(tenant, path), path)
          }

          repository.commit({ "src/new.js": "export const two = 2\n" }, { remove: ["src/app.js"] })
          assert.isFalse(yield* isKnown(tenant, "src/new.js"))
          assert.strictEqual((yield* ran(tenant, workflow)).status, "completed")
          assert.isTrue(yield* isKnown(tenant, "src/new.js"))
          assert.isFalse(yield* isKnown(tenant, "src/app.js"))

          const lifecycle = yield* RepositoryLifecycle
          yield* as(tenant)(lifecycle.reset(tenant.path, { wipe: true }))
          assert.isNull(yield* isKnown(tenant, "src/new.js"))
        }),
      long
    )
  }
})
