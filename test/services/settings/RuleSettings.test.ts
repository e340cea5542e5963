import { SqlClient } from "@effect/sql"
import { assert, describe, layer, it as pure } from "@effect/vitest"
import { Effect } from "effect"
import { Repositories } from "../../../src/services/repositories/Repositories.ts"
import { RuleSettings } from "../../../src/services/settings/RuleSettings.ts"
import { stateOf } from "../../../src/services/settings/ruleStates.ts"
import { aRegisteredRepository, as, aWorkspace } from "../../support/builders.ts"
import { codeOf } from "../../support/context.ts"
import { TestApp } from "../../support/TestApp.ts"

const path = { github_org: "acme", github_repo: "api", github_base_branch: "main" }
const reason = "The generated clients trip it everywhere."

describe("the state of a rule", () => {
  const set = (rule: string, state: "on" | "off", of_repository = false) => ({ rule, state, of_repository })

  pure("follows the repository before the workspace, and the rule before its tool", () => {
    assert.strictEqual(stateOf([], "complexity.cognitive_complexity"), null)
    assert.strictEqual(stateOf([set("complexity", "off")], "complexity.cognitive_complexity"), "off")
    const own = [set("complexity", "off"), set("complexity.cognitive_complexity", "on")]
    assert.strictEqual(stateOf(own, "complexity.cognitive_complexity"), "on")
    assert.strictEqual(stateOf(own, "complexity.deep_nesting"), "off")
    assert.strictEqual(stateOf([...own, set("complexity", "off", true)], "complexity.cognitive_complexity"), "off")
    assert.strictEqual(stateOf([set("complexity", "off")], "complexity_two.rule"), null)
  })
})

layer(TestApp)((it) => {
  describe("settings of rules", () => {
    it.effect("hold for the workspace or one repository, are what scans are given, and are removed by `default`", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        yield* aRegisteredRepository(owner)
        const rules = yield* RuleSettings
        const repositories = yield* Repositories
        const { id: repository_id } = yield* repositories.find(path).pipe(as(owner))
        const scope = rules.of({ workspace_id: owner.workspace_id, repository_id })
        assert.deepStrictEqual(yield* scope, { rulesOff: [], rulesOn: [] })
        yield* rules.set("complexity", { state: "off", reason }).pipe(as(owner))
        const repo = "api@main"
        const one = yield* rules.set("complexity.cognitive_complexity", { state: "on", repo }).pipe(as(owner))
        assert.deepStrictEqual([one.repo_name, one.state, one.changed_by?.kind], [repo, "on", "user"])
        const { rulesOff, rulesOn } = yield* scope
        assert.include(rulesOff, "complexity.deep_nesting")
        assert.notInclude(rulesOff, "complexity.cognitive_complexity")
        assert.deepStrictEqual(rulesOn, ["complexity.cognitive_complexity"])
        assert.deepStrictEqual(
          (yield* rules.list().pipe(as(owner))).data.map(({ rule, repo_name, state }) => [rule, repo_name, state]),
          [
            ["complexity", null, "off"],
            ["complexity.cognitive_complexity", repo, "on"]
          ]
        )
        const listed = yield* rules.rules({ tool: "complexity", repo }).pipe(as(owner))
        assert.deepStrictEqual(
          listed.data.filter(({ state }) => state === "on").map(({ rule }) => rule),
          ["complexity.cognitive_complexity"]
        )
        const removed = yield* rules.set("complexity", { state: "default" }).pipe(as(owner))
        assert.deepStrictEqual([removed.state, removed.changed_at], ["default", null])
        assert.deepStrictEqual((yield* scope).rulesOff, [])
      })
    )

    it.effect("need a reason to switch off, and a rule or tool that there is", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const rules = yield* RuleSettings
        const silent = yield* Effect.flip(rules.set("complexity", { state: "off" }).pipe(as(owner)))
        assert.strictEqual(silent.message, "reason: say why the rule is switched off.")
        const unknown = yield* Effect.flip(rules.set("complexity.nothing", { state: "on" }).pipe(as(owner)))
        assert.include(unknown.message, "GET /api/rules?tool=complexity")
        assert.strictEqual(yield* codeOf(rules.set("nothing", { state: "on" }).pipe(as(owner))), "invalid_payload")
      })
    )

    it.effect("are of one workspace", () =>
      Effect.gen(function* () {
        const [owner, stranger] = [yield* aWorkspace(), yield* aWorkspace()]
        const rules = yield* RuleSettings
        yield* rules.set("complexity", { state: "off", reason }).pipe(as(owner))
        assert.deepStrictEqual((yield* rules.list().pipe(as(stranger))).data, [])
      })
    )
  })

  describe("what people decided about a rule", () => {
    it.effect("is counted, and proposes to mute it once it was wrong more often than right over thirty decisions", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        yield* aRegisteredRepository(owner)
        const rules = yield* RuleSettings
        const repositories = yield* Repositories
        const { id: repository_id } = yield* repositories.find(path).pipe(as(owner))
        const sql = yield* SqlClient.SqlClient
        const decide = (from: number, to: number, category: string | null) =>
          sql`INSERT INTO observations (id, workspace_id, repository_id, number, kind, status, priority, category, domain,
                tool, rule_id, title, description, confidence, effort, risk, evidence, locations, file_path, tool_version,
                signatures, anchor, close_reason, dismissal_category, first_seen_at, last_seen_at, created_at, updated_at)
              SELECT gen_random_uuid(), ${owner.workspace_id}, ${repository_id}, n, 'advisory', 'closed', 'P3',
                'maintainability', 'code_quality', 'complexity', 'complexity.cognitive_complexity', 't', 'd', 0.9, 'small', 'low',
                '{}', '[]', 'a.js', 1, jsonb_build_object('located', n::text), '',
                ${category === null ? "fixed" : "dismissed"}, ${category}, now(), now(), now(), now()
              FROM generate_series(${from}::integer, ${to}::integer) AS n`
        yield* decide(1, 16, "false_positive")
        yield* decide(17, 26, null)
        yield* decide(27, 29, "wont_fix")
        yield* decide(40, 45, "no_longer_found")
        const proposed = Effect.map(rules.proposals().pipe(as(owner)), ({ data }) => data)
        assert.deepStrictEqual(yield* proposed, [])
        yield* decide(30, 30, "other")
        const [proposal, ...others] = yield* proposed
        assert.deepStrictEqual(others, [])
        assert.deepInclude(proposal, {
          rule: "complexity.cognitive_complexity",
          decided: 30,
          false_positive: 16,
          confidence: 0.47
        })
        assert.match(proposal?.text ?? "", /^Dismissed as false positive 16 of 30 here\. Mute the rule: PUT /)
        const { data } = yield* rules.rules({ tool: "complexity" }).pipe(as(owner))
        assert.deepStrictEqual(data.find(({ rule }) => rule === proposal?.rule)?.outcomes, {
          decided: 30,
          false_positive: 16,
          confidence: 0.47
        })
        yield* rules.set("complexity.cognitive_complexity", { state: "off", reason }).pipe(as(owner))
        assert.deepStrictEqual(yield* proposed, [])
      })
    )
  })
})
