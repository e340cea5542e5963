import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Fixes } from "../../../src/services/fixes/Fixes.ts"
import { FixWithdrawals } from "../../../src/services/fixes/FixWithdrawals.ts"
import { Submissions } from "../../../src/services/jobs/Submissions.ts"
import { MissionRun } from "../../../src/services/missions/MissionRun.ts"
import { MissionStates } from "../../../src/services/missions/MissionStates.ts"
import type { MissionKey } from "../../../src/services/missions/MissionsRepo.ts"
import { mergeAll } from "../../support/fixLoop.ts"
import { as, type Tenant } from "../../support/jobs.ts"
import { anApprovedMission, carriedOn, missionOf, whenMission } from "../../support/missionRuns.ts"
import { aWorkplace, observed, ran, Workshop } from "../../support/workflows.ts"

const loader = (name: string) => `import yaml


def read_${name}(stream):
    return yaml.load(stream, Loader=yaml.Loader)
`

const rule = "insecure_deserialization.unsafe_yaml_load"

/** A repository with one finding in each file, and the findings' references in the order of the files. */
const planted = (...names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const files = Object.fromEntries(names.map((name) => [`app/${name}.py`, loader(name)]))
    const { repository, tenant } = yield* aWorkplace(files)
    yield* ran(tenant, "audit")
    const found = [...(yield* observed(tenant)).values()].filter(({ rule_id }) => rule_id === rule)
    const refs = names.map((name) => {
      const one = found.find(({ locations }) => locations?.[0].file_path === `app/${name}.py`)
      if (one === undefined) throw new Error(`The defect of ${name} was not found.`)
      return one.ref
    })
    return { repository, tenant, refs }
  })

const detailOf = (tenant: Tenant, ref: string) =>
  Effect.flatMap(Fixes, (fixes) => fixes.detail(Number(ref.slice("OBS-".length)) as never)).pipe(as(tenant))

const costOfJobs = (key: MissionKey) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ cost: string }>`
      SELECT coalesce(sum(round(cost_usd::numeric, 9)), 0)::text AS cost FROM jobs
      WHERE workspace_id = ${key.workspace_id} AND workflow IN ('mission_step', 'mission_pull_request')`
    return Number(row?.cost)
  })

const decided = (key: MissionKey, step: number, decision: "skipped" | "retried") =>
  Effect.gen(function* () {
    const states = yield* MissionStates
    const { steps, ...mission } = yield* missionOf(key)
    yield* states.decideStep(mission, steps[step]!, decision, { note: "Fixed elsewhere." })
    yield* states.change(key, "decided")
  })

