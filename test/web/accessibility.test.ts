import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { accessibleInEveryLook } from "./support/accessibility.ts"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { furnish, shopFiles } from "./support/furnished.ts"
import { addresses, drawn } from "./support/views.ts"
import { signIn, World } from "./support/world.ts"

inBrowser("accessibility", World.holding(shopFiles), (it) => {
  it.scoped("every view has no violation, light and dark, wide and narrow", () =>
    Effect.gen(function* () {
      const world = yield* World
      const of = yield* furnish(world)
      const person = yield* world.visit(world.server.api)
      const { page } = person
      yield* signIn(person)
      const failures: Array<string> = []
      for (const address of Object.values(addresses).flatMap((at) => at(of))) {
        yield* steps(async () => {
          await page.goto(address)
          await drawn(page)
        })
        // All of them, so that one run shows what there is to correct.
        yield* Effect.catchAllDefect(accessibleInEveryLook(page, address), (failure) =>
          Effect.sync(() => failures.push(String(failure)))
        )
      }
      assert.deepStrictEqual(failures, [])
      yield* noProblems(person)
    })
  )
})
