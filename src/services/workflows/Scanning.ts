import { Clock, Effect, Option, Schema } from "effect"
import {
  Advisories,
  discoverInProcess,
  type ProcessEvent,
  type ScanError,
  type ScanResult,
  type ScanScope,
  scanInProcess
} from "../../engine/index.ts"
import type { FailureKind } from "../../schema/Job.ts"
import { AuditCache } from "../ports/AuditCache.ts"
import { CodeHost, type CodeHostError, type Revision } from "../ports/CodeHost.ts"
import { type RunningJob, type StageContext, StageFailed, type StageStopped, stage } from "../ports/Workflow.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { RuleSettings } from "../settings/RuleSettings.ts"
import { ignoringDatabaseLoss } from "../support/databaseLoss.ts"
import { AuditSettings } from "./AuditSettings.ts"

export interface Inspection extends ScanScope {
  readonly gitDir: string
  readonly commit: string
  /** Whether rules that the workspace has switched off are silent: to check what is known, all of them speak. */
  readonly honoursMutes?: boolean
}

/** What the workflows that read code share: bringing it here, and inspecting it in a process of its own. */
export class Scanning extends Effect.Service<Scanning>()("Scanning", {
  effect: Effect.gen(function* () {
    const host = yield* CodeHost
    const repositories = yield* Repositories
    const settings = yield* AuditSettings
    const audits = yield* AuditCache
    const rules = yield* RuleSettings

    /** Where the job's repository is, and the branch that it is about. */
    const remoteOf = Effect.fnUntraced(function* (job: RunningJob) {
      const source = yield* repositories.sourceOf(job)
      if (Option.isNone(source))
        return yield* new StageFailed({ failure_kind: "repo_unavailable", message: "The repository was deleted." })
      const { clone_url, branch, access_mode } = source.value
      const { workspace_id, repository_id } = job
      const access = { workspace_id, repository_id, access_mode }
      return { repositoryId: repository_id, remote: { url: clone_url, access }, branch }
    })

    // Every stage may run on another machine than the one before: the mirror is brought up to date where the work is.
    const mirrorOf = (job: RunningJob) =>
      Effect.flatMap(remoteOf(job), (request) => Effect.mapError(host.fetch(request), hostFailed))

    const revisionOf = (job: RunningJob, revision: Revision) =>
      Effect.flatMap(remoteOf(job), (request) =>
        Effect.mapError(host.fetchRevision({ ...request, revision }), hostFailed)
      )

    const renamesSince = (gitDir: string, from: Option.Option<string>, to: string) =>
      Option.match(from, {
        onNone: () => Effect.succeed<ReadonlyMap<string, string>>(new Map()),
        onSome: (commit) => Effect.mapError(host.renames({ gitDir, from: commit, to }), hostFailed)
      })

    const inspect = Effect.fnUntraced(function* (context: StageContext, inspection: Inspection) {
      const { gitDir, commit, honoursMutes = false, ...scope } = inspection
      const { rulesOff, rulesOn } = yield* rules.of(context.job)
      const cache = audits.folderOf(context.job.repository_id)
      const charge = charging(context, settings.cpuSecondUsd)
      const result = yield* scanInProcess<StageFailed | StageStopped>(
        {
          ...scope,
          rulesOn,
          rulesOff: honoursMutes ? rulesOff : [],
          source: { kind: "git", gitDir, commit },
          salt: settings.salt,
          ...(cache === null ? {} : { cache }),
          ...(settings.advisories === null ? {} : { advisories: settings.advisories }),
          ...(settings.workers === undefined ? {} : { workers: settings.workers })
        },
        { limits: settings.limits, onEvent: reporting(context, charge) }
      ).pipe(Effect.catchTag("ScanError", (error) => Effect.fail(scanFailed(error))))
      yield* context.phase(null)
      yield* charge(result.cpu_seconds)
      return result
    })

    const observe = Effect.fnUntraced(function* (
      context: StageContext,
      { gitDir, commit }: Pick<Inspection, "gitDir" | "commit">
    ) {
      const cache = audits.folderOf(context.job.repository_id)
      const charge = charging(context, settings.cpuSecondUsd)
      const result = yield* discoverInProcess<StageFailed | StageStopped>(
        {
          source: { kind: "git", gitDir, commit },
          ...(cache === null ? {} : { cache }),
          ...(settings.workers === undefined ? {} : { workers: settings.workers })
        },
        { limits: settings.limits, onEvent: reporting(context, charge) }
      ).pipe(Effect.catchTag("ScanError", (error) => Effect.fail(scanFailed(error))))
      yield* context.phase(null)
      yield* charge(result.cpu_seconds)
      return result
    })

    /** The commit of the submission; the newest when that is gone. */
    const prepare = stage("prepare", ({ job, log }) =>
      Effect.gen(function* () {
        const { gitDir, commit } = yield* mirrorOf(job)
        if (job.commit_sha === null) return { commit }
        if (yield* host.has({ gitDir, commit: job.commit_sha })) return { commit: job.commit_sha }
        yield* log(`Commit ${job.commit_sha} is gone from the branch; looking at ${commit} instead.`)
        return { commit }
      })
    )

    /** Keeps which files the commit has; where they are too many to list, nothing is known rather than something old. */
    const recordPaths = Effect.fnUntraced(function* (
      context: StageContext,
      commit: Pick<Inspection, "gitDir" | "commit">
    ) {
      const listed = yield* Effect.option(host.paths(commit))
      yield* context.commit(
        Option.match(listed, {
          onNone: () => repositories.forgetPaths(context.job),
          onSome: (paths) => repositories.rememberPaths(context.job, paths)
        })
      )
    })

    return { prepare, remoteOf, mirrorOf, revisionOf, renamesSince, inspect, observe, recordPaths }
  })
}) {}

