import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { call } from "../support/server.ts"
import { accessibleInEveryLook } from "./support/accessibility.ts"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { plantedRoutes } from "./support/planted.ts"
import { queue, type Row, rowsOf } from "./support/queue.ts"
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

/** A value that goes through several lines before it does harm. */
const longWay = `import { exec } from "node:child_process"
import express from "express"

const app = express()

app.get("/archive", (req, res) => {
  const folder = req.query.folder
  const command = "tar cf out.tar " + folder
  exec(command, () => res.end())
})
`

/** One audited repository for all of these tests. */
const Audited = Layer.effectDiscard(
  Effect.flatMap(World, ({ server, key, repository }) => audited(server, key, repository.path))
).pipe(Layer.provideMerge(World.holding({ ...plantedRoutes(6), "src/archive.js": longWay })))

const commandInjection = "command_injection.untrusted_command"

/** The open command injections, of which each file has one. */
const open = (query = "") =>
  Effect.gen(function* () {
    const { server, key } = yield* World
    const { body } = yield* call<{ readonly data: ReadonlyArray<{ readonly ref: string }> }>(
      server,
      key,
      "GET",
      `/api/observations?status=new&rule=${commandInjection}&limit=200${query}`
    )
    return body.data.map(({ ref }) => ref)
  })

const statusOf = (ref: string) =>
  Effect.flatMap(World, ({ server, key }) =>
    Effect.map(
      call<{ readonly status: string }>(server, key, "GET", `/api/observations/${ref}`),
      ({ body }) => body.status
    )
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

inBrowser("observations in the web app", Audited, (it) => {
  it.scoped("a list of observations is counted by age, and a saved view keeps the age and the grouping", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
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

  it.scoped("a list says how many an act is about as the server counts them, before it happens", () =>
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

  it.scoped("observations become issues: so many as the preview says, with what became of each observation", () =>
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

  it.scoped("pages lead from one observation to the next by j and k, and a link leads a colleague the same way", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const refs = (yield* queue).map(({ ref }) => ref)
      const person = yield* visit(server.api)
      const { page } = person
      const at = (index: number) => page.waitForURL((url) => url.pathname === `/observations/${refs[index]}`)
      yield* signIn(person, { to: `/triage?open=${refs[1]}` })
      const link = yield* steps(async () => {
        await rowsOf(page)
        await page.keyboard.press("Enter")
        await at(1)
        await page.getByRole("button", { name: "Next in the list" }).waitFor()
        await page.getByText(`2 of ${refs.length}`).waitFor()
        await page.keyboard.press("j")
        await at(2)
        await page.getByText(`3 of ${refs.length}`).waitFor()
        await page.keyboard.press("k")
        await at(1)
        await page.getByRole("button", { name: "Previous in the list" }).click()
        await at(0)
        await page.getByText(`1 of ${refs.length}`).waitFor()
        assert.isTrue(await page.getByRole("button", { name: "Previous in the list" }).isDisabled())
        return page.url()
      })
      yield* steps(async () => {
        // What leaves the list by an act here is followed by what took its place.
        await page.keyboard.press("c")
        await page.getByRole("dialog").getByRole("button", { name: "Complete 1 observation" }).click()
        await page.getByRole("dialog").waitFor({ state: "detached" })
        await page.keyboard.press("j")
        await at(1)
        await page.getByText(`1 of ${refs.length - 1}`).waitFor()
        await page.keyboard.press("z")
        await page.getByText(`2 of ${refs.length}`).waitFor()
        await page.keyboard.press("Escape")
        await page.waitForURL((url) => url.pathname === "/triage" && url.searchParams.get("open") === refs[1])
      })
      const colleague = yield* visit(server.api)
      yield* signIn(colleague, { to: new URL(link).pathname + new URL(link).search })
      yield* steps(async () => {
        await colleague.page.getByText(`1 of ${refs.length}`).waitFor()
        await colleague.page.keyboard.press("j")
        await colleague.page.waitForURL((url) => url.pathname === `/observations/${refs[1]}`)
      })
      yield* noProblems(person)
      yield* noProblems(colleague)
    })
  )

  it.scoped("a page shows steps with their code in place, and the team context that applies there", () =>
    Effect.gen(function* () {
      const { server, key, visit } = yield* World
      yield* call(server, key, "POST", "/api/projects", { slug: "payments", name: "Payments" })
      yield* call(server, key, "POST", "/api/projects/payments/repositories", {
        github_org: "acme",
        github_repo: "shop",
        github_base_branch: "main"
      })
      yield* call(server, key, "POST", "/api/projects/payments/context/entries", {
        key: "convention/shell",
        kind: "convention",
        title: "No shells",
        summary: "Processes are started without a shell.",
        body_md: "Use `execFile`."
      })
      const { body } = yield* call<{ readonly data: ReadonlyArray<Row> }>(
        server,
        key,
        "GET",
        "/api/observations?path=src/archive.js&rule=command_injection.untrusted_command"
      )
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: `/observations/${body.data[0]?.ref}` })
      yield* steps(async () => {
        await page.getByRole("heading", { name: "Source to sink" }).waitFor()
        await page.getByRole("button", { name: "Show code of step 1" }).click()
        const code = page.getByRole("group", { name: /^Source, step 1: src\/archive\.js, lines/ })
        await code.getByText("req.query.folder").waitFor()
        assert.isAbove(await code.locator("[data-n]").count(), 5)
        assert.strictEqual(await code.getByText("Flagged:").count(), 1)
        const context = page.getByRole("list", { name: "Team context of shop@main" })
        await context.getByText("Processes are started without a shell.").waitFor()
        await context.getByText("Proposed").waitFor()
      })
      yield* accessibleInEveryLook(page, "an observation with steps")
      yield* steps(async () => {
        await page.getByRole("button", { name: "Hide code of step 1" }).click()
        await page.getByRole("group", { name: /^Source, step 1/ }).waitFor({ state: "detached" })
        await page.getByRole("link", { name: "convention/shell" }).click()
        await page.waitForURL((url) => url.pathname === "/context" && url.searchParams.get("project") === "payments")
        await page.getByRole("article", { name: "No shells" }).waitFor()
      })
      yield* noProblems(person)
    })
  )

  it.scoped("a page shows the flagged code, more lines when they are asked for, and all that is known", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const [ref = ""] = yield* open("&path=src/route01.js")
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

  it.scoped("an observation is dismissed with a category and a note, and what was done is undone with a key", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const [ref = ""] = yield* open()
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

  it.scoped("a dismissal keeps the note beside what someone else did first", () =>
    Effect.gen(function* () {
      const { server, key, visit } = yield* World
      const [ref = ""] = yield* open()
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

  it.scoped("a dismissal takes the same rule below its folder along, after it has said how many there are", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const refs = yield* open()
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
      assert.deepStrictEqual(yield* open(), [])
      yield* noProblems(person)
    })
  )

  it.scoped("the navigation leads to fix pull requests, where none is open yet", () =>
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
