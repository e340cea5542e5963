import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { accessibleInEveryLook, looksOfView } from "./support/accessibility.ts"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { furnish, shopFiles } from "./support/furnished.ts"
import { invited } from "./support/invited.ts"
import { poisoned, trickyFiles } from "./support/poison.ts"
import { tricks } from "./support/tricks.ts"
import { drawn, visited } from "./support/views.ts"
import { signIn, World } from "./support/world.ts"

/** The addresses that each of these tests visits. */
class Visited extends Context.Tag("Visited")<Visited, ReadonlyArray<string>>() {
  static readonly layer = Layer.effect(Visited, Effect.map(Effect.flatMap(World, furnish), visited)).pipe(
    Layer.provideMerge(World.holding({ ...shopFiles, ...trickyFiles }))
  )
}

/** Words of buttons that change something which others see. */
const changing =
  /^(?:Acknowledge|Add|Approve|Audit|Cancel|Claim|Close|Complete|Confirm|Create (?!key)|Delete|Disable|Dismiss|Edit|File|Invite|Move|Mute|New|Pause|Refresh|Register|Release|Remove|Reopen|Request|Reset|Restore|Resume|Retry|Review the|Revise|Save (?!as)|Send (?!me)|Set|Skip|Start|Withdraw)/

/** Elements that would run a script or lead elsewhere than stored texts may. */
const unsafe = (page: Page) =>
  page.evaluate(() => {
    const isSafe = (address: string) => {
      const { protocol, origin } = new URL(address, location.href)
      return (
        ["http:", "https:", "mailto:"].includes(protocol) && !(origin !== location.origin && /^\s*[/\\]/.test(address))
      )
    }
    return [...document.body.querySelectorAll("*")].flatMap((element) =>
      [...element.attributes]
        .filter(({ name, value }) => {
          if (/^on/i.test(name) || name === "srcdoc") return true
          return /^(?:(?:xlink:)?href|src|action|formaction|data)$/i.test(name) && !isSafe(value)
        })
        .map(({ name, value }) => `<${element.localName} ${name}="${value}">`)
    )
  })

inBrowser("every view", Visited.layer, (it) => {
  it.scoped("has no violation of accessibility, light and dark, wide and narrow", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person)
      const failures: Array<string> = []
      for (const [place, address] of (yield* Visited).entries()) {
        yield* steps(async () => {
          await page.goto(address)
          await drawn(page)
        })
        // All of them, so that one run shows what there is to correct.
        yield* Effect.catchAllDefect(accessibleInEveryLook(page, address, looksOfView(place)), (failure) =>
          Effect.sync(() => failures.push(String(failure)))
        )
      }
      assert.deepStrictEqual(failures, [])
      yield* noProblems(person)
    })
  )

  it.scoped("offers a viewer no button that the role may not use", () =>
    Effect.gen(function* () {
      const world = yield* World
      yield* invited(world, "viewer@example.org", "viewer")
      const person = yield* world.visit(world.server.api)
      const { page } = person
      yield* signIn(person, { email: "viewer@example.org" })
      const offered: Array<string> = []
      for (const address of yield* Visited) {
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
      // Why an observation can only be looked at is said, and keys do no more than buttons would.
      yield* steps(async () => {
        await page.goto("/triage")
        await page.locator('[data-index="0"]').waitFor()
        await page.getByText("Your role may view observations, but not triage them or request fixes.").waitFor()
        await page.keyboard.press("x")
        await page.getByText("Your role does not permit triage. A member or an admin can do it.").waitFor()
        for (const key of ["e", "d", "c", "f", "t", "i"]) await page.keyboard.press(key)
        assert.strictEqual(await page.getByRole("dialog").count(), 0)
        await page.keyboard.press("Escape")
        await page.keyboard.press("Enter")
        await page.getByText("Your role may view observations, but not triage them.").waitFor()
      })
      yield* noProblems(person)
    })
  )

  // The last one: it writes over every text of the world.
  it.scoped("shows texts of the API that run no script and lead nowhere else", () =>
    Effect.gen(function* () {
      const world = yield* World
      yield* poisoned
      const person = yield* world.visit(world.server.api)
      const { context, page } = person
      const ran: Array<string> = []
      yield* steps(() => context.exposeFunction("alert", (text: unknown) => ran.push(`${page.url()}: ${text}`)))
      page.on("dialog", (dialog) => {
        ran.push(`${page.url()}: ${dialog.message()}`)
        dialog.dismiss()
      })
      yield* signIn(person)
      for (const address of yield* Visited) {
        const shown = yield* steps(async () => {
          await page.goto(address)
          await drawn(page)
          return { unsafe: await unsafe(page), text: await page.locator("body").innerText() }
        })
        assert.deepStrictEqual(shown.unsafe, [], address)
        assert.notInclude(shown.text, "could not be", address)
      }
      assert.deepStrictEqual(ran, [])
      assert.isAtLeast(tricks.length, 60)
      yield* noProblems(person)
    })
  )
})
