import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { JobClaimsRepo } from "../../../src/services/jobs/JobClaimsRepo.ts"
import { defaultJobLimits } from "../../../src/services/jobs/JobLimits.ts"
import { Jobs } from "../../../src/services/jobs/Jobs.ts"
import { Stages } from "../../../src/services/jobs/Stages.ts"
import { Workflows } from "../../../src/services/ports/Workflows.ts"
import { transactional } from "../../../src/services/support/transactional.ts"
import { probeOverDatabase, start } from "../../support/jobEngine.ts"
import { as, aTenant } from "../../support/jobs.ts"
import { withStatements } from "../../support/statements.ts"

/** A statement is one round trip to the database; a transaction adds its beginning and its end. */
const roundTrips = (statements: ReadonlyArray<string>) =>
  statements.reduce((sum, name) => sum + (name === "sql.transaction" ? 2 : 1), 0)

const counting = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(withStatements(effect), ([result, statements]) => [result, roundTrips(statements)] as const)

layer(Stages.Default.pipe(Layer.provideMerge(probeOverDatabase)))("a job", (it) => {
  it.effect("takes no more round trips to the database than these, from its submission to its end", () =>
    Effect.gen(function* () {
      const stages = yield* Stages
      const jobs = yield* Jobs
      const { claimPending } = yield* JobClaimsRepo
      const inTransaction = transactional(yield* SqlClient.SqlClient)
      const workflow = (yield* Workflows).get("audit")!
      const tenant = yield* aTenant()
      // The first submission of a process reads what is kept afterwards.
      yield* start(tenant, "first", () => Effect.succeed({}))

      const [job, submit] = yield* counting(start(tenant, "counted", () => Effect.succeed({ found: 1 })))
      const [, claim] = yield* counting(
        inTransaction(claimPending({ workflows: ["audit"], limits: defaultJobLimits, at: "2026-01-01T00:00:00.000Z" }))
      )
      const [opened, open] = yield* counting(stages.open({ id: job.id, run: 1 }))
      const { job: running } = Option.getOrThrow(opened)
      const perStage: Array<number> = []
      for (const stage of workflow.stages) {
        const [outcome, trips] = yield* counting(stages.run(running, stage))
        assert.strictEqual(outcome, "done")
        perStage.push(trips)
      }
      const [, complete] = yield* counting(stages.complete(running, workflow))
      const [after, get] = yield* counting(as(tenant)(jobs.get(job.id)))
      assert.strictEqual(after.status, "completed")
      const [, printed] = yield* counting(as(tenant)(jobs.printed(job.id)))
      assert.deepStrictEqual(
        { submit, claim, open, perStage, complete, get, printed },
        { submit: 12, claim: 4, open: 1, perStage: [2, 2, 3], complete: 1, get: 1, printed: 1 }
      )
    })
  )
})
