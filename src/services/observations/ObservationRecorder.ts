import { Effect } from "effect"
import { type Finding, matchFingerprints, type ScanResult } from "../../engine/index.ts"
import { JobId, ObservationId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import type { Actor } from "../../schema/Job.ts"
import { ObservationNumber, stickyDismissals } from "../../schema/Observation.ts"
import { Features } from "../access/Features.ts"
import { NoticeWriter } from "../notices/NoticeWriter.ts"
import type { RunningJob } from "../ports/Workflow.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { type NewEvent, ObservationStateRepo } from "./ObservationStateRepo.ts"
import { type KnownRow, RecordingRepo } from "./RecordingRepo.ts"

/** What became of a file that a known observation is about. */
export type FileStatus = "inspected" | "skipped" | "absent"

type RecordedJob = Pick<RunningJob, "workspace_id" | "repository_id">

export interface Recording {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
  readonly job_id: JobId
  readonly commit: string
  readonly scan: Pick<ScanResult, "findings" | "tools" | "also_present"> &
    Partial<Pick<ScanResult, "suggestions" | "inventory">>
  /** Old path to new path since the audit before. */
  readonly renames: ReadonlyMap<string, string>
  /** Of every file that an open observation is about. */
  readonly fileStatuses: ReadonlyMap<string, FileStatus>
}

export interface RecordingOutcome {
  readonly created: number
  readonly seen_again: number
  readonly resurfaced: number
  readonly kept_closed: number
  readonly expired: number
}

/** The stored observations of the repository, and how they compare with the findings. */
interface Current {
  readonly at: string
  readonly known: ReadonlyMap<string, KnownRow>
  /** Closed since the audit took its commit, which may be older than their fix: what it finds of them is no regression. */
  readonly fixedMeanwhile: ReadonlySet<ObservationId>
  readonly matching: ReturnType<typeof matchFingerprints>
}

const auditor: Actor = { kind: "system", label: "audit", api_key_id: null, user_id: null }

/**
 * Turns the findings of a scan into observations: known ones keep their `OBS-N`, absent ones expire, closed ones stay
 * closed or are reopened, depending on why they were closed. Run inside a transaction; running it twice for one job changes nothing more.
 */
export class ObservationRecorder extends Effect.Service<ObservationRecorder>()("ObservationRecorder", {
  effect: Effect.gen(function* () {
    const repo = yield* RecordingRepo
    const states = yield* ObservationStateRepo
    const features = yield* Features
    const notices = yield* NoticeWriter

    /** Found again: closed ones that are not closed for good are open again. */
    const recordMatches = Effect.fnUntraced(function* (recording: Recording, current: Current) {
      const { scan, job_id, workspace_id } = recording
      const { at, known, matching } = current
      const counts = { seen_again: 0, resurfaced: 0, kept_closed: 0 }
      for (const match of matching.matches) {
        const row = known.get(match.id)!
        if (row.last_seen_job_id === job_id) continue
        yield* repo.refresh({ workspace_id, finding: scan.findings[match.index]!, id: row.id, job_id, at })
        const reason = current.fixedMeanwhile.has(row.id) ? null : reopenReason(row)
        if (row.status === "new") counts.seen_again++
        else if (reason === null) counts.kept_closed++
        else {
          const change = { workspace_id, id: row.id, at, actor: auditor, job_id }
          yield* states.reopen({ ...change, event: "resurfaced", reason })
          counts.resurfaced++
        }
      }
      return counts
    })

    /** Open ones that are certainly no longer there expire. */
    const expireAbsent = Effect.fnUntraced(function* (recording: Recording, current: Current) {
      const { job_id, workspace_id } = recording
      const { at, known, matching } = current
      const present = new Set(recording.scan.also_present)
      let expired = 0
      for (const unseen of matching.unseen) {
        const row = known.get(unseen)!
        const { id } = row
        if (row.status !== "new" || matching.ambiguous.has(id)) continue
        const reason = expiryReason(row, recording, present)
        if (reason === null) continue
        const change = { workspace_id, id, at, actor: auditor, job_id }
        yield* states.close({ ...change, closing: { close_reason: "expired" }, reason })
        expired++
      }
      return expired
    })

    const insertNew = Effect.fnUntraced(function* (recording: Recording, { at, matching }: Current) {
      const { scan, job_id, workspace_id, repository_id } = recording
      const { fresh } = matching
      if (fresh.length === 0) return 0
      const first = yield* repo.drawNumbers({ workspace_id, count: fresh.length })
      const events: Array<NewEvent> = []
      for (const [offset, index] of fresh.entries()) {
        const id = yield* newId(ObservationId)
        const finding = scan.findings[index]!
        yield* repo.insert({
          finding,
          id,
          workspace_id,
          repository_id,
          number: ObservationNumber.make(first + offset),
          job_id,
          at
        })
        const event = { event: "found", from_status: null, to_status: "new", reason: null } as const
        events.push({ ...event, observation_id: id, at, actor: auditor, job_id })
      }
      yield* states.addEvents(events)
      const count = fresh.filter((index) => isSevere(scan.findings[index]!)).length
      yield* notices.newFindings({ workspace_id, repository_id, job_id, count, at })
      return fresh.length
    })

    const record = Effect.fn("ObservationRecorder.record")(function* (recording: Recording) {
      const { scan, workspace_id, repository_id, commit } = recording
      const location = { workspace_id, repository_id }
      const at = yield* now
      yield* repo.lockRepository(location)
      const rows = yield* repo.known(location)
      const current = {
        at,
        fixedMeanwhile: yield* repo.fixedSinceStart({ ...location, job_id: recording.job_id }),
        known: new Map(rows.map((row) => [row.id, row])),
        matching: matchFingerprints(rows.map(knownOccurrenceOf), scan.findings.map(occurrenceOf), recording.renames)
      }
      const matched = yield* recordMatches(recording, current)
      const expired = yield* expireAbsent(recording, current)
      const created = yield* insertNew(recording, current)
      yield* repo.addCountsUp(location)
      yield* repo.markAudited({ ...location, commit, at, lines: scan.inventory?.lines ?? null })
      return { created, ...matched, expired } satisfies RecordingOutcome
    })

    /** What a scan should know before it starts. */
    const scanInput = Effect.fn("ObservationRecorder.scanInput")(function* (job: RecordedJob) {
      return {
        suggestions: yield* features.suggestionsAreOn(job.workspace_id),
        openPaths: yield* repo.openPaths(job),
        lastSuite: yield* repo.lastSuite(job)
      }
    })

    /** Those of a scan's findings whose observation was dismissed for good. */
    const dismissedAmong = Effect.fn("ObservationRecorder.dismissedAmong")(function* (
      job: RecordedJob,
      findings: ReadonlyArray<Finding>,
      renames: ReadonlyMap<string, string>
    ) {
      const rows = yield* repo.known(job)
      const dismissed = new Set<string>(rows.filter(isDismissedForGood).map(({ id }) => id))
      const { matches } = matchFingerprints(rows.map(knownOccurrenceOf), findings.map(occurrenceOf), renames)
      return new Set(matches.filter(({ id }) => dismissed.has(id)).map(({ index }) => findings[index]!))
    })

    /** The commit of the newest audit; renames are followed from there. */
    const lastCommit = (job: RecordedJob) => repo.lastAuditedCommit(job)

    return { record, scanInput, dismissedAmong, lastCommit }
  })
}) {}

export const knownOccurrenceOf = ({ id, close_reason, rule_id, file_path, symbol, signatures, anchor }: KnownRow) => ({
  id,
  dismissed: close_reason === "dismissed",
  absent: close_reason !== null && close_reason !== "dismissed",
  rule_id,
  file_path,
  symbol,
  signatures,
  anchor
})

export const occurrenceOf = ({ rule_id, locations: [{ file_path, symbol }], signatures, anchor }: Finding) => ({
  rule_id,
  file_path,
  symbol,
  signatures,
  anchor
})

/** Members get a notice of these; suggestions are no flaws. */
const isSevere = ({ kind, priority }: Finding) => kind !== "suggestion" && (priority === "P0" || priority === "P1")

const isDismissedForGood = ({ close_reason, dismissal_category }: KnownRow): boolean =>
  close_reason === "dismissed" && dismissal_category !== null && stickyDismissals.has(dismissal_category)

/** Why a closed observation that was found again is open again; `null` when it stays closed. */
const reopenReason = (row: KnownRow): string | null => {
  if (row.status === "new") return null
  switch (row.close_reason) {
    case "dismissed":
      return isDismissedForGood(row) ? null : `found again after it was dismissed as ${row.dismissal_category}`
    case "fixed":
    case "completed":
      return `regression: found again after it was ${row.close_reason}`
    default:
      return "found again"
  }
}

/** Whether it is among what a scan found but did not report. */
export const isPresent = ({ signatures }: Pick<KnownRow, "signatures">, present: ReadonlySet<string>): boolean => {
  const { located, primary, moved, sites } = signatures
  return [located, primary, moved, ...sites].some((signature) => present.has(signature))
}

/** Why an open observation that was not found expires; `null` while it may still be there. */
const expiryReason = (
  row: KnownRow,
  { scan, renames, fileStatuses }: Recording,
  present: ReadonlySet<string>
): string | null => {
  if (isPresent(row, present)) return null
  const path = renames.get(row.file_path) ?? row.file_path
  const status = fileStatuses.get(path) ?? fileStatuses.get(row.file_path)
  if (status === "absent") return "the file is gone"
  // What was not asked for was not looked for.
  if (row.kind === "suggestion" && scan.suggestions === false) return null
  const tool = scan.tools.find(({ id }) => id === row.tool)
  // The rule ran over the whole file and did not match: its detection query finds nothing.
  const ranThere = tool?.status === "completed" && status === "inspected"
  return ranThere ? "the code is no longer there" : null
}
