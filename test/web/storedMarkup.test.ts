import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { furnish, shopFiles } from "./support/furnished.ts"
import { poisoned, trickyFiles } from "./support/poison.ts"
import { tricks } from "./support/tricks.ts"
import { addresses, drawn } from "./support/views.ts"
import { signIn, World } from "./support/world.ts"

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

inBrowser("stored markup", World.holding({ ...shopFiles, ...trickyFiles }), (it) => {
  it.scoped("no text of the API runs a script or leads elsewhere, in any view", () =>
    Effect.gen(function* () {
      const world = yield* World
      const of = yield* furnish(world)
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
      for (const address of Object.values(addresses).flatMap((at) => at(of))) {
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
