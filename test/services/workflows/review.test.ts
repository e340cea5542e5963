import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AttemptId, ObservationId } from "../../../src/schema/Ids.ts"
import { Submissions } from "../../../src/services/jobs/Submissions.ts"
import { newId } from "../../../src/services/support/ids.ts"
import type { Repository } from "../../support/gitRepository.ts"
import { as } from "../../support/jobs.ts"
import { madeUp } from "../../support/madeUp.ts"
import { aWorkplace, observed, ran, Workshop } from "../../support/workflows.ts"

const query = (name: string) =>
  `export const ${name} = (req, db) => db.query("SELECT * FROM ${name} WHERE id = " + req.query.id)\n`

const controller = (line: string) => `class UsersController < ApplicationController
  def index
    ${line}
  end
end
`

interface Introduced {
  readonly rule_id: string
  readonly file_path: string
  readonly line_start: number
  readonly reach: string
}

const introducedIn = (result: Record<string, unknown> | null) =>
  ((result?.introduced ?? []) as ReadonlyArray<Introduced>)
    .filter(({ rule_id }) => rule_id.startsWith("sql_injection"))
    .map(({ file_path, line_start, reach }) => `${file_path}:${line_start} ${reach}`)

interface Comment {
  readonly path: string
  readonly line: number
  readonly side: string
  readonly body: string
}

const onBranch = (repository: Repository, name: string) => {
  repository.git("branch", name, "main")
  return (...[files, change]: Parameters<Repository["commit"]>) => repository.commit(files, { ...change, branch: name })
}

