import { Effect, Option, Schema } from "effect"
import { ScanResult, type Suite } from "../../engine/index.ts"
import { closed } from "../../schema/closed.ts"
import type { Workflow as WorkflowName } from "../../schema/Job.ts"
import { FixPrWatch } from "../fixes/FixPrWatch.ts"
import { ObservationRecorder } from "../observations/ObservationRecorder.ts"
import { stage, type Workflow } from "../ports/Workflow.ts"
import { preparedOf, Scanning, summaryOf } from "./Scanning.ts"

const scanArtifact = "scan"

/** `standard_audit` and `audit`: fetch the repository, inspect it, record what was found. */
export class AuditWorkflows extends Effect.Service<AuditWorkflows>()("AuditWorkflows", {
  effect: Effect.gen(function* () {
    const recorder = yield* ObservationRecorder
    const scanning = yield* Scanning
    const prs = yield* FixPrWatch

    const inspect = (suite: Suite) =>
      stage("inspect", (context) =>
        Effect.gen(function* () {
          const { commit } = yield* preparedOf(context)
          const { gitDir } = yield* scanning.mirrorOf(context.job)
          const { openPaths, suggestions } = yield* recorder.scanInput(context.job)
          const result = yield* scanning.inspect(context, {
            gitDir,
            commit,
            suite,
            suggestions,
            watch: openPaths,
            honoursMutes: true
          })
          yield* scanning.recordPaths(context, { gitDir, commit })
          yield* context.artifact.write(scanArtifact, yield* Effect.orDie(Schema.encode(ScanResult)(result)))
          return yield* summaryOf(result)
        })
      )

    const record = stage("record", (context) =>
      Effect.gen(function* () {
        const { job } = context
        const { commit } = yield* preparedOf(context)
        // What a merged fix removed is closed as fixed, before it could expire as no longer found.
        yield* prs.look(job)
        const written = yield* context.artifact.read(scanArtifact)
        const scan = yield* Effect.orDie(Schema.decodeUnknown(ScanResult)(Option.getOrNull(written)))
        const lastCommit = yield* recorder.lastCommit(job)
        const { gitDir } = yield* scanning.mirrorOf(job)
        const renames = yield* scanning.renamesSince(gitDir, lastCommit, commit)
        const outcome = yield* context.commit(
          recorder.record({
            workspace_id: job.workspace_id,
            repository_id: job.repository_id,
            job_id: job.id,
            commit,
            scan,
            renames,
            fileStatuses: new Map(Object.entries(scan.watched))
          })
        )
        return { commit_sha: commit, observations: outcome, ...(yield* context.outputOf("inspect")) }
      })
    )

    const workflow = (name: WorkflowName, suite: Suite): Workflow => ({
      name,
      params: closed({}),
      stages: [scanning.prepare, inspect(suite), record]
    })

    return { all: [workflow("standard_audit", "standard"), workflow("audit", "full")] }
  })
}) {}
