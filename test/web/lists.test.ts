import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { call } from "../support/server.ts"
import { accessibleInEveryLook } from "./support/accessibility.ts"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { plantedRoutes } from "./support/planted.ts"
import { queue, rowsOf } from "./support/queue.ts"
import { audited, signIn, World } from "./support/world.ts"

/** Ticks the first rows of the list. */
const tick = async (page: Page, count: number) => {
  await rowsOf(page)
  await page.keyboard.press("j")
  await page.keyboard.press("k")
  await page.keyboard.press("x")
  for (let n = 1; n < count; n++) await page.keyboard.press("j")
  await page.keyboard.press("Shift+X")
  await page.getByText(`${count} selected`).waitFor()
}

const previewed = (page: Page, path: string) =>
  page.waitForResponse(
    (response) =>
      response.url().endsWith(path) && (response.request().postDataJSON() as { preview?: boolean }).preview === true
  )

inBrowser("lists of observations", World.holding(plantedRoutes(6)), (it) => {
  it.scoped("are counted by age, and a saved view keeps the age and the grouping", () =>
    Effect.gen(function* () {
      const { server, key, repository, visit } = yield* World
      yield* audited(server, key, repository.path)
      const all = yield* queue
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/triage" })
      yield* steps(async () => {
        await rowsOf(page)
        const age = page.getByRole("complementary", { name: "Facets" }).getByRole("region", { name: "Age" })
        const countOf = (label: string) =>
          age
            .getByRole("listitem")
            .filter({ hasText: label })
            .getByText(/^[\d,]+$/)
            .innerText()
        assert.strictEqual(await countOf("Today"), String(all.length))
        assert.strictEqual(await countOf("Older"), "0")
        await age.getByText("Last 7 days").click()
        await page.waitForURL("**/triage?age=week")
        // Its own values do not narrow a facet.
        assert.strictEqual(await countOf("Last 30 days"), String(all.length))
        await page.getByRole("button", { name: "Group: none" }).click()
        await page.getByRole("menuitem", { name: "Rule" }).click()
        await page.waitForURL("**/triage?age=week&group=rule")
        await page.getByRole("button", { name: "Save view" }).click()
        await page.getByRole("textbox", { name: "Name" }).fill("This week by rule")
        await page.getByRole("button", { name: "Save view" }).last().click()
        await page.getByRole("link", { name: /^This week by rule/ }).waitFor()
        await page.goto("/triage")
        await page.getByRole("link", { name: /^This week by rule/ }).click()
        await page.waitForURL(
          (url) => url.searchParams.get("age") === "week" && url.searchParams.get("group") === "rule"
        )
        await page.getByRole("button", { name: "Group: rule" }).waitFor()
      })
      yield* noProblems(person)
    })
  )

  it.scoped("say how many an act is about as the server counts them, before it happens", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/triage" })
      yield* steps(async () => {
        await tick(page, 4)
        const [response] = await Promise.all([previewed(page, "/api/observations/bulk"), page.keyboard.press("c")])
        const { count } = (await response.json()) as { readonly count: number }
        assert.strictEqual(count, 4)
        const dialog = page.getByRole("dialog")
        await dialog.getByRole("button", { name: `Complete ${count} observations` }).waitFor()
        await dialog.getByRole("button", { name: "Cancel" }).click()
      })
      yield* noProblems(person)
    })
  )

  it.scoped("become issues: so many as the preview says, with what became of each observation", () =>
    Effect.gen(function* () {
      const { server, key, visit } = yield* World
      yield* call(server, key, "POST", "/api/projects", { slug: "payments", name: "Payments" })
      const [first] = yield* queue
      yield* call(server, key, "POST", "/api/issues/from-findings", { project: "payments", refs: [first?.ref] })
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/triage" })
      yield* steps(async () => {
        await tick(page, 3)
        await page.keyboard.press("i")
        const dialog = page.getByRole("dialog")
        await dialog.getByRole("button", { name: /Project/ }).click()
        await page.getByRole("option", { name: "Payments" }).click()
        await dialog.getByText("2 issues will be created.").waitFor()
        await dialog.getByText("1 observation has an open issue already.").waitFor()
      })
      yield* accessibleInEveryLook(page, "issues from observations")
      yield* steps(async () => {
        const dialog = page.getByRole("dialog")
        await dialog.getByRole("button", { name: "Create 2 issues" }).click()
        await page.getByRole("heading", { name: "2 issues created" }).waitFor()
        assert.strictEqual(await dialog.getByRole("row").filter({ hasText: "Had an issue" }).count(), 1)
        assert.strictEqual(await dialog.getByRole("row").filter({ hasText: "Created" }).count(), 2)
      })
      yield* accessibleInEveryLook(page, "issues that were created")
      yield* steps(async () => {
        await page.getByRole("dialog").getByRole("link", { name: /^ISS-/ }).last().click()
        await page.waitForURL("**/issues/ISS-*")
      })
      yield* noProblems(person)
    })
  )
})
