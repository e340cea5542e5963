import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { prompts } from "../../src/mcp/Prompts.ts"
import { Tools } from "../../src/mcp/Tools.ts"
import { aKey, aWorkspace } from "../support/builders.ts"
import { aClient, rpc } from "../support/mcp.ts"
import { TestApp } from "../support/TestApp.ts"

const aCaller = Effect.map(Effect.flatMap(aWorkspace(), aKey), ({ api_key }) => api_key)

/** Backquoted or bare words of a prompt that look like a tool's name. */
const toolsIn = (text: string) => [...text.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([name]) => name)

layer(TestApp)("prompts", (it) => {
  it.scoped("are listed with their arguments, and returned with them filled in", () =>
    Effect.gen(function* () {
      const client = yield* aClient(yield* aCaller)
      const { prompts: listed } = yield* Effect.promise(() => client.listPrompts())
      assert.deepStrictEqual(
        listed.map(({ name, arguments: args }) => [name, args?.map((arg) => arg.name)]),
        [
          ["agent_loop", []],
          ["triage_new_findings", ["org", "repo", "branch"]],
          ["investigate_finding", ["org", "repo", "branch", "ref"]],
          ["branch_review", ["org", "repo", "base_branch", "branch"]]
        ]
      )
      for (const { name, description, arguments: args } of listed) {
        assert.match(description ?? "", /^[A-Z].{10,118}\.$/, name)
        const given = Object.fromEntries((args ?? []).map((arg) => [arg.name, `<${arg.name}>`]))
        const { messages } = yield* Effect.promise(() => client.getPrompt({ name, arguments: given }))
        const text = JSON.stringify(messages)
        for (const value of Object.values(given)) assert.include(text, value, name)
      }
    })
  )

  it.effect("name tools that exist", () =>
    Effect.gen(function* () {
      const tools = yield* Tools
      const known = new Set(tools.map(({ name }) => name))
      const words = new Set(
        tools.flatMap(({ inputSchema }) =>
          Object.keys((inputSchema as { readonly properties?: object }).properties ?? {})
        )
      )
      // Fields of results, statuses and codes.
      for (const word of [
        "rate_limit_qps",
        "rate_limit_budget",
        "has_more",
        "next_cursor",
        "failure_kind",
        "fix_available",
        "standard_audit",
        "display_rank",
        "base_branch",
        "created_by",
        "not_met",
        "cannot_tell",
        "head_sha"
      ]) {
        words.add(word)
      }
      for (const prompt of prompts) {
        const unknown = toolsIn(prompt.text({})).filter((name) => !known.has(name) && !words.has(name))
        assert.deepStrictEqual(unknown, [], prompt.name)
      }
    })
  )

  it.effect(
    "are also found under the name of the first edition; unknown ones and missing arguments are JSON-RPC errors",
    () =>
      Effect.gen(function* () {
        const key = yield* aCaller
        const old = yield* rpc(key, "prompts/get", { name: "hyrax_agent_loop" })
        assert.deepStrictEqual(old.result, (yield* rpc(key, "prompts/get", { name: "agent_loop" })).result)
        assert.strictEqual((yield* rpc(key, "prompts/get", { name: "nope" })).error?.code, -32602)
        const { error } = yield* rpc(key, "prompts/get", { name: "investigate_finding", arguments: { org: "acme" } })
        assert.deepStrictEqual(error, { code: -32602, message: "investigate_finding needs the argument repo." })
      })
  )
})
