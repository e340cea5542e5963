import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { call } from "../support/server.ts"
import { accessibleInEveryLook } from "./support/accessibility.ts"
import { anAgent } from "./support/agent.ts"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { drawn } from "./support/views.ts"
import { signIn, World } from "./support/world.ts"

/** The value that is shown for the only time, once the reader has ticked that it is stored. */
const storedSecret = async (page: Page, name: string): Promise<string> => {
  const field = page.getByRole("textbox", { name, exact: true })
  await field.waitFor()
  const secret = await field.inputValue()
  assert.isTrue(await page.getByRole("button", { name: "Done" }).isDisabled())
  await page.keyboard.press("Escape")
  await field.waitFor()
  await page.getByText("I have stored this").click()
  await page.getByRole("button", { name: "Done" }).click()
  await field.waitFor({ state: "detached" })
  return secret
}

const anEntry = {
  key: "decision/idempotency-keys",
  kind: "decision",
  title: "Idempotency keys live for 24 hours",
  summary: "Every write stores its first response.",
  body_md: "Keys are deleted after 24 hours.\nAnother body under the same key is rejected."
} as const

inBrowser("keeping house in the web app", World.holding({ "README.md": "# Shop\n" }), (it) => {
  it.scoped("a key made with the read-only preset works over MCP as far as it may, until it is revoked", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/keys" })
      const apiKey = yield* steps(async () => {
        await page.getByRole("button", { name: "Create key…" }).click()
        await page.getByRole("textbox", { name: "Name" }).fill("nightly-reader")
        await page.getByRole("button", { name: "Create key", exact: true }).click()
        await page.getByRole("heading", { name: "Key nightly-reader created" }).waitFor()
        const key = await page.getByRole("textbox", { name: "API key", exact: true }).inputValue()
        assert.include(await page.getByRole("tabpanel").innerText(), key)
        return storedSecret(page, "API key")
      })
      const agent = yield* anAgent(server.api, apiKey)
      assert.include(yield* agent("list_repositories"), '"data":[]')
      assert.include(yield* agent("create_context_entry", { ...anEntry, key: "note/rejected" }), "[insufficient_scope]")
      yield* steps(() => page.getByRole("row", { name: /nightly-reader/ }).waitFor())
      yield* accessibleInEveryLook(page, "keys")
      yield* steps(async () => {
        await page.getByRole("button", { name: "Revoke nightly-reader" }).click()
        await page.getByRole("button", { name: "Revoke key" }).click()
        await page.getByRole("row", { name: /nightly-reader/ }).waitFor({ state: "detached" })
      })
      const { status } = yield* Effect.promise(() =>
        fetch(new URL("/api/repos", server.api), { headers: { authorization: `Bearer ${apiKey}` } })
      )
      assert.strictEqual(status, 401)
      yield* noProblems(person)
    })
  )

  it.scoped("what an agent proposes waits in the inbox with its difference, and is live once it is confirmed", () =>
    Effect.gen(function* () {
      const { server, key, visit } = yield* World
      const agent = yield* anAgent(server.api, key)
      yield* agent("create_context_entry", anEntry)
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: `/context?status=proposed&entry=${encodeURIComponent(anEntry.key)}` })
      yield* steps(async () => {
        await page.getByRole("heading", { name: "New entry" }).waitFor()
        await page.getByRole("button", { name: "Confirm", exact: true }).click()
        await page.getByText("No proposed entries.").waitFor()
      })
      const live = yield* agent("get_context_entry", { key: anEntry.key })
      const { etag, status } = JSON.parse(live) as { readonly etag: string; readonly status: string }
      assert.strictEqual(status, "live")
      yield* agent("update_context_entry", {
        key: anEntry.key,
        expected_etag: etag,
        title: "Idempotency keys live for 72 hours",
        body_md: anEntry.body_md.replace("24", "72")
      })
      yield* steps(async () => {
        await page.goto(`/context?status=proposed&entry=${encodeURIComponent(anEntry.key)}`)
        await page.getByRole("heading", { name: "Proposed against live" }).waitFor()
        const body = page.getByRole("region", { name: "Body" })
        assert.deepStrictEqual(await body.locator("mark").allInnerTexts(), ["24", "72"])
        await page.getByRole("region", { name: "Title" }).waitFor()
      })
      yield* accessibleInEveryLook(page, "context")
      yield* steps(async () => {
        await page.keyboard.press("c")
        await page.getByText("No proposed entries.").waitFor()
      })
      assert.include(yield* agent("get_context_entry", { key: anEntry.key }), '"status":"live"')
      yield* noProblems(person)
    })
  )

  it.scoped(
    "of two people who edit one entry, the second sees the first's version beside theirs and loses nothing",
    () =>
      Effect.gen(function* () {
        const { server, visit } = yield* World
        const first = yield* visit(server.api)
        const second = yield* visit(server.api, {}, (status, path) => status === 409 && path.includes("/context/"))
        const edit = "/context?entry=note%2Fretries&dialog=edit"
        yield* signIn(first, { to: "/context?dialog=new" })
        yield* steps(async () => {
          const { page } = first
          await page.getByRole("textbox", { name: "Key", exact: true }).fill("note/retries")
          await page.getByRole("textbox", { name: "Title" }).fill("Retries")
          await page.getByRole("textbox", { name: "Summary" }).fill("Retry three times.")
          await page.getByRole("textbox", { name: "Body" }).fill("With jitter.")
          await page.getByRole("button", { name: "Create entry" }).click()
          await page.getByRole("article", { name: "Retries" }).waitFor()
        })
        yield* signIn(second, { to: edit })
        yield* steps(async () => {
          await second.page.getByRole("textbox", { name: "Summary" }).fill("Retry five times.")
          await second.page.getByRole("textbox", { name: "Body" }).fill("With jitter, and a budget.")
          await first.page.goto(edit)
          await first.page.getByRole("textbox", { name: "Title" }).fill("Retries of calls")
          await first.page.getByRole("textbox", { name: "Summary" }).fill("Retry twice.")
          await first.page.getByRole("button", { name: "Save entry" }).click()
          await first.page.getByRole("article", { name: "Retries of calls" }).waitFor()
          const { page } = second
          await page.getByRole("button", { name: "Save entry" }).click()
          const both = page.getByRole("region", { name: "Summary, theirs and mine" })
          await both.getByText("Retry twice.").waitFor()
          await both.getByText("Retry five times.").waitFor()
          assert.strictEqual(await page.getByRole("textbox", { name: "Title" }).inputValue(), "Retries of calls")
          assert.strictEqual(
            await page.getByRole("textbox", { name: "Body" }).inputValue(),
            "With jitter, and a budget."
          )
          // The draft survives a reload, as it was merged.
          await page.reload()
          assert.strictEqual(
            await page.getByRole("textbox", { name: "Body" }).inputValue(),
            "With jitter, and a budget."
          )
          await page.getByRole("button", { name: /^Save/ }).click()
          await page.getByRole("article", { name: "Retries of calls" }).getByText("Retry five times.").waitFor()
        })
        yield* noProblems(first)
        yield* noProblems(second)
      })
  )

  it.scoped("an invited member joins by the link and is not offered what the role may not do", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const owner = yield* visit(server.api)
      const member = yield* visit(server.api)
      yield* signIn(owner, { to: "/members" })
      const link = yield* steps(async () => {
        const { page } = owner
        await page.getByRole("button", { name: "Invite member…" }).click()
        await page.getByRole("textbox", { name: "E-mail" }).fill("grace@example.com")
        await page.getByRole("button", { name: "Invite member", exact: true }).click()
        return storedSecret(page, "Link")
      })
      yield* accessibleInEveryLook(owner.page, "members")
      yield* steps(async () => {
        const { page } = member
        const { pathname, hash } = new URL(link)
        await page.goto(`${pathname}${hash}`)
        await page.getByLabel("Name").fill("Grace")
        await page.getByLabel("New password").fill("a password of a member")
        await page.getByRole("button", { name: "Accept the invitation" }).click()
        await page.getByRole("navigation", { name: "Main" }).first().waitFor()
        await page.goto("/settings/members")
        await page.getByRole("row", { name: /Grace/ }).waitFor()
        const settings = page.getByRole("navigation", { name: "Settings" })
        assert.strictEqual(await page.getByRole("button", { name: "Invite member…" }).count(), 0)
        assert.strictEqual(await page.getByRole("button", { name: /^Remove/ }).count(), 0)
        assert.strictEqual(await settings.getByRole("link", { name: "Audit log" }).count(), 0)
        await page.goto("/settings/webhooks")
        await page.getByText("Only owners and admins of the workspace see this section.").waitFor()
        await page.goto("/context")
        assert.isTrue(await page.getByRole("button", { name: "New entry…" }).isDisabled())
      })
      yield* noProblems(owner)
      yield* noProblems(member)
    })
  )

  it.scoped("every section of the settings is found by its name, and has an address", () =>
    Effect.gen(function* () {
      const { server, visit } = yield* World
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: "/settings" })
      yield* steps(() => page.waitForURL("**/settings/profile"))
      const names = yield* steps(() =>
        page.getByRole("navigation", { name: "Settings" }).getByRole("link").allInnerTexts()
      )
      const found = new Set<string>()
      for (const name of names) {
        yield* steps(async () => {
          await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name, exact: true }).click()
          await page.getByRole("heading", { name, level: 1 }).waitFor()
          await drawn(page)
          found.add(new URL(page.url()).pathname)
        })
      }
      assert.strictEqual(found.size, names.length)
      yield* noProblems(person)
    })
  )

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
