import { gunzipSync } from "node:zlib"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { Job } from "../../../src/schema/Job.ts"
import { StagesRepo } from "../../../src/services/jobs/StagesRepo.ts"
import { RepositoryTexts } from "../../../src/services/settings/RepositoryTexts.ts"
import { Settings } from "../../../src/services/settings/Settings.ts"
import { as } from "../../support/jobs.ts"
import { aWorkplace, ran, Workshop } from "../../support/workflows.ts"

const query = (name: string) =>
  `export const ${name} = (req, db) => db.query("SELECT * FROM ${name} WHERE id = " + req.query.id)\n`

const shell = `import { exec } from "node:child_process"\nexport const run = (req) => exec("ls " + req.query.dir)\n`

interface Result {
  readonly introduced: ReadonlyArray<{ readonly rule_id: string; readonly file_path: string }>
  readonly comments: ReadonlyArray<{ readonly path: string }>
  readonly introduced_count: number
  readonly resolved_count: number
  readonly left_out_count: number
  readonly summary: string
}

const resultOf = ({ status, error, result }: Job) => {
  assert.strictEqual(status, "completed", error ?? "")
  const found: object = result ?? {}
  return found as Result
}

const toolsIn = ({ introduced }: Result) => [...new Set(introduced.map(({ rule_id }) => rule_id.split(".")[0]))]

layer(Workshop, { timeout: "10 minutes" })("review instructions", (it) => {
  it.effect(
    "take part in a review: paths and rules left out, rules first, a ceiling of comments, text kept for an agent",
    () =>
      Effect.gen(function* () {
        const { repository, tenant } = yield* aWorkplace({ "legacy/old.js": query("old"), "src/lib.js": "export {}\n" })
        repository.git("branch", "change", "main")
        repository.commit(
          { "legacy/sample.js": query("sample"), "src/a.js": query("a"), "src/b.js": shell },
          { branch: "change", remove: ["legacy/old.js"] }
        )
        const [texts, settings] = [yield* RepositoryTexts, yield* Settings]
        const review = Effect.map(ran(tenant, "review", { branch: "change" }), resultOf)
        const instruct = (text: string) => as(tenant)(texts.setReviewInstructions(tenant.path, text))

        const plain = yield* review
        assert.includeMembers(toolsIn(plain), ["sql_injection", "command_injection"])
        assert.isTrue(plain.introduced.some(({ file_path }) => file_path === "legacy/sample.js"))
        assert.deepStrictEqual([plain.left_out_count, plain.resolved_count > 0], [0, true])

        const written =
          "ignore paths: legacy/\nfocus rules: command_injection\nmax comments: 1\n\nLook twice at payments."
        const saved = yield* instruct(written)
        assert.deepStrictEqual([saved.repository, saved.directives.max_comments], [written, 1])
        const focused = yield* review
        assert.isFalse(focused.introduced.some(({ file_path }) => file_path.startsWith("legacy/")))
        assert.match(focused.introduced[0]?.rule_id ?? "", /^command_injection\./)
        assert.deepStrictEqual(
          focused.comments.map(({ path }) => path),
          ["src/b.js"]
        )
        assert.strictEqual(focused.resolved_count, 0)
        assert.strictEqual(focused.introduced_count + focused.left_out_count, plain.introduced_count)
        assert.include(focused.summary, `Left out as the review instructions ask: ${focused.left_out_count}.`)
        assert.include(focused.summary, "`src/a.js:1`")

        yield* as(tenant)(settings.set("review_instructions", "ignore rules: command_injection\nBe brief."))
        const job = yield* ran(tenant, "review", { branch: "change" })
        const both = resultOf(job)
        assert.notInclude(toolsIn(both), "command_injection")
        assert.include(toolsIn(both), "sql_injection")
        const stages = yield* StagesRepo
        const kept = Option.getOrThrow(yield* stages.readArtifact({ job_id: job.id, namespace: "instructions" }))
        assert.deepInclude(JSON.parse(gunzipSync(kept).toString()), { text: "Look twice at payments.\n\nBe brief." })
      }),
    600_000
  )

  it.effect(
    "that no longer direct anything do not stop a review; its events name the line",
    () =>
      Effect.gen(function* () {
        const { repository, tenant } = yield* aWorkplace({ "src/lib.js": "export {}\n" })
        repository.git("branch", "change", "main")
        repository.commit({ "src/a.js": query("a") }, { branch: "change" })
        // As a version before this one stored them.
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE repositories SET review_instructions = ${"Be brief.\nmax comments: few"}
          WHERE id = ${tenant.repository_id}`
        const job = yield* ran(tenant, "review", { branch: "change" })
        assert.isAbove(resultOf(job).comments.length, 0)
        const events = yield* sql<{ readonly detail: string }>`SELECT detail FROM job_events WHERE job_id = ${job.id}`
        assert.isTrue(
          events.some(({ detail }) => /not followed: Repository, line 2: `max comments:` takes/.test(detail))
        )
      }),
    600_000
  )
})