/** Passes the events of a scan process on as those of the stage. */
const reporting =
  (context: StageContext, charge: ReturnType<typeof charging>) =>
  (event: ProcessEvent): Effect.Effect<void, StageFailed | StageStopped> =>
    event.type === "stage"
      ? context.phase(event.stage)
      : event.type === "progress"
        ? context.progress(event.done, event.total)
        : ignoringDatabaseLoss(charge(event.cpu_seconds))

const Prepared = Schema.Struct({ commit: Schema.String })

/** What the stage `prepare` has settled. */
export const preparedOf = (context: StageContext) =>
  Effect.flatMap(context.outputOf("prepare"), (output) => Effect.orDie(Schema.decodeUnknown(Prepared)(output)))

/** Of those that a job's result lists; the counts are of all. */
const MAX_SILENCED = 200

/** What a job's result says of a scan; a tool that did not finish degrades the job and is named. */
export const summaryOf = (result: ScanResult) =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    inventory: result.inventory,
    /** Files whose content and rules were those of the audit before, and which were not analysed again. */
    reused_files: result.reused_files,
    suggestions: result.suggestions,
    tools: {
      completed: result.tools.filter(({ status }) => status === "completed").map(({ id }) => id),
      unfinished: result.tools.filter(({ status }) => status !== "completed"),
      /** Of what had its say, if not on every file: benchmark scores rest on it. */
      domains: byDomain(result.tools.filter(({ status }) => status !== "failed"))
    },
    tool_failures: result.tool_failures.slice(0, 50),
    ...(result.advisories === undefined ? {} : { advisories: advisoriesOf(result.advisories, now) }),
    skipped: result.skipped_counts,
    left_out: result.left_out,
    suppressed: result.suppressed,
    silenced: { counts: result.silenced_counts, listed: result.silenced.slice(0, MAX_SILENCED) },
    stale_ignores: result.stale_ignores.slice(0, MAX_SILENCED),
    warnings: result.warnings,
    languages_without_rules: result.languages_without_rules,
    dropped_by_verification: result.dropped_by_verification,
    usage: {
      cpu_seconds: result.cpu_seconds,
      wall_ms: result.wall_ms,
      peak_rss_bytes: result.peak_rss_bytes
    }
  }))

/** Nothing found among advisories that are old, or that are not there, is no good news. */
const advisoriesOf = (use: NonNullable<ScanResult["advisories"]>, now: number) => ({
  ...use,
  sources: use.sources.map((source) => ({ ...source, age_days: Advisories.daysSince(source.newest, now) })),
  note: Advisories.describeUse(use, now).join(" ")
})

/** Records what a scan has cost since the last report, so that one that is stopped has cost what it used. */
const charging = (context: StageContext, cpuSecondUsd: number) => {
  let charged = 0
  return (cpuSeconds: number) =>
    cpuSeconds <= charged
      ? Effect.void
      : Effect.tap(context.recordCost((cpuSeconds - charged) * cpuSecondUsd), () => {
          charged = cpuSeconds
        })
}

export const hostFailed = (error: CodeHostError) => {
  const kinds: Partial<Record<CodeHostError["reason"], FailureKind>> = {
    timeout: "timeout",
    too_large: "resource_limit",
    push_rejected: "push_rejected",
    workflow_file: "workflow_file",
    corrupt: "clone_failed",
    unreachable: "clone_failed",
    diff_too_large: "diff_too_large",
    // Everything differs, and no smaller change will come of trying again.
    no_common_history: "diff_too_large"
  }
  return new StageFailed({ failure_kind: kinds[error.reason] ?? "repo_unavailable", message: error.message })
}

export const scanFailed = (error: ScanError) => new StageFailed({ failure_kind: error.reason, message: error.message })

const byDomain = (tools: ScanResult["tools"]) => {
  const domains: Record<string, Array<string>> = {}
  for (const { id, domain } of tools) {
    if (domain === undefined) continue
    domains[domain] ??= []
    domains[domain].push(id)
  }
  return domains
}
