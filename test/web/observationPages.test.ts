import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "../support/server.ts"
import { accessibleInEveryLook } from "./support/accessibility.ts"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { plantedRoutes } from "./support/planted.ts"
import { queue, type Row, rowsOf } from "./support/queue.ts"
import { audited, signIn, World } from "./support/world.ts"

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

inBrowser("pages of observations", World.holding({ ...plantedRoutes(6), "src/archive.js": longWay }), (it) => {
  it.scoped("lead from one observation to the next by j and k, and a link leads a colleague the same way", () =>
    Effect.gen(function* () {
      const { server, key, repository, visit } = yield* World
      yield* audited(server, key, repository.path)
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

  it.scoped("open observations whose steps show their code in place, and the team context that applies there", () =>
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
})
