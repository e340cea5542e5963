import { assert } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import type { Page } from "playwright-core"
import { endedJob, findingOfUnsafeLoader, unsafeLoader } from "../support/fixLoop.ts"
import { aGitHub } from "../support/GitHubServer.ts"
import { grantedPermissions } from "../support/github/app.ts"
import { send } from "../support/people.ts"
import { call } from "../support/server.ts"
import { aLinearServer } from "../support/trackers/linearServer.ts"
import { tokenOfTests } from "../support/trackers/vendor.ts"
import { accessibleInEveryLook } from "./support/accessibility.ts"
import { inBrowser, noProblems, steps } from "./support/chromium.ts"
import { invited } from "./support/invited.ts"
import { signIn, World } from "./support/world.ts"

/** A world whose repository is hosted where pull requests can be opened. */
const onGitHub = Layer.unwrapScoped(
  Effect.gen(function* () {
    const github = yield* aGitHub
    const installation = github.state.install("acme", grantedPermissions)
    github.state.host("acme", "shop", { "app/settings.py": unsafeLoader }, { isPrivate: true, installation })
    return World.holding(
      {},
      {
        ASSAY_ALLOW_PRIVATE_NETWORK: "true",
        ASSAY_GITHUB_APP_ID: github.appId,
        ASSAY_GITHUB_PRIVATE_KEY: github.privateKey,
        ASSAY_GITHUB_WEBHOOK_SECRET: github.webhookSecret,
        ASSAY_GITHUB_URL: github.url,
        ASSAY_GITHUB_API_URL: github.apiUrl
      }
    )
  })
)

interface Job {
  readonly id: string
}

/** Registers the repository and audits it; gives the finding that a rule's fixer corrects. */
const finding = Effect.gen(function* () {
  const { server, key } = yield* World
  yield* call(server, key, "POST", "/api/repos", { github_org: "acme", github_repo: "shop" })
  const { body } = yield* call<Job>(server, key, "POST", "/api/repos/acme/shop/main/jobs", { workflow: "audit" })
  const audit = yield* endedJob(server, key, body.id)
  assert.strictEqual(audit.status, "completed", audit.error ?? "")
  return yield* findingOfUnsafeLoader(server, key)
})

/** No job of the workspace runs any more. */
const atRest = Effect.gen(function* () {
  const { server, key } = yield* World
  yield* Effect.repeat(call<{ readonly data: ReadonlyArray<Job> }>(server, key, "GET", "/api/jobs/active"), {
    until: ({ body }) => body.data.length === 0,
    schedule: Schedule.spaced("250 millis")
  })
})

const lane = (page: Page, name: string) => page.getByRole("region", { name, exact: true })

inBrowser("fixes in the web app", onGitHub, (it) => {
  it.scoped("a fix is requested, looked at with its change and gates, sent back, and withdrawn", () =>
    Effect.gen(function* () {
      const { ref } = yield* finding
      const world = yield* World
      const { server, visit } = world
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: `/observations/${ref}` })
      yield* steps(async () => {
        await page.getByRole("button", { name: /^Request fix/ }).click()
        await page.getByText(`A fix of ${ref} is requested.`, { exact: false }).waitFor()
      })
      yield* atRest
      yield* steps(async () => {
        await page.goto("/fix-prs")
        await lane(page, "In review")
          .getByRole("link", { name: new RegExp(ref) })
          .click()
        const fix = page.getByRole("region", { name: `Fix of ${ref}`, exact: true }).first()
        await fix
          .getByText(/safe_?load/i)
          .first()
          .waitFor()
        const gates = fix.getByRole("list", { name: "Gates of attempt 1" })
        await gates.getByText("Finding gone").waitFor()
        await gates.getByText("Pull request", { exact: false }).first().waitFor()
        await fix.getByRole("link", { name: /^Open pull request #\d+/ }).waitFor()
      })
      yield* accessibleInEveryLook(page, "an open fix")
      const viewer = yield* visit(server.api)
      yield* invited(world, "viewer@example.org", "viewer")
      yield* signIn(viewer, { email: "viewer@example.org", to: `/fix-prs?ref=${ref}` })
      yield* steps(async () => {
        await viewer.page.getByText("Your role may not revise or withdraw fixes.").waitFor()
        assert.strictEqual(await viewer.page.getByRole("button", { name: "Revise…" }).count(), 0)
        assert.strictEqual(await viewer.page.getByRole("button", { name: "Withdraw…" }).count(), 0)
      })
      yield* steps(async () => {
        await page.getByRole("button", { name: "Revise…" }).click()
        const dialog = page.getByRole("dialog")
        await dialog
          .getByRole("textbox", { name: "What to change" })
          .fill("Keep the import of yaml on a line of its own.")
        // A reload in the middle keeps the dialog and what was typed.
        await page.reload()
        assert.strictEqual(
          await dialog.getByRole("textbox", { name: "What to change" }).inputValue(),
          "Keep the import of yaml on a line of its own."
        )
      })
      yield* accessibleInEveryLook(page, "a revision")
      yield* steps(async () => {
        await page.getByRole("button", { name: /^Request revision/ }).click()
        await page.getByRole("dialog").waitFor({ state: "detached" })
      })
      yield* atRest
      yield* steps(async () => {
        await page.goto(`/observations/${ref}`)
        await page.getByText("Revision requested").waitFor()
        await page.goto(`/fix-prs?ref=${ref}`)
        await page.getByRole("button", { name: "Withdraw…" }).click()
        await page.getByRole("button", { name: /^Close pull request #\d+ unmerged/ }).click()
        await lane(page, "Closed")
          .getByRole("link", { name: new RegExp(ref) })
          .waitFor()
        assert.strictEqual(await page.getByRole("button", { name: "Withdraw…" }).count(), 0)
      })
      yield* noProblems(person)
      yield* noProblems(viewer)
    })
  )

  it.scoped("a ticket is created from an observation, and linked there", () =>
    Effect.gen(function* () {
      const { server, key, owner, visit } = yield* World
      const linear = yield* aLinearServer
      yield* send(server, "PUT", "/api/trackers/linear", owner, {
        base_url: linear.url,
        project: "ENG",
        token: tokenOfTests
      })
      const { ref } = yield* findingOfUnsafeLoader(server, key)
      const person = yield* visit(server.api)
      const { page } = person
      yield* signIn(person, { to: `/observations/${ref}` })
      yield* steps(async () => {
        await page.getByRole("button", { name: "Create ticket" }).click()
        await page.getByRole("link", { name: "https://linear.app/acme/issue/ENG-1" }).waitFor()
        assert.strictEqual(await page.getByRole("button", { name: "Create ticket" }).count(), 0)
      })
      yield* noProblems(person)
    })
  )
})
