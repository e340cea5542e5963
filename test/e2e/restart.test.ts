import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { aRepository } from "../support/gitRepository.ts"
import { aServer, aTemporaryFolder, call, type RunningServer, readEvents, signIn } from "../support/server.ts"

interface Row {
  readonly ref: string
  readonly rule_id: string
  readonly title: string
  readonly locations: ReadonlyArray<{ readonly file_path: string; readonly line_start: number }>
}

interface JobAnswer {
  readonly id: string
  readonly status: string
  readonly result: { readonly observations: { readonly created: number } } | null
}

const branchy = (name: string) => `export const ${name} = (rows) => {
  let total = 0
${Array.from({ length: 14 }, (_, i) => `  for (const a of rows) { if (a.n === ${i}) { if (a.ok && a.low) { total += a.n } else { total -= 1 } } }`).join("\n")}
  return total
}
`

const filler = (n: number) =>
  Array.from({ length: 40 }, (_, i) => `export const value${n}_${i} = (x) => x + ${n * i}`).join("\n")

// Large enough that the scan is still under way when the first progress is seen.
const files = Object.fromEntries(
  Array.from({ length: 300 }, (_, n) => [
    `src/part${n % 30}/file${n}.js`,
    n % 50 === 0 ? branchy(`score${n}`) : filler(n)
  ])
)

const listAll = (server: RunningServer, key: string) =>
  Effect.map(
    call<{ readonly data: ReadonlyArray<Row> }>(server, key, "GET", "/api/observations?limit=200&include=locations"),
    ({ body }) => body.data
  )

it.scopedLive(
  "A server killed in the middle of an audit finishes the job after a new start, with no observation doubled or lost",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* aTemporaryFolder
      const repository = aRepository(files)
      const env = { ASSAY_LOCAL_REPO_ROOTS: repository.path }
      const first = yield* aServer({ dataDir, env })
      const key = yield* signIn(first, ["view_jobs", "view_observations", "submit_audit_jobs", "register_repo"])
      for (const github_repo of ["killed", "control"]) {
        const registered = yield* call(first, key, "POST", "/api/repos", {
          github_org: "test",
          github_repo,
          clone_url: repository.path
        })
        assert.strictEqual(registered.status, 201)
      }
      const { body: job } = yield* call<JobAnswer>(first, key, "POST", "/api/repos/test/killed/main/jobs", {
        workflow: "audit"
      })
      const seen = yield* readEvents(first, key, job.id, ({ stage }) => stage === "scan" || stage === "inspect")
      yield* first.kill

      const second = yield* aServer({ dataDir, env })
      const rest = yield* readEvents(second, key, job.id)
      assert.isFalse(seen.some(({ detail }) => detail === "Completed."))
      assert.strictEqual(rest.at(-1)?.detail, "Completed.")
      assert.deepStrictEqual(
        rest.map(({ id }) => id),
        rest.map((_, i) => i + 1)
      )
      const { body: finished } = yield* call<JobAnswer>(second, key, "GET", `/api/jobs/${job.id}`)
      const killed = yield* listAll(second, key)
      assert.strictEqual(finished.result?.observations.created, killed.length)
      assert.isAbove(killed.length, 0)

      const { body: control } = yield* call<JobAnswer>(second, key, "POST", "/api/repos/test/control/main/jobs", {
        workflow: "audit"
      })
      yield* readEvents(second, key, control.id)
      const both = yield* listAll(second, key)
      const facts = (rows: ReadonlyArray<Row>) =>
        rows.map(({ rule_id, title, locations }) => JSON.stringify([rule_id, title, locations])).sort()
      const known = new Set(killed.map(({ ref }) => ref))
      assert.deepStrictEqual(facts(killed), facts(both.filter(({ ref }) => !known.has(ref))))
      yield* second.stop
    }),
  600_000
)
