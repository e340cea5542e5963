import { assert, describe, layer } from "@effect/vitest"
import { Effect, JSONSchema } from "effect"
import { prompts } from "../../src/mcp/Prompts.ts"
import { Tools } from "../../src/mcp/Tools.ts"
import { aKey, anObservation, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { rpc, textOf } from "../support/mcp.ts"
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
  set_change_review_criteria: "dio",
  start_change_review_from_branches: "io",
  dismiss_observation: "di",
  complete_observation: "di",
  acknowledge_observation: "i",
  reopen_observation: "i",
  triage_observations: "d",
  create_ticket: "io",
  create_context_entry: "i",
  upsert_context_entry: "di",
  update_context_entry: "di",
  disable_context_entry: "di",
  restore_context_entry: "i",
  corroborate_context_entry: "i",
  create_mission: "",
  resubmit_mission: "d",
  pause_mission: "di",
  create_project: "i",
  update_project: "di",
  add_repo_to_project: "i",
  remove_repo_from_project: "di",
  file_issue: "",
  update_issue_fields: "di",
  update_issue_status: "di",
  close_issue: "di",
  reopen_issue: "i",
  note_issue: "",
  claim_issue: "i",
  renew_claim: "i",
  release_issue: "di",
  add_acceptance_criterion: "",
  set_acceptance_criterion_met: "di",
  attach_pr: "i",
  file_issues_from_findings: "i",
  relate_issues: "i",
  unrelate_issues: "di",
  set_repository_guidance: "di",
  set_review_instructions: "di",
  set_workspace_guidance: "di",
  set_workspace_setting: "di",
  clear_workspace_setting: "di"
}

/** Reads that ask a git remote. */
const openWorldReads: ReadonlySet<string> = new Set([
  "preview_repository",
  "get_audit_freshness",
  "get_change_review",
  "find_change_review"
])

/** Words of a rejection for lack of money or of a better plan. */
const billing = /\b(entitle|upgrade|billing|pay|paid|free plan|not available)/i

layer(TestApp)((it) => {
  describe("the texts of the tools", () => {
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
        assert.match(textOf((yield* submitted("fix")).result!), /a fix starts with submit_fix$/)
        assert.strictEqual(textOf((yield* submitted("constructor")).result!), `[invalid_payload] workflow: ${known}`)
        for (const workflow of ["standard_audit", "audit", "discover", "revalidate"]) {
          assert.notStrictEqual((yield* submitted(workflow)).result?.isError, true, workflow)
        }
      })
    )

    it.effect("name the way to a fix wherever a finding is explained or worked on", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const { api_key } = yield* aKey(owner)
        const ref = yield* anObservation(owner, yield* aRegisteredRepository(owner))
        const { result } = yield* rpc(api_key, "tools/call", { name: "explain_observation", arguments: { ref } })
        const loop = prompts.find(({ name }) => name === "agent_loop")
        for (const text of [textOf(result!), loop?.text({}) ?? ""]) {
          for (const tool of ["submit_fix", "complete_observation"]) assert.include(text, tool)
        }
      })
    )

    it.effect("reject a fix that is none of the observation by what to do, not by the plan", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const { api_key } = yield* aKey(owner)
        const ref = yield* anObservation(owner, yield* aRegisteredRepository(owner))
        const args = { ref, instructions: "Keep the old name." }
        const { result } = yield* rpc(api_key, "tools/call", { name: "revise_fix_pr", arguments: args })
        assert.notMatch(textOf(result!), billing)
        assert.include(textOf(result!), "[no_open_fix_pr]")
      })
    )
  })

  /** Every schema within a schema, with its path. */
  const parts = (value: unknown, path: string): ReadonlyArray<{ readonly path: string; readonly schema: object }> => {
    if (typeof value !== "object" || value === null) return []
    const below = Object.entries(value).flatMap(([key, part]) => parts(part, `${path}.${key}`))
    return Array.isArray(value) ? below : [{ path, schema: value }, ...below]
  }

  /** Texts that the library writes where a schema has none. */
  const defaultText = /^(a|an) (string|number|integer|positive|non|boolean|value)\b|character\(s\)|\b(min|max)Length\(/i

  describe("the schemas of the tools", () => {
    it.effect(
      "have no list of types, which some dialects of function calling reject: neither arguments nor results",
      () =>
        Effect.gen(function* () {
          for (const { name, inputSchema, result } of yield* Tools) {
            for (const { path, schema } of [
              ...parts(inputSchema, name),
              ...parts(JSONSchema.make(result), `${name}:`)
            ]) {
              if ("type" in schema && Array.isArray(schema.type)) assert.fail(`${path} has a list of types`)
            }
          }
        })
    )

    it.effect("offer null where it means something else than leaving the argument out", () =>
      Effect.gen(function* () {
        const either = { anyOf: [{ type: "string" }, { type: "null" }] }
        for (const tool of (yield* Tools).filter(({ name }) => /^(create|update)_project$/.test(name))) {
          assert.deepInclude(tool.inputSchema.properties?.parent, either, tool.name)
        }
      })
    )

    it.effect("describe every argument in a sentence of our own", () =>
      Effect.gen(function* () {
        for (const { name, inputSchema } of yield* Tools) {
          for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
            const { description } = schema as { readonly description?: string }
            assert.match(description ?? "", /^[`A-Z].{7,}\.$/, `${name}: ${argument}`)
            assert.notMatch(description ?? "", defaultText, `${name}: ${argument}`)
          }
          for (const { path, schema } of parts(inputSchema.properties, name)) {
            if ("title" in schema && typeof schema.title === "string") assert.fail(`${path} has the library's title`)
          }
        }
      })
    )

    it.effect("describe what an agent cannot guess, and limit the same argument in the same way everywhere", () =>
      Effect.gen(function* () {
        const described = (argument: string) =>
          Effect.map(Tools, (tools) =>
            tools.flatMap(({ name, inputSchema }) => {
              const schema = inputSchema.properties?.[argument]
              return schema === undefined ? [] : [{ name, ...(schema as { readonly description: string }) }]
            })
          )
        const expected: Readonly<Record<string, RegExp>> = {
          repo: /`repo@branch`/,
          repo_name: /`repo@branch`/,
          easy_wins: /P0 and P1 .*small, low-risk/,
          needs_review: /used up .*attempts/,
          order: /`recency`.*`display_rank`.*`resolved`/,
          scope: /`project`.*`subtree`/,
          key: /\b(list_context_entries|at most 200 characters)\b/,
          dismissal_category: /`false_positive`, `wont_fix` and `out_of_scope` stay closed/,
          expected_etag: /`etag`/,
          slug: /derived from the name/
        }
        for (const [argument, text] of Object.entries(expected)) {
          const found = yield* described(argument)
          assert.isNotEmpty(found, argument)
          for (const { name, description } of found) assert.match(description, text, `${name}: ${argument}`)
        }
        const paths = (yield* described("file_path")).map(({ name: _, description: __, ...limits }) => limits)
        assert.deepStrictEqual(paths, [paths[0], paths[0]])
      })
    )
  })
})
