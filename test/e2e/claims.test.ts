import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { reportOf } from "../soak/claims/report.ts"
import { soaked } from "../soak/claims/soaked.ts"
import { aWorld } from "../soak/claims/World.ts"
import { Database, TestDatabase } from "../support/Database.ts"
import { inForm } from "../support/forms.ts"
import { aTemporaryFolder } from "../support/server.ts"

const operations = inForm({ short: 200, long: 800 })

layer(Database)("claims over two processes whose clocks are hours apart and move, one of them killed", (it) => {
  it.scoped(
    "are of one holder at any instant, with fences that only rise; old ones write nothing, and nothing is lost",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const world = yield* aWorld({
          databaseUrl: Redacted.value(url),
          folder: yield* aTemporaryFolder,
          keys: 11,
          people: 3,
          managers: 2,
          issues: 4
        })
        const { figures, violations } = reportOf(yield* soaked(world, { operations, seconds: 0, minutes: 0, seed: 7 }))
        assert.deepStrictEqual(violations, [], figures.join("\n"))
      }),
    600_000
  )
})
