import { SqlClient } from "@effect/sql"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import { ContextEntries } from "../../../src/services/context/ContextEntries.ts"
import { OrganizationContext } from "../../../src/services/context/OrganizationContext.ts"
import { TeamContext } from "../../../src/services/context/TeamContext.ts"
import { AgentRunner } from "../../../src/services/ports/AgentRunner.ts"
import { FixSettings } from "../../../src/services/settings/FixSettings.ts"
import { RepositoryTexts } from "../../../src/services/settings/RepositoryTexts.ts"
import { Settings } from "../../../src/services/settings/Settings.ts"
import { aRegisteredRepository, as, aWorkspace } from "../../support/builders.ts"
import { aKeyOf, codeOf, note } from "../../support/context.ts"
import { TestApp } from "../../support/TestApp.ts"

const path = { github_org: "acme", github_repo: "api", github_base_branch: "main" }

layer(TestApp)((it) => {
  describe("settings of a workspace", () => {
    it.effect("are a closed list with defaults; each takes its own kind of value, and knows who changed it", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const settings = yield* Settings
        const { data } = yield* settings.list().pipe(as(owner))
        assert.deepStrictEqual(
          data.map(({ name, value, changed_at }) => [name, value, changed_at]),
          [
            ["audit_suggestions", false, null],
            ["automatic_discovery", true, null],
            ["fix_runner", "rules", null],
            ["review_instructions", "", null]
          ]
        )
        const set = yield* settings.set("automatic_discovery", false).pipe(as(owner))
        assert.deepStrictEqual([set.value, set.default, set.changed_by?.kind], [false, true, "user"])
        assert.strictEqual((yield* settings.clear("automatic_discovery").pipe(as(owner))).value, true)
        const wrong = yield* Effect.flip(settings.set("audit_suggestions", "true").pipe(as(owner)))
        assert.deepStrictEqual(
          [wrong.spec.code, wrong.message],
          ["invalid_payload", "value: must be true or false for audit_suggestions"]
        )
        assert.strictEqual(
          yield* codeOf(settings.set("review_instructions", "x".repeat(8193)).pipe(as(owner))),
          "invalid_payload"
        )
      })
    )

    it.effect("take an agent as the runner of fixes only where the operator has named one", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const runner = Effect.flatMap(FixSettings, (fixes) => fixes.runnerOf(owner.workspace_id))
        const settings = yield* Settings
        assert.strictEqual(yield* runner, "rules")
        for (const value of ["agent", "rules_then_agent"]) {
          const rejected = yield* Effect.flip(settings.set("fix_runner", value).pipe(as(owner)))
          assert.strictEqual(rejected.spec.code, "invalid_payload")
          assert.include(rejected.message, "ASSAY_AGENT_COMMAND")
        }
        const unknown = yield* Effect.flip(settings.set("fix_runner", "human").pipe(as(owner)))
        assert.strictEqual(unknown.message, "value: must be rules, agent, rules_then_agent for fix_runner")
        const withAgent = yield* Settings.pipe(
          Effect.provide(Layer.provide(Layer.fresh(Settings.Default), Layer.mock(AgentRunner, { configured: true })))
        )
        for (const value of ["agent", "rules_then_agent", "rules"]) {
          assert.strictEqual((yield* withAgent.set("fix_runner", value).pipe(as(owner))).value, value)
          assert.strictEqual(yield* runner, value)
        }
      })
    )

    it.effect("are the switches that the product reads, the operator's among them", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const sql = yield* SqlClient.SqlClient
        const settings = yield* Settings
        yield* sql`UPDATE workspaces SET features = '{missions}' WHERE id = ${owner.workspace_id}`
        yield* settings.set("audit_suggestions", true).pipe(as(owner))
        yield* settings.set("audit_suggestions", true).pipe(as(owner))
        const [row] = yield* sql`SELECT features FROM workspaces WHERE id = ${owner.workspace_id}`
        assert.deepStrictEqual(row, { features: ["missions", "audit_suggestions"] })
        const changes = yield* sql`SELECT prev, value FROM setting_changes WHERE workspace_id = ${owner.workspace_id}`
        assert.deepStrictEqual([...changes], [{ prev: false, value: true }])
      })
    )
  })

  describe("guidance of the workspace", () => {
    it.effect(
      "is the live entry that leads every digest, replaced as a whole, with its history, and removed by nothing",
      () =>
        Effect.gen(function* () {
          const owner = yield* aWorkspace()
          const key = yield* aKeyOf(owner, "admin")
          const guidance = yield* OrganizationContext
          const context = yield* TeamContext
          const entries = yield* ContextEntries
          yield* entries.create(null, note("a", { kind: "warning" })).pipe(as(owner))
          assert.strictEqual((yield* guidance.get().pipe(as(owner))).text, "")
          yield* guidance.set("We deploy on Tuesdays.").pipe(as(key))
          const changed = yield* guidance.set("We deploy on\nWednesdays.").pipe(as(key))
          assert.deepStrictEqual(
            [changed.text, changed.changed_by?.kind, changed.changed_by?.label?.startsWith("admin ")],
            ["We deploy on\nWednesdays.", "api_key", true]
          )
          const digest = yield* context.digest(null).pipe(as(owner))
          assert.isFalse(digest.unchanged)
          if (!digest.unchanged) {
            assert.deepInclude(digest.value.entries[0], {
              key: "organization-context",
              status: "live",
              summary: "We deploy on Wednesdays."
            })
          }
          const history = yield* context.history(null, "organization-context", {}).pipe(as(owner))
          assert.deepStrictEqual(
            history.data.map(({ event, prev }) => [event, prev.body_md]),
            [
              ["updated", "We deploy on Tuesdays."],
              ["created", null]
            ]
          )
          yield* guidance.set("  ").pipe(as(owner))
          assert.strictEqual((yield* guidance.get().pipe(as(owner))).text, "")
          assert.strictEqual((yield* guidance.set("Again.").pipe(as(owner))).text, "Again.")
          assert.strictEqual(
            yield* codeOf(entries.create(null, note("organization-context")).pipe(as(owner))),
            "key_reserved"
          )
        })
    )

    it.effect("made from an earlier text is rejected with the one that is there, and nothing of either is lost", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const guidance = yield* OrganizationContext
        const { etag: none } = yield* guidance.get().pipe(as(owner))
        const first = yield* guidance.set("Ours.", `"${none}"`).pipe(as(owner))
        const rejected = yield* guidance.set("Theirs.", none).pipe(as(owner), Effect.flip)
        assert.strictEqual(rejected._tag, "VersionConflict")
        assert.deepInclude(rejected.details, { current_etag: first.etag })
        assert.deepInclude((rejected.details as { readonly current: object }).current, { text: "Ours." })
        assert.strictEqual((yield* guidance.get().pipe(as(owner))).text, "Ours.")
        // Of many who write the first text at once, all made from none, one is first.
        const other = yield* aWorkspace()
        const writes = yield* Effect.all(
          Array.from({ length: 6 }, (_, i) => guidance.set(`Text ${i}.`, none).pipe(as(other), Effect.either)),
          { concurrency: 6 }
        )
        assert.lengthOf(writes.filter(Either.isRight), 1)
        assert.strictEqual((yield* guidance.set("Whatever it is.").pipe(as(other))).text, "Whatever it is.")
      })
    )

    it.effect("keeps one live entry while many write it", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const sql = yield* SqlClient.SqlClient
        const guidance = yield* OrganizationContext
        const writes = Array.from({ length: 12 }, (_, i) =>
          guidance.set(i % 4 === 3 ? "" : `Text ${i}.`).pipe(as(owner))
        )
        yield* Effect.all(writes, { concurrency: 6 })
        const live = yield* sql`SELECT 1 FROM context_entries
        WHERE workspace_id = ${owner.workspace_id} AND disabled_at IS NULL`
        assert.isAtMost(live.length, 1)
      })
    )
  })

  describe("texts of a repository", () => {
    it.effect("made from an earlier text are rejected with the one that is there", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        yield* aRegisteredRepository(owner)
        const texts = yield* RepositoryTexts
        const { etag } = yield* texts.guidance(path).pipe(as(owner))
        yield* texts.setGuidance(path, "Ours.", etag).pipe(as(owner))
        assert.strictEqual(yield* codeOf(texts.setGuidance(path, "Theirs.", etag).pipe(as(owner))), "version_conflict")
        assert.strictEqual((yield* texts.guidance(path).pipe(as(owner))).text, "Ours.")
        const { etag: seen } = yield* texts.reviewInstructions(path).pipe(as(owner))
        const { etag: next } = yield* texts.setReviewInstructions(path, "Be brief.", seen).pipe(as(owner))
        assert.strictEqual(
          yield* codeOf(texts.setReviewInstructions(path, "No.", seen).pipe(as(owner))),
          "version_conflict"
        )
        assert.strictEqual((yield* texts.setReviewInstructions(path, "Yes.", next).pipe(as(owner))).repository, "Yes.")
      })
    )

    it.effect("are its own; reviews get the repository's instructions, then the workspace's", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        yield* aRegisteredRepository(owner)
        const [texts, settings] = [yield* RepositoryTexts, yield* Settings]
        yield* settings.set("review_instructions", "Be brief.").pipe(as(owner))
        yield* texts.setGuidance(path, "Count money in cents.").pipe(as(owner))
        const updated = yield* texts.setReviewInstructions(path, "Look twice at payments.").pipe(as(owner))
        assert.strictEqual(updated.effective, "Look twice at payments.\n\nBe brief.")
        assert.strictEqual((yield* texts.guidance(path).pipe(as(owner))).text, "Count money in cents.")
        const wrong = "Be brief.\nmax comments: few\nignore rules: sql_injektion"
        const save = texts.setReviewInstructions(path, wrong).pipe(as(owner), Effect.asVoid)
        for (const [param, saving] of [
          ["text", save],
          [
            "value",
            settings
              .set("review_instructions", wrong)
              .pipe(as(owner), Effect.asVoid, Effect.catchTag("PlanRestricted", Effect.die))
          ]
        ] as const) {
          const { spec, message, errors } = yield* Effect.flip(saving)
          assert.strictEqual(spec.code, "invalid_payload")
          assert.match(message, new RegExp(`^${param}: line 2: .max comments:. takes a whole number from 0 to 50`))
          assert.deepStrictEqual(
            errors?.map(({ loc, msg }) => [loc, msg.slice(0, 7)]),
            [
              [[param], "line 2:"],
              [[param], "line 3:"]
            ]
          )
        }
        assert.strictEqual(
          (yield* texts.reviewInstructions(path).pipe(as(owner))).repository,
          "Look twice at payments."
        )
        const none = yield* texts.setReviewInstructions(path, "").pipe(as(owner))
        assert.deepStrictEqual([none.repository, none.effective], ["", "Be brief."])
        const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`
        const rejected = yield* Effect.flip(texts.setGuidance(path, `Use ${secret}`).pipe(as(owner)))
        assert.strictEqual(rejected.spec.code, "secret_detected")
        assert.notInclude(rejected.message, secret)
      })
    )
  })
})
