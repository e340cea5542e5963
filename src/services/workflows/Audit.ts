import { Clock, Context, Effect, Option, Schema } from "effect"
import { closed } from "../../schema/closed.ts"
import type { FailureKind, Workflow as WorkflowName } from "../../schema/Job.ts"
import { daysSince } from "../audit/advisories/age.ts"
import { describeUse } from "../audit/advisories/describeUse.ts"
import { type ScanError, type ScanLimits, scanInProcess } from "../audit/ScanProcess.ts"
import { ScanResult } from "../audit/ScanResult.ts"
import { ignoringDatabaseLoss } from "../jobs/databaseLoss.ts"
import { ObservationRecorder } from "../observations/ObservationRecorder.ts"
import { AuditCache } from "../ports/AuditCache.ts"
import { CodeHost, type CodeHostError } from "../ports/CodeHost.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { type RunningJob, type StageContext, StageFailed, type StageStopped, stage, type Workflow } from "./Workflow.ts"

export class AuditSettings extends Context.Tag("AuditSettings")<
  AuditSettings,
  {
    readonly limits: Partial<ScanLimits>
    readonly workers: number | undefined
    readonly cpuSecondUsd: number
    /** Mixed into the digests of secrets: one value per installation. */
    readonly salt: string
    /** Folder of imported advisories. */
    readonly advisories: string | null
  }
>() {}

const Prepared = Schema.Struct({ commit: Schema.String })

const scanArtifact = "scan"

/** `standard_audit` and `audit`: fetch the repository, inspect it in a process of its own, record what was found. */
export const AuditWorkflows = Effect.gen(function* () {
  const host = yield* CodeHost
  const repositories = yield* Repositories
  const recorder = yield* ObservationRecorder
  const settings = yield* AuditSettings
  const audits = yield* AuditCache

  // Every stage may run on another machine than the one before: the mirror is brought up to date where the work is.
  const mirrorOf = Effect.fnUntraced(function* (job: RunningJob) {
    const source = yield* repositories.sourceOf(job)
    if (source === null)
      return yield* new StageFailed({ failure_kind: "repo_unavailable", message: "The repository was deleted." })
    return yield* host
      .fetch({ repositoryId: job.repository_id, remote: { url: source.clone_url }, branch: source.branch })
      .pipe(Effect.mapError(fetchFailed))
  })

  const prepare = stage("prepare", ({ job, log }) =>
    Effect.gen(function* () {
      const mirror = yield* mirrorOf(job)
      if (job.commit_sha === null) return { commit: mirror.commit }
      if (yield* host.has({ gitDir: mirror.gitDir, commit: job.commit_sha })) return { commit: job.commit_sha }
      yield* log(`Commit ${job.commit_sha} is gone from the branch; auditing ${mirror.commit} instead.`)
      return { commit: mirror.commit }
    })
  )

  const inspect = (suite: "standard" | "full") =>
    stage("inspect", (context) =>
      Effect.gen(function* () {
        const { commit } = yield* preparedOf(context)
        const mirror = yield* mirrorOf(context.job)
        const { openPaths, suggestions } = yield* recorder.before(context.job.repository_id)
        const cache = audits.folderOf(context.job.repository_id)
        const charge = charging(context, settings.cpuSecondUsd)
        const result = yield* scanInProcess<StageFailed | StageStopped>(
          {
            source: { kind: "git", gitDir: mirror.gitDir, commit },
            suite,
            salt: settings.salt,
            watch: openPaths,
            suggestions,
            ...(cache === null ? {} : { cache }),
            ...(settings.advisories === null ? {} : { advisories: settings.advisories }),
            ...(settings.workers === undefined ? {} : { workers: settings.workers })
          },
          {
            limits: settings.limits,
            onEvent: (event) =>
              event.type === "stage"
                ? context.phase(event.stage)
                : event.type === "progress"
                  ? context.progress(event.done, event.total)
                  : ignoringDatabaseLoss(charge(event.cpu_seconds))
          }
        ).pipe(Effect.catchTag("ScanError", (error) => Effect.fail(scanFailed(error))))
        yield* context.phase(null)
        yield* charge(result.cpu_seconds)
        yield* context.artifact.write(scanArtifact, yield* Effect.orDie(Schema.encode(ScanResult)(result)))
        return summaryOf(result, yield* Clock.currentTimeMillis)
      })
    )

  const record = stage("record", (context) =>
    Effect.gen(function* () {
      const { job } = context
      const { commit } = yield* preparedOf(context)
      const written = yield* context.artifact.read(scanArtifact)
      const scan = yield* Effect.orDie(Schema.decodeUnknown(ScanResult)(Option.getOrNull(written)))
      const { lastCommit } = yield* recorder.before(job.repository_id)
      const renames = lastCommit === null ? new Map<string, string>() : yield* renamesSince(job, lastCommit, commit)
      const outcome = yield* context.commit(
        recorder.record({
          workspace_id: job.workspace_id,
          repository_id: job.repository_id,
          job_id: job.id,
          commit,
          scan,
          renames,
          fates: new Map(Object.entries(scan.watched))
        })
      )
      return { commit_sha: commit, observations: outcome, ...(yield* context.outputOf("inspect")) }
    })
  )

  const renamesSince = (job: RunningJob, from: string, to: string) =>
    Effect.flatMap(mirrorOf(job), ({ gitDir }) => host.renames({ gitDir, from, to })).pipe(
      Effect.mapError((error) => (error._tag === "StageFailed" ? error : fetchFailed(error)))
    )

  const workflow = (name: WorkflowName, suite: "standard" | "full"): Workflow => ({
    name,
    params: closed({}),
    stages: [prepare, inspect(suite), record]
  })

  return [workflow("standard_audit", "standard"), workflow("audit", "full")]
})

