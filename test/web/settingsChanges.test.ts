import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "../support/server.ts"
import { accessibleInEveryLook } from "./support/accessibility.ts"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { signIn, World } from "./support/world.ts"

inBrowser("changes in the settings", World.holding({ "README.md": "# Shop\n" }), (it) => {
  it.scoped("a tracker is removed only after the person has confirmed it", () =>
    Effect.gen(function* () {
      const { server, owner, visit } = yield* World
      yield* steps(() =>
        fetch(`${server.api}/api/trackers/linear`, {
          method: "PUT",
          headers: owner,
          body: JSON.stringify({ project: "ENG", token: "lin_api_of_tests" })
        })
      )
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/settings/trackers" })
      const remove = page.getByRole("button", { name: "Remove Linear with its token" })
      yield* steps(async () => {
        await remove.click()
        await page.getByRole("heading", { name: "Remove Linear for the workspace?" }).waitFor()
      })
      yield* accessibleInEveryLook(page, "removal of a tracker")
      yield* steps(async () => {
        await page.getByRole("button", { name: "Cancel" }).click()
        await page.getByRole("dialog").waitFor({ state: "detached" })
        await remove.click()
        await page.getByRole("button", { name: "Remove tracker" }).click()
        await page.getByText("No ticket tracker yet.").waitFor()
      })
      yield* noProblems(person)
    })
  )

  it.scoped("the state that the outbox is narrowed to is in its address", () =>
    Effect.gen(function* () {
      const { server, owner, visit } = yield* World
      yield* steps(() =>
        fetch(`${server.api}/api/workspace/invitations`, {
          method: "POST",
          headers: owner,
          body: JSON.stringify({ email: "grace@example.org", role: "viewer" })
        })
      )
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/settings/outbox" })
      yield* steps(async () => {
        await page.getByRole("row", { name: /grace@example\.org/ }).waitFor()
        await page.getByRole("button", { name: /State/ }).click()
        await page.getByRole("option", { name: "Failed" }).click()
        await page.waitForURL("**/settings/outbox?status=failed")
        await page.getByText("No e-mail has failed.").waitFor()
        await page.reload()
        await page.getByText("No e-mail has failed.").waitFor()
        await page.goBack()
        await page.getByRole("row", { name: /grace@example\.org/ }).waitFor()
      })
      yield* noProblems(person)
    })
  )

  it.scoped("of two people who write the guidance, the second sees the first's beside theirs and loses nothing", () =>
    Effect.gen(function* () {
      const { server, visit, key } = yield* World
      const first = yield* visit(server.api)
      const second = yield* visit(server.api, {}, (status, path) => status === 409 && path.endsWith("/guidance"))
      yield* signIn(first, { to: "/settings/guidance" })
      yield* signIn(second, { to: "/settings/guidance" })
      const field = (person: typeof first) => person.page.getByRole("textbox", { name: "Guidance" })
      const save = (person: typeof first) => person.page.getByRole("button", { name: "Save guidance" })
      yield* steps(async () => {
        await field(second).fill("Deploy on Thursdays.")
        await field(first).fill("Deploy on Tuesdays.")
        await save(first).click()
        await first.page.getByText("The guidance is saved.").waitFor()
        await save(second).click()
        await second.page.getByText("Your draft is kept, and nothing is saved yet.").waitFor()
        const both = second.page.getByRole("region", { name: "Text", exact: true })
        await both.getByText("Deploy on Tuesdays.").waitFor()
        await both.getByText("Deploy on Thursdays.").waitFor()
      })
      yield* accessibleInEveryLook(second.page, "guidance that two wrote")
      yield* steps(async () => {
        // The draft survives a reload, together with the version that it was made from.
        await second.page.reload()
        assert.strictEqual(await field(second).inputValue(), "Deploy on Thursdays.")
        await save(second).click()
        await second.page.getByRole("button", { name: "Replace theirs with my draft when I save" }).click()
        await save(second).click()
        await second.page.getByText("The guidance is saved.").waitFor()
      })
      const { body } = yield* call<{ readonly text: string }>(server, key, "GET", "/api/workspace/guidance")
      assert.strictEqual(body.text, "Deploy on Thursdays.")
      yield* noProblems(first)
      yield* noProblems(second)
    })
  )
})
