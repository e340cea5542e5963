import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { call } from "../support/server.ts"
import { accessibleInEveryLook } from "./support/accessibility.ts"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { plantedRoutes } from "./support/planted.ts"
import { audited, signIn, World } from "./support/world.ts"

interface Row {
  readonly ref: string
  readonly rule_id: string
  readonly status: string
}

const commandInjection = "command_injection.untrusted_command"

/** The open command injections, of which each route has one. */
const open = Effect.gen(function* () {
  const { server, key } = yield* World
  const { body } = yield* call<{ readonly data: ReadonlyArray<Row> }>(
    server,
    key,
    "GET",
    `/api/observations?status=new&rule=${commandInjection}&limit=200`
  )
  return body.data.map(({ ref }) => ref)
})

const statusOf = (ref: string) =>
  Effect.flatMap(World, ({ server, key }) =>
    Effect.map(call<Row>(server, key, "GET", `/api/observations/${ref}`), ({ body }) => body.status)
  )

/** The state that the page shows beside the title. */
const shows = (page: Page, state: string) => page.locator("main").getByText(state, { exact: true }).first().waitFor()

const dismissalOf = async (page: Page, note: string) => {
  await page.keyboard.press("d")
  const dialog = page.getByRole("dialog")
  await dialog.getByText("Won’t fix").click()
  await dialog.getByText("If an audit finds it again, it stays closed.").waitFor()
  await dialog.getByRole("textbox", { name: "Note" }).fill(note)
  return dialog
}

inBrowser("the page of an observation", World.holding(plantedRoutes(4)), (it) => {
  it.scoped("shows the flagged code, more lines when they are asked for, and all that is known", () =>
    Effect.gen(function* () {
      const { server, key, repository, visit } = yield* World
      yield* audited(server, key, repository.path)
      const [ref = ""] = yield* open
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: `/observations/${ref}` })
      yield* steps(async () => {
        await page.getByRole("heading", { level: 1 }).waitFor()
        const code = page.getByRole("group", { name: /^src\/route\d+\.js, lines/ })
        await code.getByText("tar cf out.tar").waitFor()
        const before = await code.locator("[data-n]").count()
        await page.getByRole("button", { name: "Show more lines" }).first().click()
        await page.getByRole("group", { name: "lines 1–" }).waitFor()
        assert.isAbove(await page.getByRole("group", { name: "lines 1–" }).locator("[data-n]").count(), before)
        await page.getByRole("heading", { name: "History" }).waitFor()
        await page.getByText("First seen", { exact: true }).first().waitFor()
        await page.getByRole("heading", { name: "Evidence checks" }).waitFor()
      })
      yield* noProblems(person)
    })
  )

  it.scoped("is dismissed with a category and a note, and what was done is undone with a key", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const [ref = ""] = yield* open
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: `/observations/${ref}` })
      yield* steps(async () => {
        await shows(page, "New")
        const dialog = await dismissalOf(page, "The archive is made of names that we choose.")
        // A reload in the middle keeps the dialog and what was typed.
        await page.reload()
        assert.strictEqual(
          await dialog.getByRole("textbox", { name: "Note" }).inputValue(),
          "The archive is made of names that we choose."
        )
        await dialog.getByText("Won’t fix").click()
      })
      yield* accessibleInEveryLook(page, "dismissal")
      yield* steps(async () => {
        await page.getByRole("button", { name: "Dismiss 1 observation" }).click()
        await shows(page, "Dismissed")
        await page.getByRole("dialog").waitFor({ state: "detached" })
      })
      assert.strictEqual(yield* statusOf(ref), "closed")
      yield* steps(async () => {
        await page.keyboard.press("z")
        await shows(page, "New")
      })
      assert.strictEqual(yield* statusOf(ref), "new")
      yield* noProblems(person)
    })
  )

  it.scoped("keeps the note beside what someone else did first", () =>
    Effect.gen(function* () {
      const { server, key, visit } = yield* World
      const [ref = ""] = yield* open
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: `/observations/${ref}` })
      yield* steps(() => shows(page, "New"))
      yield* call(server, key, "POST", `/api/observations/${ref}/complete`, { note: "Replaced by a library." })
      yield* steps(async () => {
        const dialog = await dismissalOf(page, "The archive is made of names that we choose.")
        await dialog.getByRole("button", { name: "Dismiss 1 observation" }).click()
        await dialog.getByText("“Replaced by a library.”").waitFor()
        await dialog.getByText(`${ref} has changed since you opened it. Your note is kept.`).waitFor()
        assert.strictEqual(
          await dialog.getByRole("textbox", { name: "Note" }).inputValue(),
          "The archive is made of names that we choose."
        )
      })
      yield* noProblems(person)
    })
  )

  it.scoped("takes the same rule below its folder along, after it has said how many there are", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const refs = yield* open
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: `/observations/${refs[0]}` })
      yield* steps(async () => {
        await shows(page, "New")
        const dialog = await dismissalOf(page, "The archives are made of names that we choose.")
        await dialog.getByText(`${commandInjection}: ${refs.length - 1} more`).waitFor()
        await dialog.getByText("Also dismiss this rule below").click()
        await dialog.getByRole("button", { name: `Dismiss ${refs.length} observations` }).click()
        await shows(page, "Dismissed")
        await dialog.waitFor({ state: "detached" })
      })
      assert.deepStrictEqual(yield* open, [])
      yield* noProblems(person)
    })
  )

  it.scoped("leads to fix pull requests, where none is open yet", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/fix-prs" })
      yield* steps(() => page.getByText("No fix has opened a pull request.").waitFor())
      yield* noProblems(person)
    })
  )
})