layer(Workshop, { excludeTestServices: true })("the run of a mission", (it) => {
  it.scoped(
    "makes one commit a step and one pull request, leaves what is fixed elsewhere to a person, and a merge closes the rest",
    () =>
      Effect.gen(function* () {
        const { repository, tenant, refs } = yield* planted("alpha", "beta", "gamma", "delta")
        const [alpha = "", beta = "", gamma = "", delta = ""] = refs
        const fix = yield* ran(tenant, "fix", { ref: beta })
        assert.strictEqual(fix.status, "completed", fix.error ?? "")
        const key = yield* anApprovedMission(tenant, [[alpha, gamma], [beta], [delta]])

        const asking = yield* carriedOn(key)
        assert.strictEqual(asking.status, "waiting_on_person")
        assert.strictEqual(asking.waiting_kind, "step")
        assert.deepStrictEqual(
          asking.steps.map(({ status, attempts }) => [status, attempts]),
          [
            ["completed", 1],
            ["failed", 2],
            ["pending", 0]
          ]
        )
        assert.include(asking.steps[1]?.failure, "has an open fix pull request")
        assert.deepStrictEqual(
          asking.steps[0]?.gates.map(({ name, result }) => `${name} ${result}`),
          [
            ...["still_present", "edit", "scope", "size", "parse", "finding_gone", "no_new_findings"].map(
              (name) => `${name} passed`
            ),
            ...["format", "build", "lint", "test"].map((name) => `${name} skipped`),
            "push passed"
          ]
        )
        const { steps } = asking
        const rejected = yield* Effect.flip(
          Effect.flatMap(Submissions, (submissions) => submissions.retry(steps[0]!.job_id!)).pipe(as(tenant))
        )
        assert.strictEqual(rejected._tag, "JobNotRetryable")

        yield* decided(key, 1, "skipped")
        const mission = yield* carriedOn(key)
        assert.strictEqual(mission.status, "completed")
        assert.strictEqual(mission.branch, "assay/mission-msn-1")
        assert.strictEqual(mission.pr_url, `file://${repository.path}#assay/mission-msn-1`)
        assert.strictEqual(repository.git("rev-list", "--count", "main..assay/mission-msn-1"), "2")
        const message = repository.git("log", "-1", "--format=%B", mission.steps[0]!.commits[0]!)
        assert.include(message, `Observation: ${alpha}\nObservation: ${gamma}\nRule: ${rule}`)
        assert.include(message, `Mission: MSN-1\nAssay-Job: ${mission.steps[0]!.job_id}`)
        const costs = mission.steps.reduce((sum, { cost_usd }) => sum + cost_usd, 0)
        assert.closeTo(mission.spent_usd, costs, 5e-10)
        assert.closeTo(mission.spent_usd, yield* costOfJobs(key), 5e-10)
        assert.strictEqual(mission.reserved_usd, 0)

        const inReview = yield* detailOf(tenant, gamma)
        assert.deepInclude(inReview.attempts[0], {
          status: "in_review",
          branch: mission.branch,
          pr_url: mission.pr_url
        })
        const number = Number(gamma.slice("OBS-".length)) as never
        const kept = yield* Effect.flip(
          Effect.flatMap(FixWithdrawals, (withdrawals) => withdrawals.withdraw(number)).pipe(as(tenant))
        )
        assert.include(kept.message, "MSN-1")

        mergeAll(repository.path, [[mission.branch ?? "", "squash"]])
        yield* ran(tenant, "audit")
        for (const ref of [alpha, gamma, delta]) {
          const { status, close_reason, attempts } = yield* detailOf(tenant, ref)
          assert.deepStrictEqual([status, close_reason], ["closed", "fixed"])
          assert.deepInclude(attempts[0], { outcome: "pr_merged" })
        }
      })
  )

  it.scoped("pauses before the step that the budget has no room for, and a cancelled one frees its observations", () =>
    Effect.gen(function* () {
      const { repository, tenant, refs } = yield* planted("alpha", "beta")
      const sql = yield* SqlClient.SqlClient
      const key = yield* anApprovedMission(tenant, [[refs[0]!], [refs[1]!]], { budget_usd: 0.000001 })

      const paused = yield* carriedOn(key)
      assert.deepInclude(paused, { status: "paused", waiting_kind: "budget", spent_usd: 0 })
      assert.strictEqual(yield* costOfJobs(key), 0)

      // The ceiling of the workspace is as final as the budget.
      yield* sql`UPDATE missions SET budget_usd = 5 WHERE id = ${key.id}`
      yield* sql`UPDATE workspaces SET spend_paused = true WHERE id = ${key.workspace_id}`
      const states = yield* MissionStates
      yield* states.change(key, "resumed")
      const held = yield* carriedOn(key)
      assert.deepInclude(held, { status: "paused", waiting_kind: "budget", spent_usd: 0 })
      yield* sql`UPDATE workspaces SET spend_paused = false WHERE id = ${key.workspace_id}`

      yield* states.change(key, "resumed")
      yield* Effect.flatMap(MissionRun, ({ advance }) => advance(key))
      const later = yield* whenMission(key, ({ steps }) => steps[0]?.status === "completed")
      assert.isAbove(later.spent_usd, 0)
      yield* states.change(key, "cancelled", { note: "Not needed." })
      yield* Effect.flatMap(MissionRun, ({ stop }) => stop(key))
      const cancelled = yield* whenMission(key, ({ steps }) => steps.every(({ status }) => status !== "running"))
      assert.strictEqual(cancelled.status, "cancelled")
      assert.closeTo(cancelled.spent_usd, yield* costOfJobs(key), 5e-10)
      assert.include(repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads/assay"), "mission-msn-1")
      const freed = sql`SELECT 1 FROM fix_attempts WHERE mission_id = ${key.id} AND outcome = 'started'`
      yield* whenMission(key, () => true)
      yield* Effect.repeat(freed, { until: (rows) => rows.length === 0 })
      const detail = yield* detailOf(tenant, refs[0]!)
      assert.deepInclude(detail.attempts[0], { outcome: "cancelled" })
      assert.isTrue(detail.fix_available)
    })
  )
})
