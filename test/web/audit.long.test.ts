// Held in the short form by: firstRun.test.ts (from the sign-in link to the first findings), jobStory.test.ts (the steps of a
// job), test/e2e/restart.test.ts (a killed server finishes its audit).
import { assert } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { Database, TestDatabase } from "../support/Database.ts"
import { aRepository } from "../support/gitRepository.ts"
import { aServer, aTemporaryFolder, type ServerOptions } from "../support/server.ts"
import { accessibleInEveryLook } from "./support/accessibility.ts"
import { aBrowser, inBrowser, noProblems, steps } from "./support/chromium.ts"
import { plantedRoutes } from "./support/planted.ts"
import { drawn } from "./support/views.ts"
import { ownerPassword } from "./support/world.ts"

const started = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  const repository = aRepository(plantedRoutes(400))
  const options: ServerOptions = {
    dataDir: yield* aTemporaryFolder,
    env: { DATABASE_URL: Redacted.value(url), ASSAY_LOCAL_REPO_ROOTS: repository.path }
  }
  const server = yield* aServer(options)
  const token = /#token=(\w+)/.exec(server.log())?.[1] ?? ""
  return { server, options, repository, token, visit: yield* aBrowser }
})

/** What the browser itself writes when a server is gone or only starts. */
const isOfLostServer = (problem: string) => /net::ERR_|status of 5\d\d|network error/i.test(problem)

inBrowser("an audit in the web app", Layer.fresh(Database), (it) => {
  it.scoped("goes from the sign-in link to the first findings, and goes on by itself after the server was killed", () =>
    Effect.gen(function* () {
      const { server, options, repository, token, visit } = yield* started
      const person = yield* visit(server.api)
      const { page } = person

      yield* steps(async () => {
        await page.goto(`/sign-in#token=${token}`)
        await page.getByLabel("New password").fill(ownerPassword)
        await page.getByRole("button", { name: "Sign in", exact: true }).click()
        await page.getByRole("heading", { name: "What should Assay audit first?" }).waitFor()
        assert.strictEqual(new URL(page.url()).pathname, "/welcome")
        await page.getByLabel("Git URL").fill(repository.path)
        await page.getByRole("textbox", { name: "Owner" }).fill("acme")
        await page.getByRole("textbox", { name: "Name", exact: true }).fill("shop")
        await page.getByRole("button", { name: "Preview" }).click()
        await page.getByRole("button", { name: "Register and audit shop@main" }).click()
        await page.getByRole("heading", { name: "Found first by this audit" }).waitFor()
      })
      yield* accessibleInEveryLook(page, "first run")
      yield* noProblems(person)

      yield* steps(async () => {
        await page.goto("/repos/acme/shop/main")
        await page.getByRole("button", { name: /^Start audit for / }).click()
        await page.getByText("Live", { exact: true }).waitFor()
      })
      yield* server.kill
      yield* steps(() => page.getByText("Connection lost; trying again").waitFor())
      const port = new URL(server.api).port
      yield* aServer({ ...options, env: { ...options.env, ASSAY_PORT: port } })
      yield* steps(async () => {
        await page.getByText("Completed", { exact: true }).first().waitFor({ timeout: 600_000 })
        await page.getByRole("log").getByText("Prepare").first().waitFor()
        const stages = page.getByRole("list").filter({ hasText: "Inspect" }).first()
        assert.match(await stages.innerText(), /Prepare[\s\S]*Inspect[\s\S]*Record/)
      })
      assert.deepStrictEqual(
        person.problems.filter((problem) => !isOfLostServer(problem)),
        []
      )
      // The other views of an audit are looked at in everyView.test.ts.
      yield* steps(() => drawn(page))
      yield* accessibleInEveryLook(page, "job")
    })
  )
})