layer(Workshop, { timeout: "10 minutes" })("review", (it) => {
  it.effect(
    "reports what a branch introduces and resolves, at its lines, and records nothing",
    () =>
      Effect.gen(function* () {
        const { repository, tenant } = yield* aWorkplace({
          "src/old.js": query("old"),
          "src/fixed.js": query("fixed"),
          "src/renamed.js": `${query("renamed")}// and more\n// and more\n// and more\n`
        })
        const commit = onBranch(repository, "feature/new things".replace(" ", "-"))
        const token = `ghp_${madeUp("alnum", 36, 12)}`
        const head = commit(
          {
            "src/old.js": `// One more line.\n${query("old")}`,
            "src/fixed.js": 'export const fixed = (req, db) => db.query("SELECT 1 WHERE id = $1", [req.query.id])\n',
            "src/added file.js": `// A comment.\n${query("added")}`,
            'src/quo"te.js': `const token = "${token}"\nexport const quoted = () => token\n`,
            "picture.png": new Uint8Array([137, 80, 78, 71, 0, 1])
          },
          { rename: { "src/renamed.js": "src/other name.js" } }
        )
        const base = repository.git("rev-parse", "main")
        repository.commit({ "src/later.js": query("later") })
        const job = yield* ran(tenant, "review", { branch: "feature/new-things" })
        assert.strictEqual(job.status, "completed", job.error ?? "")
        const { result } = job
        assert.deepStrictEqual([result?.base_sha, result?.head_sha, result?.files_changed], [base, head, 6])
        assert.deepStrictEqual(introducedIn(result), ["src/added file.js:2 changed_line"])
        assert.strictEqual(result?.resolved_count, 1)
        const comments = result?.comments as ReadonlyArray<Comment>
        const [sql] = comments.filter(({ path }) => path === "src/added file.js")
        assert.deepStrictEqual([sql?.line, sql?.side], [2, "RIGHT"])
        assert.match(sql?.body ?? "", /^\*\*P\d .*`sql_injection\.\w+` · \d+ % confidence · CWE-89$/s)
        assert.isTrue(comments.some(({ path }) => path === 'src/quo"te.js'))
        assert.notInclude(JSON.stringify(job), token)
        assert.match(String(result?.summary), /^This change introduces \d+ observations? /)
        assert.strictEqual((yield* observed(tenant)).size, 0)
        assert.isNull(job.commit_sha)
      }),
    600_000
  )

  it.effect(
    "reviews a pull request and a commit; new commits on a branch are a new review",
    () =>
      Effect.gen(function* () {
        const { repository, tenant } = yield* aWorkplace({
          "src/lib.js": "export const one = 1\n"
        })
        const commit = onBranch(repository, "change")
        const first = commit({ "src/a.js": query("a") })
        repository.git("update-ref", "refs/pull/7/head", first)
        const byNumber = yield* ran(tenant, "review", { pull_request: 7 })
        assert.deepStrictEqual(introducedIn(byNumber.result), ["src/a.js:1 changed_line"], byNumber.error ?? "")
        const byCommit = yield* ran(tenant, "review", { commit: first })
        assert.deepStrictEqual(
          [byCommit.commit_sha, byCommit.result?.introduced_count],
          [first, byNumber.result?.introduced_count]
        )

        const submissions = yield* Submissions
        const submit = (params: Record<string, unknown>) =>
          submissions.submit({ path: tenant.path, workflow: "review", params })
        assert.isFalse((yield* as(tenant)(submit({ commit: first }))).created)
        assert.isTrue((yield* as(tenant)(submit({ pull_request: 7 }))).created)
      }),
    600_000
  )

  it.effect(
    "reports what a change does to code that did not change itself",
    () =>
      Effect.gen(function* () {
        const { repository, tenant } = yield* aWorkplace({
          "app/models/user.rb": `class User < ApplicationRecord
  def self.named(text)
    where("name LIKE '%#{text}%'")
  end
end
`,
          "app/controllers/users_controller.rb": controller("User.all")
        })
        onBranch(repository, "change")({ "app/controllers/users_controller.rb": controller("User.named(params[:q])") })
        const { result } = yield* ran(tenant, "review", { branch: "change" })
        assert.deepStrictEqual(introducedIn(result), ["app/models/user.rb:3 changed_file"])
        assert.include(result?.summary, "`app/models/user.rb:3`, in or through a changed file")
      }),
    600_000
  )

  it.effect(
    "ends with a reason when there is nothing to compare",
    () =>
      Effect.gen(function* () {
        const { repository, tenant } = yield* aWorkplace({ a: "a\n" })
        repository.git("branch", "same")
        repository.commit({ z: "z" }, { branch: "orphan" })
        const end = (params: Record<string, unknown>) =>
          Effect.map(ran(tenant, "review", params), ({ status, failure_kind, retryable }) => [
            status,
            failure_kind,
            retryable
          ])
        assert.deepStrictEqual(yield* end({ branch: "same" }), ["failed", "no_changes", false])
        assert.deepStrictEqual(yield* end({ branch: "orphan" }), ["failed", "diff_too_large", false])
        assert.deepStrictEqual(yield* end({ branch: "nowhere" }), ["failed", "repo_unavailable", true])
        assert.deepStrictEqual(yield* end({ pull_request: 3 }), ["failed", "repo_unavailable", true])
      }),
    600_000
  )

  it.effect("rejects params that do not name one thing, and pull requests of its own", () =>
    Effect.gen(function* () {
      const { tenant } = yield* aWorkplace({ a: "a" })
      const sql = yield* SqlClient.SqlClient
      const [observation_id] = [yield* newId(ObservationId)]
      const at = "2026-01-01T00:00:00Z"
      yield* sql`INSERT INTO observations (id, workspace_id, repository_id, number, kind, priority, category, domain, tool,
          rule_id, title, description, confidence, effort, risk, evidence, locations, file_path, tool_version, signatures,
          anchor, first_seen_at, last_seen_at, created_at, updated_at)
        VALUES (${observation_id}, ${tenant.caller.workspace_id}, ${tenant.repository_id}, 1, 'finding', 'P1', 'security',
          'security', 't', 'r', 'T', 'D', 1, 'small', 'low', '{}', '[]', 'a', 1, '{"located": "x"}', '', ${at}, ${at},
          ${at}, ${at})`
      yield* sql`INSERT INTO fix_attempts (id, workspace_id, repository_id, observation_id, pr_status, pr_url, pr_number,
          started_at, updated_at)
        VALUES (${yield* newId(AttemptId)}, ${tenant.caller.workspace_id}, ${tenant.repository_id}, ${observation_id}, 'in_review',
          'https://example.org/pr/12', 12, ${at}, ${at})`
      const rejected: ReadonlyArray<readonly [Record<string, unknown>, string]> = [
        [{}, "exactly one of"],
        [{ branch: "a", pull_request: 1 }, "exactly one of"],
        [{ branch: "--output=/tmp/x" }, "is not a branch name"],
        [{ pull_request: 0 }, "must be at least 1"],
        [{ pull_request: 1.5 }, "must be a whole number"],
        [{ commit: "main" }, "must be a full commit id"],
        [{ tag: "v1" }, "tag"],
        [{ branch: "assay/fix-obs-12" }, "does not review its own work"],
        [{ pull_request: 12 }, "does not review its own work"]
      ]
      for (const [params, message] of rejected) {
        const error = yield* Effect.flip(ran(tenant, "review", params))
        assert.include("message" in error ? error.message : "", message, JSON.stringify(params))
      }
    })
  )
})
