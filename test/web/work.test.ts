import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "../support/server.ts"
import { accessibleInEveryLook } from "./support/accessibility.ts"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { audited, registered, signIn, World } from "./support/world.ts"

const unsafe = "import yaml\n\n\ndef read(stream):\n    return yaml.load(stream, Loader=yaml.Loader)\n"
const files = { "app/one.py": unsafe, "app/two.py": unsafe }

interface Page {
  readonly data: ReadonlyArray<{ readonly ref: string }>
}

inBrowser("issues, missions and change reviews", World.holding(files), (it) => {
  it.scoped("a person approves the plan of a mission, and sees its steps run", () =>
    Effect.gen(function* () {
      const { server, key, repository, visit } = yield* World
      yield* audited(server, key, repository.path)
      const { body } = yield* call<Page>(
        server,
        key,
        "GET",
        "/api/observations?rule=insecure_deserialization.unsafe_yaml_load"
      )
      const refs = body.data.map(({ ref }) => ref)
      assert.lengthOf(refs, 2)
      const created = yield* call<{ readonly ref: string }>(server, key, "POST", "/api/missions", {
        repository: "shop@main",
        title: "Read no settings that can run code",
        goal: { refs },
        budget_usd: 2
      })
      assert.strictEqual(created.status, 201, JSON.stringify(created.body))
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/missions" })
      yield* steps(() => page.getByRole("link", { name: "Read no settings that can run code" }).waitFor())
      yield* steps(async () => {
        await page.getByRole("link", { name: "Read no settings that can run code" }).click()
        await page.getByRole("button", { name: "Approve plan and start" }).waitFor()
      })
      yield* steps(async () => {
        await page.getByRole("button", { name: "Approve plan and start" }).click()
        await page.getByText("Running", { exact: true }).first().waitFor()
        await page.getByRole("button", { name: "Cancel the mission…" }).click()
        await page.getByRole("button", { name: "Cancel the mission", exact: true }).click()
        await page.getByText("Cancelled", { exact: true }).first().waitFor()
      })
      yield* noProblems(person)
    })
  )

  it.scoped("a person files an issue, claims it, ticks its criterion and closes it", () =>
    Effect.gen(function* () {
      const { server, key, visit } = yield* World
      yield* call(server, key, "POST", "/api/projects", { slug: "payments", name: "Payments" })
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/issues?new=yes" })
      yield* steps(async () => {
        await page
          .getByRole("dialog")
          .getByRole("button", { name: /Project/ })
          .click()
        await page.getByRole("option", { name: "Payments" }).click()
        await page.getByLabel("Title").fill("Refunds are <b>idempotent</b>")
        await page.getByLabel("Acceptance criteria").fill("A repeated request refunds once")
        await page.getByRole("button", { name: "File the issue" }).click()
        await page.getByRole("heading", { name: "Refunds are <b>idempotent</b>" }).waitFor()
      })
      yield* steps(async () => {
        await page.getByRole("button", { name: "Claim for 30 minutes" }).click()
        await page.getByRole("button", { name: "Release the claim" }).waitFor()
        await page.getByText("A repeated request refunds once").click()
        await page.getByText("1 of 1 met").waitFor()
        await page.getByRole("button", { name: "Close…" }).click()
        await page.getByRole("button", { name: "Close the issue" }).click()
        await page.getByRole("button", { name: "Reopen…" }).waitFor()
        await page.goto("/issues?view=board")
        await page.getByRole("link", { name: "Refunds are <b>idempotent</b>" }).waitFor()
      })
      yield* accessibleInEveryLook(page, "the board")
      yield* noProblems(person)
    })
  )

  it.scoped("a change review shows each criterion with its verdict", () =>
    Effect.gen(function* () {
      const { server, key, repository, visit } = yield* World
      repository.git("branch", "feature/three", "main")
      repository.commit({ "app/three.py": "three = 3\n" }, { branch: "feature/three" })
      const person = yield* visit(server.api)
      const { page } = person
      yield* registered(server, key, repository.path)
      yield* signIn(person, { to: "/change-reviews?new=yes" })
      yield* steps(async () => {
        await page.getByLabel("Branches").fill("shop@main feature/three")
        await page.getByLabel("Criteria").fill("tests changed with code\nno secret")
        await page.getByRole("button", { name: "Review the change" }).click()
        await page.getByText("Not met", { exact: true }).waitFor()
        await page.getByText("Met", { exact: true }).waitFor()
      })
      yield* accessibleInEveryLook(page, "a change review")
      yield* noProblems(person)
    })
  )
})
