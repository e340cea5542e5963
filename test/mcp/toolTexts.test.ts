import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { prompts } from "../../src/mcp/Prompts.ts"
import { Tools } from "../../src/mcp/Tools.ts"
import { aKey, anObservation, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { rpc, structureOf, textOf } from "../support/mcp.ts"
import { repositoryArgs } from "../support/samples.ts"
import { TestApp } from "../support/TestApp.ts"

/** d: replaces or takes away what was there; i: a repetition has no further effect; o: reaches other systems. */
const hints: Readonly<Record<string, string>> = {
  register_repository: "io",
  update_repository: "dio",
  submit_job: "o",
  retry_job: "o",
  request_pr_review: "o",
  request_branch_review: "o",
  submit_fix: "o",
  request_fix: "io",
  revise_fix_pr: "o",
  dismiss_observation: "di",
  complete_observation: "di",
  acknowledge_observation: "i",
  reopen_observation: "i",
  create_ticket: "io",
  create_context_entry: "i",
  upsert_context_entry: "di",
  update_context_entry: "di",
  disable_context_entry: "di",
  restore_context_entry: "i",
  corroborate_context_entry: "i",
  create_project: "i",
  update_project: "di",
  add_repo_to_project: "i",
  remove_repo_from_project: "di",
  set_repository_guidance: "di",
  set_review_instructions: "di",
  set_workspace_guidance: "di",
  set_workspace_setting: "di",
  clear_workspace_setting: "di"
}

/** Reads that ask a git remote. */
const openWorldReads: ReadonlySet<string> = new Set(["preview_repository", "get_audit_freshness"])

const fixTools = ["submit_fix", "request_fix", "revise_fix_pr"]

/** Words of a rejection for lack of money or of a better plan. */
const billing = /\b(entitle|upgrade|billing|pay|paid|free plan|not available)/i

layer(TestApp)("the texts of the tools", (it) => {
  it.effect("hint at what each one does: whether it replaces, may be repeated, reaches other systems", () =>
    Effect.gen(function* () {
      const expected = (yield* Tools).map(({ name, operation }) => {
        const reads = operation.access === "read"
        const letters = hints[name] ?? ""
        return [
          name,
          {
            readOnlyHint: reads,
            destructiveHint: letters.includes("d"),
            idempotentHint: reads || letters.includes("i"),
            openWorldHint: letters.includes("o") || openWorldReads.has(name)
          }
        ]
      })
      assert.deepStrictEqual(
        (yield* Tools).map(({ name, annotations }) => [name, annotations]),
        expected
      )
      const writes = (yield* Tools).filter(({ operation }) => operation.access !== "read").map(({ name }) => name)
      assert.sameMembers(writes, Object.keys(hints))
    })
  )

  it.effect("say of every tool that draws on the spend ceiling whether it spends credit", () =>
    Effect.gen(function* () {
      const spending = (yield* Tools).filter(({ operation }) => operation.access === "spend")
      assert.isAbove(spending.length, 6)
      for (const { name, description } of spending) assert.match(description, /\bspends (no )?credit\b/, name)
    })
  )

  it.effect("name for a review the tools that start one, and do not offer what cannot succeed", () =>
    Effect.gen(function* () {
      const submit = (yield* Tools).find(({ name }) => name === "submit_job")!
      assert.match(submit.description, /request_pr_review or request_branch_review/)
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      yield* aRegisteredRepository(owner)
      const submitted = (workflow: string) =>
        rpc(api_key, "tools/call", { name: "submit_job", arguments: { ...repositoryArgs, workflow } })
      const known = "must be one of standard_audit, audit, discover, revalidate"
      assert.strictEqual(
        textOf((yield* submitted("review")).result!),
        `[invalid_payload] workflow: ${known}; a review starts with request_branch_review or request_pr_review`
      )
      assert.match(textOf((yield* submitted("fix")).result!), /this version runs no fix jobs: .* complete_observation/)
      assert.strictEqual(textOf((yield* submitted("constructor")).result!), `[invalid_payload] workflow: ${known}`)
      for (const workflow of ["standard_audit", "audit", "discover", "revalidate"]) {
        assert.notStrictEqual((yield* submitted(workflow)).result?.isError, true, workflow)
      }
    })
  )

  it.effect("refuse a fix by what is missing and what to do, not by the plan, while no fix jobs are run", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      const ref = yield* anObservation(owner, yield* aRegisteredRepository(owner))
      const job_id = "01a1f7f8-633b-765c-ab36-2777cf1f608a"
      const args: Readonly<Record<string, object>> = {
        submit_fix: { ref },
        request_fix: { ref, job_id },
        revise_fix_pr: { ref, instructions: "Keep the old name." }
      }
      for (const name of fixTools) {
        const { result } = yield* rpc(api_key, "tools/call", { name, arguments: args[name] })
        const { error } = structureOf<{ readonly error: { readonly message: string } }>(result)
        assert.match(error.message, /does not run the workflow `fix`.*no job was queued.*complete_observation/, name)
        assert.notMatch(error.message, billing, name)
        const { description } = (yield* Tools).find((tool) => tool.name === name)!
        assert.match(description, /this version \w+ none and rejects the call.*complete_observation/, name)
      }
    })
  )

  it.effect("send no one to a fix that this version does not make", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      const ref = yield* anObservation(owner, yield* aRegisteredRepository(owner))
      const { result } = yield* rpc(api_key, "tools/call", { name: "explain_observation", arguments: { ref } })
      const others = (yield* Tools).filter(({ name }) => !fixTools.includes(name)).map(({ description }) => description)
      for (const text of [...prompts.map((prompt) => prompt.text({})), textOf(result!), ...others]) {
        for (const name of fixTools) assert.notInclude(text, name)
      }
      assert.include(textOf(result!), "complete_observation")
    })
  )
})
