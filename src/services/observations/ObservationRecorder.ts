import { DateTime, Effect } from "effect"
import { matchFingerprints, type ScanResult } from "../../engine/index.ts"
import type { Actor } from "../../schema/Job.ts"
import { type ObservationEvent, stickyDismissals } from "../../schema/Observation.ts"
import { newId } from "../support/ids.ts"
import type { NewEvent } from "./ObservationsRepo.ts"
import { columnsOf, type KnownRow, RecordingRepo } from "./RecordingRepo.ts"

/** What the scan can say about a file that a known observation is about. */
export type FileFate = "inspected" | "skipped" | "absent"

export interface Recording {
  readonly workspace_id: string
  readonly repository_id: string
  readonly job_id: string
  readonly commit: string
  readonly scan: Pick<ScanResult, "findings" | "tools" | "also_present"> & Partial<Pick<ScanResult, "suggestions">>
  /** Old path to new path since the audit before. */
  readonly renames: ReadonlyMap<string, string>
  /** Of every file that an open observation is about. */
  readonly fates: ReadonlyMap<string, FileFate>
}

export interface RecordingOutcome {
  readonly created: number
  readonly seen_again: number
  readonly resurfaced: number
  readonly kept_closed: number
  readonly expired: number
}

const auditor: Actor = { kind: "system", label: "audit", api_key_id: null, user_id: null }

/**
 * Turns what a scan found into observations: known ones keep their `OBS-N`, gone ones expire, closed ones stay closed or
 * come back as their closing says. Run inside a transaction; running it twice for one job changes nothing more.
 */
export class ObservationRecorder extends Effect.Service<ObservationRecorder>()("ObservationRecorder", {
  effect: Effect.gen(function* () {
    const repo = yield* RecordingRepo

    const record = Effect.fn("ObservationRecorder.record")(function* (recording: Recording) {
      const { scan, job_id, repository_id, workspace_id } = recording
      const at = DateTime.formatIso(yield* DateTime.now)
      yield* repo.lockRepository(repository_id)
      const known = yield* repo.known(repository_id)
      const matching = matchFingerprints(known.map(sightingOf), scan.findings.map(currentOf), recording.renames)
      const byId = new Map(known.map((row) => [row.id, row]))
      const events: Array<NewEvent> = []
      const event = (id: string, what: Pick<ObservationEvent, "event" | "from_status" | "to_status" | "reason">) =>
        events.push({ ...what, observation_id: id, at, actor: auditor, job_id })
      const present = new Set(scan.also_present)
      let seen_again = 0
      let resurfaced = 0
      let kept_closed = 0
      let expired = 0

      for (const match of matching.matches) {
        const row = byId.get(match.id)!
        if (row.last_seen_job_id === job_id) continue
        yield* repo.refresh({ ...columnsOf(scan.findings[match.index]!), id: row.id, job_id, at })
        const comeback = comebackOf(row)
        if (row.status === "new") seen_again++
        else if (comeback === null) kept_closed++
        else {
          resurfaced++
          yield* repo.reopen({ id: row.id, at })
          event(row.id, { event: "resurfaced", from_status: "closed", to_status: "new", reason: comeback })
        }
      }

      for (const id of matching.unseen) {
        const row = byId.get(id)!
        const isOpen = row.status === "new" && !matching.doubtful.has(id)
        const gone = isOpen ? reasonGone(row, recording, present) : null
        if (gone === null) continue
        expired++
        yield* repo.closeExpired({ id, at, actor: auditor })
        event(id, { event: "expired", from_status: "new", to_status: "closed", reason: gone })
      }

      let number =
        matching.fresh.length === 0 ? 0 : yield* repo.drawNumbers({ workspace_id, count: matching.fresh.length })
      for (const index of matching.fresh) {
        const id = yield* newId
        yield* repo.insert({
          ...columnsOf(scan.findings[index]!),
          id,
          workspace_id,
          repository_id,
          number: number++,
          job_id,
          at
        })
        event(id, { event: "found", from_status: null, to_status: "new", reason: null })
      }

      yield* repo.addEvents(events)
      yield* repo.markAudited({ repository_id, commit: recording.commit, at })
      return {
        created: matching.fresh.length,
        seen_again,
        resurfaced,
        kept_closed,
        expired
      } satisfies RecordingOutcome
    })

    /** What a scan should know before it starts. */
    const before = Effect.fn("ObservationRecorder.before")(function* (repositoryId: string) {
      return {
        lastCommit: yield* repo.lastAuditedCommit(repositoryId),
        suggestions: yield* repo.wantsSuggestions(repositoryId),
        openPaths: yield* repo.openPaths(repositoryId),
        lastSuite: yield* repo.lastSuite(repositoryId)
      }
    })

    return { record, before }
  })
}) {}

export const sightingOf = (row: KnownRow) => ({
  id: row.id,
  dismissed: row.close_reason === "dismissed",
  rule: row.rule_id,
  path: row.file_path,
  symbol: row.symbol,
  signatures: row.signatures,
  anchor: row.anchor
})

export const currentOf = (finding: ScanResult["findings"][number]) => ({
  rule: finding.rule_id,
  path: finding.locations[0].file_path,
  symbol: finding.locations[0].symbol,
  signatures: finding.signatures,
  anchor: finding.anchor
})

/** Why a closed observation that was found again is open again; `null` when it stays closed. */
const comebackOf = (row: KnownRow): string | null => {
  if (row.status === "new") return null
  switch (row.close_reason) {
    case "dismissed":
      return row.dismissal_category !== null && stickyDismissals.has(row.dismissal_category)
        ? null
        : `found again after it was dismissed as ${row.dismissal_category}`
    case "fixed":
    case "completed":
      return `regression: found again after it was ${row.close_reason}`
    default:
      return "found again"
  }
}

/** Whether it is among what a scan found but did not tell. */
export const isPresent = ({ signatures }: Pick<KnownRow, "signatures">, present: ReadonlySet<string>): boolean => {
  const { located, primary, moved, sites } = signatures
  return [located, primary, moved, ...sites].some((signature) => present.has(signature))
}

/** Why an open observation that was not found has gone; `null` while that is not certain. */
const reasonGone = (
  row: KnownRow,
  { scan, renames, fates }: Recording,
  present: ReadonlySet<string>
): string | null => {
  if (isPresent(row, present)) return null
  const path = renames.get(row.file_path) ?? row.file_path
  const fate = fates.get(path) ?? fates.get(row.file_path)
  if (fate === "absent") return "the file is gone"
  // What was not asked for was not looked for.
  if (row.kind === "suggestion" && scan.suggestions === false) return null
  const tool = scan.tools.find(({ id }) => id === row.tool)
  // The rule ran over the whole file and did not match: its detection query finds nothing.
  const ranThere = tool?.status === "completed" && fate === "inspected"
  return ranThere ? "the code is no longer there" : null
}
