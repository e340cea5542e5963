import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { accessibleInEveryLook } from "./support/accessibility.ts"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { ownerEmail, signIn, World } from "./support/world.ts"

inBrowser("the frame of the web app", World.holding({ "README.md": "# Shop\n" }), (it) => {
  it.scoped("signs in and out, and leads back to the view that was asked for", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { email: ownerEmail, to: "/repos?cursor=none" })
      yield* steps(() => page.waitForURL("**/repos?**"))
      yield* steps(() => page.getByRole("heading", { name: "Repositories", level: 1 }).waitFor())
      yield* steps(async () => {
        await page.getByRole("button", { name: "Account" }).click()
        await page.getByRole("menuitem", { name: "Sign out" }).click()
        await page.getByRole("button", { name: "Sign in", exact: true }).waitFor()
      })
      yield* accessibleInEveryLook(page, "sign-in")
      assert.strictEqual(new URL(page.url()).pathname, "/sign-in")
      yield* noProblems(person)
    })
  )

  it.scoped("what a button opens has the focus after the first press or Enter, and gives it back on Escape", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/repos" })
      const account = page.getByRole("button", { name: "Account" })
      const bell = page.getByRole("button", { name: /^Notices/ })
      yield* steps(async () => {
        await account.waitFor()
        assert.strictEqual(await account.getAttribute("aria-haspopup"), "menu")
        assert.strictEqual(await account.getAttribute("aria-expanded"), "false")
        await account.focus()
        await page.keyboard.press("Enter")
        await page.locator('[role="menuitem"]:focus').waitFor()
        await page.keyboard.press("Escape")
        await page.locator('button[aria-label="Account"][aria-expanded="false"]:focus').waitFor()
        await page.keyboard.press("ArrowUp")
        await page.locator('[role="menuitem"]:focus').waitFor()
      })
      yield* accessibleInEveryLook(page, "an open menu")
      yield* steps(async () => {
        await page.keyboard.press("Escape")
        await page.getByRole("menu").waitFor({ state: "detached" })
        await account.click()
        await page.locator('[role="menu"]:focus').waitFor()
        await page.keyboard.press("Escape")
        await page.locator('button[aria-label="Account"]:focus').waitFor()
        assert.strictEqual(await bell.getAttribute("aria-haspopup"), "dialog")
        await bell.focus()
        await page.keyboard.press("Enter")
        await page.locator('[role="dialog"][aria-label="Notices"]:focus').waitFor()
      })
      yield* accessibleInEveryLook(page, "the open notices")
      yield* steps(async () => {
        await page.keyboard.press("Escape")
        await page.locator('button[aria-label^="Notices"]:focus').waitFor()
      })
      yield* noProblems(person)
    })
  )

  it.scoped("a wrong password says so in the place of the form, and keeps what was typed", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const person = yield* visit(server.api)
      const { page } = person
      yield* steps(async () => {
        await page.goto("/")
        await page.getByLabel("E-mail").fill("owner@assay.local")
        await page.getByLabel("Password").fill("not the password")
        await page.getByRole("button", { name: "Sign in", exact: true }).click()
        await page.getByRole("alert").waitFor()
        assert.strictEqual(await page.getByLabel("E-mail").inputValue(), "owner@assay.local")
      })
      yield* noProblems(person)
    })
  )
})
