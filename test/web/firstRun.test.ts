import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { Database, TestDatabase } from "../support/Database.ts"
import { aFolder, aRepository } from "../support/gitRepository.ts"
import { aServer, aTemporaryFolder } from "../support/server.ts"
import { accessibleInEveryLook } from "./support/accessibility.ts"
import { aBrowser, inBrowser, noProblems, steps } from "./support/chromium.ts"
import { plantedRoutes } from "./support/planted.ts"
import { drawn } from "./support/views.ts"
import { ownerPassword } from "./support/world.ts"

const started = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  const root = aFolder()
  const shop = join(root, "team/shop")
  aRepository(plantedRoutes(3), { path: shop })
  mkdirSync(join(root, "no-repository"))
  const server = yield* aServer({
    dataDir: yield* aTemporaryFolder,
    env: {
      DATABASE_URL: Redacted.value(url),
      ASSAY_LOCAL_REPO_ROOTS: root
    }
  })
  const token = /#token=(\w+)/.exec(server.log())?.[1] ?? ""
  return { api: server.api, token, shop, visit: yield* aBrowser }
})

inBrowser("the first run", Layer.fresh(Database), (it) => {
  it.scoped("goes from the sign-in link to the first finding in three clicks", () =>
    Effect.gen(function* () {
      const { api, token, shop, visit } = yield* started
      const person = yield* visit(api)
      const { page } = person

      yield* steps(async () => {
        await page.goto(`/sign-in#token=${token}`)
        await page.getByLabel("New password").fill(ownerPassword)
        await page.getByRole("button", { name: "Sign in", exact: true }).click()
        const audit = page.getByRole("button", { name: /^Audit this folder for / })
        assert.strictEqual(await audit.getAttribute("aria-label").then((name) => name?.endsWith(`: ${shop}`)), true)
      })
      yield* accessibleInEveryLook(page, "choice of code")
      yield* steps(async () => {
        await page.getByRole("button", { name: /^Audit this folder for / }).click()
        await page.getByRole("heading", { name: "Found first by this audit" }).waitFor()
        await page
          .getByRole("region", { name: "Found first by this audit" })
          .getByRole("listitem")
          .getByRole("link")
          .first()
          .click()
        await page.waitForURL(/\/observations\/OBS-\d+/)
        await drawn(page)
      })

      yield* steps(async () => {
        await page.goto("/repos/new")
        await page.getByRole("link", { name: "Registered: open it" }).waitFor()
        assert.strictEqual(await page.getByRole("button", { name: /^Audit this folder/ }).count(), 0)
      })
      yield* noProblems(person)
    })
  )
})
