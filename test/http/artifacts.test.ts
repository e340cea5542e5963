import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { aJob, aKey, anArtifact, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { TestApp } from "../support/TestApp.ts"
import { jsonOf, send } from "../support/wire.ts"

layer(TestApp)("artifacts of a job", (it) => {
  it.effect("are listed and saved as files that no browser runs; what stages hand over is not among them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* aWorkspace()
      const { api_key: as } = yield* aKey(owner)
      const { id: job_id } = yield* aJob(owner, yield* aRegisteredRepository(owner))
      const id = yield* anArtifact(job_id, "<script>alert(1)</script>\n")
      yield* sql`UPDATE job_artifacts SET name = ${'evil"\r\nx: y.html'} WHERE id = ${id}`
      yield* sql`INSERT INTO job_artifacts (job_id, namespace, content, content_hash, created_at)
        VALUES (${job_id}, 'scan', '', '', '2026-01-01T00:00:00Z')`
      const path = `/api/jobs/${job_id}/artifacts`
      const { data } = jsonOf(yield* send({ path, as })) as { readonly data: ReadonlyArray<Record<string, unknown>> }
      assert.deepStrictEqual(
        data.map((row) => [row.id, row.namespace, row.content_type, row.size]),
        [[id, "diff", "text/x-diff; charset=utf-8", 26]]
      )
      const file = yield* send({ path: `${path}/${id}`, as })
      assert.strictEqual(file.status, 200)
      assert.strictEqual(file.text, "<script>alert(1)</script>\n")
      assert.deepStrictEqual(
        [file.headers["content-type"], file.headers["content-disposition"], file.headers["x-content-type-options"]],
        ["text/x-diff; charset=utf-8", 'attachment; filename="evil___x__y.html"', "nosniff"]
      )
      const hidden = yield* sql<{ readonly id: string }>`SELECT id FROM job_artifacts WHERE namespace = 'scan'`
      assert.strictEqual((yield* send({ path: `${path}/${hidden[0]?.id}`, as })).status, 404)
      const { api_key: stranger } = yield* aKey(yield* aWorkspace())
      assert.strictEqual((yield* send({ path: `${path}/${id}`, as: stranger })).status, 404)
      assert.strictEqual((yield* send({ path, as: stranger })).status, 404)
    })
  )
})
