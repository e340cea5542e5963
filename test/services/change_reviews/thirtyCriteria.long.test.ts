// Held in the short form by: checks/checkOf.test.ts (which check a text asks for), checks/evaluate.test.ts (the verdict, reason and
// evidence of each check, over several branches), changeReviews.test.ts (a whole review of branches of two repositories, with
// what is met, not met and left open).
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { NewCriterion } from "../../../src/schema/ChangeReview.ts"
import { RepositoryId } from "../../../src/schema/Ids.ts"
import { ChangeReviews } from "../../../src/services/change_reviews/ChangeReviews.ts"
import { Jobs } from "../../../src/services/jobs/Jobs.ts"
import { newId } from "../../../src/services/support/ids.ts"
import { aRepository } from "../../support/gitRepository.ts"
import { as, until } from "../../support/jobs.ts"
import { aWorkplace, localRoot, Workshop } from "../../support/workflows.ts"

const met: ReadonlyArray<NewCriterion> = [
  { text: "Tests changed with code" },
  { text: "Documentation mentions RETRY_LIMIT" },
  { text: "File docs/retry.md is present" },
  { text: "No binaries", check: { kind: "file_absent", glob: "*.exe" } },
  { text: "The delay has a name", check: { kind: "text_present", glob: "src/**", pattern: "\\bretryDelay\\b" } },
  { text: "No debugging output", check: { kind: "text_absent", glob: "src/**", pattern: "console\\.debug" } },
  { text: "Of moderate size", check: { kind: "max_size", files: 30, lines: 500 } },
  { text: "Size below 400 lines" },
  { text: "No secret" },
  { text: "No new P0 observation" }
]

const notMet: ReadonlyArray<NewCriterion> = [
  { text: "Documentation mentions CIRCUIT_BREAKER" },
  { text: "File docs/never.md is present" },
  { text: "The guide is gone", check: { kind: "file_absent", glob: "docs/guide.md" } },
  { text: "The breaker has a name", check: { kind: "text_present", glob: "src/**", pattern: "circuitBreaker" } },
  { text: "No delay", check: { kind: "text_absent", glob: "src/**", pattern: "retryDelay" } },
  { text: "One file", check: { kind: "max_size", files: 1 } },
  { text: "Size below 4 lines" },
  { text: "No new observation" },
  { text: "No public API removed" },
  { text: "A Rust port", check: { kind: "file_present", glob: "*.rs" } }
]

const open: ReadonlyArray<NewCriterion> = [
  { text: "Observation OBS-999 no longer found" },
  { text: "The button feels right" },
  { text: "Customers understand the message" },
  { text: "The design was agreed with the payments team" },
  { text: "Latency in production stays below 200 ms" },
  { text: "The feature works with screen readers" },
  { text: "Support was informed" },
  { text: "The code is elegant" },
  { text: "Nothing surprises the person on call" },
  { text: "The names are those that the business uses" }
]

const injectable = `export const added = (req, db) => db.query("SELECT * FROM added WHERE id = " + req.query.id)\n`

layer(Workshop, { timeout: "10 minutes" })("thirty criteria on three branches of two repositories", (it) => {
  it.effect(
    "are answered right: ten met, ten not met, ten that nothing decides",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const reviews = yield* ChangeReviews
        const { repository: api, tenant } = yield* aWorkplace({
          "src/lib.ts": "export const kept = (n: number) => n + 1\nexport const lost = (n: number) => n - 1\n",
          "src/old.ts": "export const old = 1\n",
          "test/lib.test.ts": "import { kept } from '../src/lib.ts'\nkept(1)\n",
          "docs/guide.md": "# Guide\n"
        })
        const { workspace_id } = tenant.caller
        yield* sql`UPDATE workspaces SET features = ARRAY['change_reviews'] WHERE id = ${workspace_id}`
        const web = aRepository(
          { "src/page.ts": "export const page = 1\n", "test/page.test.ts": "export {}\n" },
          { path: `${localRoot}/thirty-web`, bare: true }
        )
        const web_id = yield* newId(RepositoryId)
        yield* sql`
          INSERT INTO repositories (id, workspace_id, github_org, github_repo, github_base_branch, access_mode, clone_url,
            head_sha, created_at)
          VALUES (${web_id}, ${workspace_id}, 'acme', 'web', 'main', 'anonymous', ${web.path}, 'c0ffee',
            '2026-01-01T00:00:00Z')`
        api.git("branch", "feature/retry", "main")
        const head = api.commit(
          {
            "src/retry.ts": "export const retryDelay = (n: number) => 100 * 2 ** n\n",
            "src/added.js": injectable,
            "test/retry.test.ts": "import { retryDelay } from '../src/retry.ts'\nretryDelay(1)\n",
            "docs/guide.md": "# Guide\n\nSet RETRY_LIMIT.\n",
            "docs/retry.md": "# Retries\n"
          },
          { branch: "feature/retry" }
        )
        api.git("branch", "feature/cleanup", "main")
        const cleaned = api.commit(
          {
            "src/lib.ts": "export const kept = (n: number) => n + 1\n",
            "test/lib.test.ts": "import { kept } from '../src/lib.ts'\nkept(2)\n"
          },
          { branch: "feature/cleanup" }
        )
        web.git("branch", "feature/retry", "main")
        web.commit(
          { "src/page.ts": "export const page = 2\n", "test/page.test.ts": "export const tested = 2\n" },
          { branch: "feature/retry" }
        )
        const { review } = yield* reviews
          .start({
            title: "ABC-7 Retry what times out",
            branches: [
              { repository: "acme/api@main", branch: "feature/retry" },
              { repository: "acme/api@main", branch: "feature/cleanup" },
              { repository: "acme/web@main", branch: "feature/retry" }
            ],
            criteria: [...met, ...notMet, ...open]
          })
          .pipe(as(tenant))
        assert.strictEqual(review.name, "ABC-7")
        const done = yield* until(reviews.get("ABC-7"), ({ readiness }) => readiness !== "running").pipe(as(tenant))
        const jobs = yield* Jobs
        const job = yield* jobs.get(review.job_id ?? assert.fail("no job")).pipe(as(tenant))
        assert.strictEqual(job.status, "completed", job.error ?? "")
        const answers = done.criteria.map(({ text, verdict, reason }) => `${text}: ${verdict} (${reason})`)
        const expected = [...met.map(() => "met"), ...notMet.map(() => "not_met"), ...open.map(() => "cannot_tell")]
        assert.deepStrictEqual(
          done.criteria.map(({ verdict }) => verdict),
          expected,
          answers.join("\n")
        )
        assert.strictEqual(done.readiness, "not_ready")
        // Locations are at the commits that were reviewed, of the repository and branch that shows it.
        const evidenceOf = (text: string) => done.criteria.find((one) => one.text === text)?.evidence ?? []
        assert.deepInclude(evidenceOf("No delay"), {
          repository: "acme/api@main",
          commit: head,
          file_path: "src/retry.ts",
          line_start: 1,
          line_end: 1
        })
        const cleanedBase = done.branches.find(({ head_sha }) => head_sha === cleaned)?.base_sha
        assert.deepInclude(evidenceOf("No public API removed"), {
          repository: "acme/api@main",
          commit: cleanedBase,
          file_path: "src/lib.ts",
          line_start: 2,
          line_end: 2
        })
      }),
    600_000
  )
})
