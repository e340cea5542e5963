import { SqlClient } from "@effect/sql"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { openPrompts, type Prompt, prompts } from "../../src/mcp/Prompts.ts"
import { type Feature, featureNames, features, type Plan, switchableFeatures } from "../../src/schema/Feature.ts"
import type { Operation } from "../../src/schema/Operation.ts"
import { jobs, observations, operations } from "../../src/schema/operations/index.ts"
import { settingNames } from "../../src/schema/Setting.ts"
import type { Workflow } from "../../src/services/ports/Workflow.ts"
import { Workflows } from "../../src/services/ports/Workflows.ts"
import { aKey, aKeyWithout, aRegisteredRepository, aWorkspace, type Person } from "../support/builders.ts"
import { rpc } from "../support/mcp.ts"
import { TestApp } from "../support/TestApp.ts"
import { errorOf, jsonOf, outcome, send } from "../support/wire.ts"

const aWorkspaceOn = (plan: Plan, on: ReadonlyArray<Feature>) =>
  Effect.gen(function* () {
    const person = yield* aWorkspace({ plan })
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE workspaces SET features = ${[...on]}::text[] WHERE id = ${person.workspace_id}`
    return person
  })

/** As if the product had marked it. */
const marked = <A, E, R>(thing: Operation | Workflow, beta: Feature, use: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => Object.assign(thing, { beta })),
    () => use,
    () => Effect.sync(() => Reflect.deleteProperty(thing, "beta"))
  )

interface ToolError {
  readonly error?: { readonly code: string; readonly required_features?: unknown; readonly details?: unknown }
}

const viaTool = (api_key: string, name: string, args: object = {}) =>
  Effect.map(
    rpc<{ readonly structuredContent: ToolError }>(api_key, "tools/call", { name, arguments: args }),
    ({ result }) => result?.structuredContent.error ?? null
  )

const stateOf = (plan: Plan, on: boolean) => `${plan}, ${on ? "on" : "off"}`
const states = (["free", "paid"] as const).flatMap((plan) => [false, true].map((on) => ({ plan, on })))

/** Status and code by plan, and by whether the feature is switched on. */
const gate: Readonly<Record<string, string>> = {
  "free, off": "402 plan_restricted",
  "free, on": "402 plan_restricted",
  "paid, off": "403 feature_not_enabled",
  "paid, on": "ok"
}
const codeIn = (answer: string) => answer.split(" ")[1]

const submission = { github_org: "acme", github_repo: "api", github_base_branch: "main", workflow: "audit" }
const jobsPath = "/api/repos/acme/api/main/jobs"

layer(TestApp)((it) => {
  describe("a feature in private beta", () => {
    it.effect("gates its operations by plan, then by switch, with the same code on REST and MCP", () =>
      Effect.gen(function* () {
        for (const feature of featureNames) {
          for (const { plan, on } of states) {
            const { api_key } = yield* aKey(yield* aWorkspaceOn(plan, on ? [feature] : []))
            const [response, tool] = yield* marked(
              jobs.listJobs,
              feature,
              Effect.all([send({ path: "/api/jobs", as: api_key }), viaTool(api_key, "list_jobs")])
            )
            const expected = gate[stateOf(plan, on)]!
            const title = `${feature} ${stateOf(plan, on)}`
            if (expected === "ok") {
              assert.deepStrictEqual([response.status, tool], [200, null], title)
              continue
            }
            const error = errorOf(response)
            assert.strictEqual(`${response.status} ${error.code}`, expected, title)
            assert.strictEqual(error.type, plan === "free" ? "billing_error" : "permission_error")
            assert.deepStrictEqual([error.required_features, tool?.required_features], [[feature], [feature]], title)
            assert.strictEqual(tool?.code, codeIn(expected), title)
          }
        }
      })
    )

    it.effect("gates its workflows alike, and names the workflows that may run", () =>
      Effect.gen(function* () {
        const audit = (yield* Workflows).get("audit")!
        for (const { plan, on } of states) {
          const person = yield* aWorkspaceOn(plan, on ? ["missions"] : [])
          yield* aRegisteredRepository(person)
          const { api_key } = yield* aKey(person)
          const [response, tool] = yield* marked(
            audit,
            "missions",
            Effect.all([
              send({ path: jobsPath, as: api_key, json: { workflow: "audit" } }),
              viaTool(api_key, "submit_job", submission)
            ])
          )
          const expected = gate[stateOf(plan, on)]!
          if (expected === "ok") {
            assert.deepStrictEqual([response.status, tool], [201, null])
            continue
          }
          const error = errorOf(response)
          assert.strictEqual(`${response.status} ${error.code}`, expected)
          const details = { allowed_workflows: ["standard_audit", "discover", "fix", "revalidate", "review"] }
          assert.deepStrictEqual([error.required_features, error.details], [["missions"], details])
          assert.deepStrictEqual([tool?.code, tool?.details], [codeIn(expected), details])
        }
      })
    )

    it.effect("keeps a job of its workflow from being run again once it is switched off", () =>
      Effect.gen(function* () {
        const person = yield* aWorkspaceOn("paid", [])
        yield* aRegisteredRepository(person)
        const { api_key: as } = yield* aKey(person)
        const { id } = jsonOf(yield* send({ path: jobsPath, as, json: { workflow: "audit" } })) as {
          readonly id: string
        }
        yield* send({ path: `/api/jobs/${id}/cancel`, as, json: {} })
        const again = outcome({ path: `/api/jobs/${id}/retry`, as, json: {} })
        const audit = (yield* Workflows).get("audit")!
        assert.strictEqual(yield* marked(audit, "missions", again), "403 feature_not_enabled")
        assert.strictEqual(yield* again, "201")
      })
    )

    it.effect("is asked for after the scope", () =>
      Effect.gen(function* () {
        const person = yield* aWorkspaceOn("free", [])
        const api_key = yield* aKeyWithout(person, ["view_observations"])
        const [rest, tool] = yield* marked(
          observations.listObservations,
          "missions",
          Effect.all([outcome({ path: "/api/observations", as: api_key }), viaTool(api_key, "list_observations")])
        )
        assert.deepStrictEqual([rest, tool?.code], ["403 insufficient_scope", "insufficient_scope"])
      })
    )

    it.effect("is in this version exactly where an operation, a workflow, a prompt or a setting depends on it", () =>
      Effect.gen(function* () {
        const served = yield* Workflows
        const marks = [...operations, ...served.values(), ...prompts].map((one) =>
          "beta" in one ? one.beta : undefined
        )
        const used = featureNames.filter((name) => marks.includes(name) || settingNames.some((one) => one === name))
        assert.deepStrictEqual(switchableFeatures, used)
        assert.deepStrictEqual(Object.keys(features), ["missions", "change_reviews", "webhooks", "audit_suggestions"])
      })
    )
  })

  describe("prompts of a feature", () => {
    it("are listed where it is on, on a plan that has it, and nowhere else", () => {
      const [open, gated] = [prompts[0]!, { ...prompts[0]!, name: "gated", beta: "change_reviews" } satisfies Prompt]
      const names = (plan: Plan, on: ReadonlyArray<Feature>) =>
        openPrompts({ plan, features: on }, [open, gated]).map(({ name }) => name)
      assert.deepStrictEqual(names("paid", ["change_reviews"]), [open.name, "gated"])
      for (const listed of [names("paid", ["missions"]), names("paid", []), names("free", ["change_reviews"])]) {
        assert.deepStrictEqual(listed, [open.name])
      }
    })
  })

  describe("audit suggestions", () => {
    const setting = "/api/workspace/settings/audit_suggestions"
    const set = (as: string, value: boolean) => send({ path: setting, method: "PUT", as, json: { value } })
    const valueOf = (as: string) =>
      Effect.map(send({ path: "/api/workspace/settings", as }), (response) => {
        const { data } = jsonOf(response) as { data: ReadonlyArray<{ name: string; value: unknown }> }
        return data.find(({ name }) => name === "audit_suggestions")?.value
      })
    const keyOf = (person: Person) => Effect.map(aKey(person), ({ api_key }) => api_key)

    it.effect("are switched on by the workspace's own setting where the plan has them, else 402 plan_restricted", () =>
      Effect.gen(function* () {
        for (const on of [false, true]) {
          const free = yield* keyOf(yield* aWorkspaceOn("free", on ? ["audit_suggestions"] : []))
          const rejected = yield* set(free, true)
          assert.deepStrictEqual(
            [rejected.status, errorOf(rejected).code, errorOf(rejected).required_features],
            [402, "plan_restricted", ["audit_suggestions"]]
          )
          const tool = yield* viaTool(free, "set_workspace_setting", { name: "audit_suggestions", value: true })
          assert.deepStrictEqual([tool?.code, tool?.required_features], ["plan_restricted", ["audit_suggestions"]])
          assert.strictEqual(yield* valueOf(free), false)
          assert.strictEqual((yield* set(free, false)).status, 200)
          assert.strictEqual((yield* send({ path: setting, method: "DELETE", as: free })).status, 200)
        }
        const paid = yield* keyOf(yield* aWorkspaceOn("paid", []))
        assert.strictEqual((yield* set(paid, true)).status, 200)
        assert.strictEqual(yield* valueOf(paid), true)
        assert.strictEqual(
          yield* viaTool(paid, "set_workspace_setting", { name: "audit_suggestions", value: false }),
          null
        )
        assert.strictEqual(yield* valueOf(paid), false)
      })
    )

    it.effect("leave no read rejected: pending migrations are a list in every state", () =>
      Effect.gen(function* () {
        for (const { plan, on } of states) {
          const api_key = yield* keyOf(yield* aWorkspaceOn(plan, on ? ["audit_suggestions"] : []))
          assert.strictEqual(yield* viaTool(api_key, "list_pending_migrations"), null, stateOf(plan, on))
          assert.strictEqual(yield* outcome({ path: "/api/observations?kind=suggestion", as: api_key }), "200")
        }
      })
    )
  })
})
