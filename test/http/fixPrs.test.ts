import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Uuid } from "../../src/schema/Text.ts"
import { newId } from "../../src/services/support/ids.ts"
import { now } from "../../src/services/support/now.ts"
import { aKey, anObservation, aRegisteredRepository, aWorkspace, type Person } from "../support/builders.ts"
import { TestApp } from "../support/TestApp.ts"
import { type Call, jsonOf, outcome, send } from "../support/wire.ts"

/** A fix pull request of an observation of its own; gives the observation's ref. */
const aFixPr = (person: Person, repository: { readonly id: string }, status: "in_review" | "merged" | "closed") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const ref = yield* anObservation(person, repository)
    const at = yield* now
    const outcomes = { in_review: "started", merged: "pr_merged", closed: "pr_rejected" }
    yield* sql`INSERT INTO fix_attempts (id, workspace_id, repository_id, observation_id, outcome, branch, runner, pr_url,
        pr_status, pr_number, started_at, updated_at, finished_at)
      SELECT ${yield* newId(Uuid)}, workspace_id, repository_id, id, ${outcomes[status]}, 'assay/fix-obs-' || number, 'rules',
        'https://example.org/pull/' || number, ${status}, number, ${at}, ${at},
        ${status === "in_review" ? null : at}::timestamptz
      FROM observations WHERE workspace_id = ${person.workspace_id} AND 'OBS-' || number = ${ref}`
    return ref
  }).pipe(Effect.orDie)

interface Row {
  readonly ref: string
  readonly repo_name: string
  readonly status: string
}

const rowsOf = (as: Call["as"], query = "") =>
  Effect.map(send({ path: `/api/fix-prs${query}`, as }), (answer) =>
    (jsonOf(answer).data as ReadonlyArray<Row>).map(({ ref, repo_name, status }) => `${ref} ${repo_name} ${status}`)
  )

layer(TestApp)("the fix pull requests of a workspace", (it) => {
  it.effect("are those of all repositories, the newest first, narrowed by status and repository", () =>
    Effect.gen(function* () {
      const [owner, stranger] = yield* Effect.all([aWorkspace(), aWorkspace()])
      const [api, web] = [yield* aRegisteredRepository(owner), yield* aRegisteredRepository(owner, "web")]
      yield* aFixPr(stranger, yield* aRegisteredRepository(stranger), "in_review")
      yield* aFixPr(owner, api, "merged")
      yield* aFixPr(owner, web, "in_review")
      yield* aFixPr(owner, api, "closed")
      const { api_key } = yield* aKey(owner, { scopes: ["view_repositories"] })
      const all = ["OBS-3 api@main closed", "OBS-2 web@main in_review", "OBS-1 api@main merged"]
      assert.deepStrictEqual(yield* rowsOf(api_key), all)
      assert.deepStrictEqual(yield* rowsOf(api_key, "?status=closed,merged"), [all[0], all[2]])
      assert.deepStrictEqual(yield* rowsOf(api_key, "?repo=web%40main"), [all[1]])
      assert.strictEqual(yield* outcome({ path: "/api/fix-prs?status=lost", as: api_key }), "422 invalid_payload")
      assert.strictEqual(yield* outcome({ path: "/api/fix-prs?repo=no%40main", as: api_key }), "404 not_found")

      const first = jsonOf(yield* send({ path: "/api/fix-prs?limit=2", as: api_key }))
      assert.deepStrictEqual(yield* rowsOf(api_key, `?limit=2&cursor=${first.next_cursor}`), [all[2]])
    })
  )

  it.effect("are shown without those of deleted repositories", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aFixPr(owner, yield* aRegisteredRepository(owner), "merged")
      assert.lengthOf(yield* rowsOf(owner.session), 1)
      const deleted = send({ path: "/api/repos/acme/api/main", method: "DELETE", as: owner.session })
      assert.strictEqual((yield* deleted).status, 204)
      assert.deepStrictEqual(yield* rowsOf(owner.session), [])
    })
  )
})
