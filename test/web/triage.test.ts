import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { inForm } from "../support/forms.ts"
import { call } from "../support/server.ts"
import { accessibleInEveryLook } from "./support/accessibility.ts"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { plantedRoutes } from "./support/planted.ts"
import { audited, signIn, World } from "./support/world.ts"

/** Every tenth of them is dismissed. */
const triagedByKeyboard = inForm({ short: 10, long: 50 })

const note = "The team has accepted this one for now."

const activeRef = (page: Page) =>
  page.evaluate(
    () => /OBS-\d+/.exec(document.querySelector('[data-index][aria-current="true"]')?.textContent ?? "")?.[0]
  )

/** The row that keys act on holds the focus, too. */
const rowHasFocus = (page: Page) =>
  page.waitForFunction(() => document.activeElement?.matches('[data-index][aria-current="true"]') === true)

const gone = (page: Page, ref: string) =>
  page.waitForFunction(
    (text) =>
      [...document.querySelectorAll("[data-index]")].every(
        (row) => /OBS-\d+/.exec(row.textContent ?? "")?.[0] !== text
      ),
    ref
  )

/** Keys act on another row than before. */
const movedFrom = (page: Page, ref: string) =>
  page.waitForFunction((text) => {
    const row = document.querySelector('[data-index][aria-current="true"]')
    return row !== null && /OBS-\d+/.exec(row.textContent ?? "")?.[0] !== text
  }, ref)

const dialog = (page: Page) => page.getByRole("dialog")

/** Dismisses what is open or ticked, by keys alone. */
const dismiss = async (page: Page) => {
  await page.keyboard.press("d")
  await dialog(page).waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute("type") === "radio")
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("Tab")
  await page.keyboard.type(note)
  await page.keyboard.press("Tab")
  await page.keyboard.press("Tab")
  await page.keyboard.press("Enter")
  await dialog(page).waitFor({ state: "detached" })
}

const open = (page: Page) =>
  Effect.promise(async () => {
    await page.getByRole("grid", { name: "Observations" }).waitFor()
    await page.locator('[data-index="0"]').waitFor()
  })

inBrowser("the triage view", World.holding(plantedRoutes(20)), (it) => {
  it.scoped(`triages ${triagedByKeyboard} findings by keyboard alone, and the focus follows`, () =>
    Effect.gen(function* () {
      const { server, key, repository, visit } = yield* World
      yield* audited(server, key, repository.path)
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/triage" })
      yield* open(page)
      yield* steps(async () => {
        await page.keyboard.press("j")
        await page.keyboard.press("k")
        await rowHasFocus(page)
        const before = new Set<string>()
        for (let triaged = 0; triaged < triagedByKeyboard; triaged++) {
          const ref = (await activeRef(page)) ?? ""
          before.add(ref)
          if (triaged % 10 === 9) {
            await dismiss(page)
            await gone(page, ref)
          } else await page.keyboard.press("e")
          await movedFrom(page, ref)
          await rowHasFocus(page)
        }
        assert.strictEqual(before.size, triagedByKeyboard)
      })
      const { body } = yield* call<{
        readonly status: ReadonlyArray<{ readonly value: string; readonly count: number }>
      }>(server, key, "GET", "/api/observations/facets")
      assert.strictEqual(body.status.find(({ value }) => value === "closed")?.count, triagedByKeyboard / 10)
      yield* noProblems(person)
    })
  )

  it.scoped("ticked rows are dismissed together with one reason, and put back together", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/triage" })
      yield* open(page)
      yield* steps(async () => {
        await page.keyboard.press("j")
        const ref = (await activeRef(page)) ?? ""
        await page.keyboard.press("x")
        await page.keyboard.press("j")
        await page.keyboard.press("j")
        await page.keyboard.press("Shift+X")
        await page.getByText("3 selected").waitFor()
        await dismiss(page)
        await gone(page, ref)
        await page.getByText("3 observations dismissed.").waitFor()
        await page.keyboard.press("z")
        await page.getByRole("checkbox", { name: `Select ${ref}`, exact: true }).waitFor({ state: "attached" })
        await page.getByText("3 observations dismissed.").waitFor({ state: "detached" })
      })
      yield* noProblems(person)
    })
  )

  it.scoped("filters and the open row are in the address: a link shows the same, and back works", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/triage" })
      yield* open(page)
      yield* steps(async () => {
        await page.getByRole("region", { name: "Priority" }).getByText("Medium").click()
        await page.waitForURL("**/triage?priority=P2")
        await page.getByRole("button", { name: "Remove the filter Priority" }).waitFor()
        await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
        await page.keyboard.press("j")
        await page.waitForURL("**/triage?priority=P2&open=OBS-*")
        const link = page.url()
        const ref = await activeRef(page)
        await page.goto(link)
        await page.waitForFunction(
          (text) =>
            document.querySelector('[data-index][aria-current="true"]')?.textContent?.includes(String(text)) === true,
          ref
        )
        await page.getByRole("button", { name: "Remove the filter Priority" }).click()
        await page.waitForURL((url) => !url.search.includes("priority"))
        await page.goBack()
        await page.waitForURL("**/triage?priority=P2&open=OBS-*")
        await page.getByRole("button", { name: "Remove the filter Priority" }).waitFor()
      })
      yield* noProblems(person)
    })
  )

  it.scoped("the command menu opens a view by typing, and the bell reads notices", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/triage" })
      yield* open(page)
      yield* steps(async () => {
        await page.keyboard.press("Control+k")
        await dialog(page).waitFor()
        await page.keyboard.type("go to repos")
        // Before the list is narrowed, the field still names an entry that leaves it.
        await page.waitForFunction(() => {
          const id = document.activeElement?.getAttribute("aria-activedescendant") ?? ""
          return document.getElementById(id)?.textContent?.startsWith("Go to Repositories")
        })
      })
      yield* accessibleInEveryLook(page, "the command menu")
      yield* steps(async () => {
        await page.keyboard.press("Enter")
        await page.waitForURL("**/repos")
        await page.getByRole("button", { name: /^Notices, \d+ unread$/ }).click()
        await dialog(page).getByRole("button", { name: "Mark all as read" }).click()
        await page.getByRole("button", { name: "Notices", exact: true }).waitFor({ state: "attached" })
      })
      yield* noProblems(person)
    })
  )
})
