import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FixPrs } from "../../../src/services/fixes/FixPrs.ts"
import { JobEvents } from "../../../src/services/jobs/JobEvents.ts"
import { as } from "../../support/jobs.ts"
import { aWorkplace, observed, ran, Workshop } from "../../support/workflows.ts"

const settings = `import yaml


def read_settings(stream):
    return yaml.load(stream, Loader=yaml.Loader)
`

const rule = "insecure_deserialization.unsafe_yaml_load"

layer(Workshop, { excludeTestServices: true })("the fix workflow", (it) => {
  it.scoped("pushes a branch with the fix, opens its pull request and reports every gate", () =>
    Effect.gen(function* () {
      const { repository, tenant } = yield* aWorkplace({ "app/settings.py": settings })
      yield* ran(tenant, "audit")
      const found = [...(yield* observed(tenant)).values()].find(({ rule_id }) => rule_id === rule)
      assert.isDefined(found)
      const job = yield* ran(tenant, "fix", { ref: found?.ref ?? "" })
      assert.strictEqual(job.status, "completed", job.error ?? "")
      const branch = `assay/fix-${found?.ref.toLowerCase()}`
      assert.match(repository.git("show", `${branch}:app/settings.py`), /safe_load|SafeLoader/)
      assert.strictEqual(repository.git("rev-list", "--count", `main..${branch}`), "1")
      assert.strictEqual(job.pr_url, `file://${repository.path}#${branch}`)
      const { data } = yield* Effect.flatMap(JobEvents, (events) => events.list(job.id, { limit: 200 })).pipe(
        as(tenant)
      )
      assert.deepStrictEqual(
        data.flatMap(({ type, stage, data }) => (type === "gate_evaluated" ? [[stage, data?.gate_result]] : [])),
        [
          ["still_present", "passed"],
          ["edit", "passed"],
          ["scope", "passed"],
          ["size", "passed"],
          ["parse", "passed"],
          ["finding_gone", "passed"],
          ["no_new_findings", "passed"],
          ["push", "passed"],
          ["pull_request", "passed"]
        ]
      )
      const prs = yield* Effect.flatMap(FixPrs, (lane) => lane.list(tenant.path, {})).pipe(as(tenant))
      assert.deepInclude(prs.data[0], { ref: found?.ref, status: "in_review", outcome: "started" })
    })
  )
})
