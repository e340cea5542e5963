import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { furnish, shopFiles } from "./support/furnished.ts"
import { invited } from "./support/invited.ts"
import { addresses, drawn } from "./support/views.ts"
import { signIn, World } from "./support/world.ts"

/** Words of buttons that change something which others see. */
const changing =
  /^(?:Acknowledge|Add|Approve|Audit|Cancel|Claim|Close|Complete|Confirm|Create (?!key)|Delete|Disable|Dismiss|Edit|File|Invite|Move|Mute|New|Pause|Refresh|Register|Release|Remove|Reopen|Request|Reset|Restore|Resume|Retry|Review the|Revise|Save (?!as)|Send (?!me)|Set|Skip|Start|Withdraw)/

inBrowser("a viewer", World.holding(shopFiles), (it) => {
  it.scoped("sees every view, and no button that the role may not use", () =>
    Effect.gen(function* () {
      const world = yield* World
      const of = yield* furnish(world)
      yield* invited(world, "viewer@example.org", "viewer")
      const person = yield* world.visit(world.server.api)
      const { page } = person
      yield* signIn(person, { email: "viewer@example.org" })
      const offered: Array<string> = []
      for (const address of Object.values(addresses).flatMap((at) => at(of))) {
        yield* steps(async () => {
          await page.goto(address)
          await drawn(page)
          const names = await page.locator("main").getByRole("button", { disabled: false }).allInnerTexts()
          offered.push(
            ...names.filter((name) => changing.test(name.trim())).map((name) => `${address}: ${name.trim()}`)
          )
        })
      }
      assert.deepStrictEqual(offered, [])
      yield* noProblems(person)
    })
  )

  it.scoped("reads why an observation can only be looked at", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { email: "viewer@example.org", to: "/triage" })
      yield* steps(async () => {
        await page.locator('[data-index="0"]').waitFor()
        await page.getByText("Your role may view observations, but not triage them or request fixes.").waitFor()
        await page.keyboard.press("x")
        await page.getByText("Your role does not permit triage. A member or an admin can do it.").waitFor()
        // Keys do no more than buttons would.
        for (const key of ["e", "d", "c", "f", "t", "i"]) await page.keyboard.press(key)
        assert.strictEqual(await page.getByRole("dialog").count(), 0)
        await page.keyboard.press("Escape")
        await page.keyboard.press("Enter")
        await page.getByText("Your role may view observations, but not triage them.").waitFor()
      })
      yield* noProblems(person)
    })
  )
})