const preparedOf = (context: StageContext) =>
  Effect.flatMap(context.outputOf("prepare"), (output) => Effect.orDie(Schema.decodeUnknown(Prepared)(output)))

/** What the job's result says of the scan; a tool that did not finish degrades the audit and is named. */
const summaryOf = (result: ScanResult, now: number) => ({
  inventory: result.inventory,
  /** Files whose content and rules were those of the audit before, and which were not analysed again. */
  reused_files: result.reused_files,
  suggestions: result.suggestions,
  tools: {
    completed: result.tools.filter(({ status }) => status === "completed").map(({ id }) => id),
    unfinished: result.tools.filter(({ status }) => status !== "completed")
  },
  tool_failures: result.tool_failures.slice(0, 50),
  ...(result.advisories === undefined ? {} : { advisories: advisoriesOf(result.advisories, now) }),
  skipped: result.skipped_counts,
  suppressed: result.suppressed,
  dropped_by_verification: result.dropped_by_verification,
  usage: {
    cpu_seconds: result.cpu_seconds,
    wall_ms: result.wall_ms,
    peak_rss_bytes: result.peak_rss_bytes
  }
})

/** Nothing found among advisories that are old, or that are not there, is no good news. */
const advisoriesOf = (use: NonNullable<ScanResult["advisories"]>, now: number) => ({
  ...use,
  sources: use.sources.map((source) => ({ ...source, age_days: daysSince(source.newest, now) })),
  note: describeUse(use, now).join(" ")
})

/** Records what a scan has cost since it was last told, so that one that is stopped has cost what it used. */
const charging = (context: StageContext, cpuSecondUsd: number) => {
  let charged = 0
  return (cpuSeconds: number) =>
    cpuSeconds <= charged
      ? Effect.void
      : Effect.tap(context.recordCost((cpuSeconds - charged) * cpuSecondUsd), () => {
          charged = cpuSeconds
        })
}

const fetchFailed = (error: CodeHostError) => {
  const kinds: Partial<Record<CodeHostError["reason"], FailureKind>> = {
    timeout: "timeout",
    too_large: "resource_limit",
    corrupt: "clone_failed",
    unreachable: "clone_failed"
  }
  return new StageFailed({ failure_kind: kinds[error.reason] ?? "repo_unavailable", message: error.message })
}

const scanFailed = (error: ScanError) => new StageFailed({ failure_kind: error.reason, message: error.message })
