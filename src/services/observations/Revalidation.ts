import { Effect } from "effect"
import { type Finding, matchFingerprints, type ScanResult } from "../../engine/index.ts"
import { JobId, type ObservationId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import type { Actor } from "../../schema/Job.ts"
import { type ObservationNumber, refOf } from "../../schema/Observation.ts"
import { now } from "../support/now.ts"
import { isPresent, knownOccurrenceOf, occurrenceOf } from "./ObservationRecorder.ts"
import { type NewEvent, ObservationStateRepo } from "./ObservationStateRepo.ts"
import { RecordingRepo } from "./RecordingRepo.ts"
import { RevalidationRepo, type SettledRow } from "./RevalidationRepo.ts"
import {
  type Citation,
  citationOf,
  closingNote,
  type Doubt,
  evidenceOf,
  fileStatusOf,
  moveNote,
  type Outcome,
  type Verdict,
  verdictOf
} from "./verdicts.ts"

/** An observation as it was when the scan began. */
export interface Target {
  readonly id: ObservationId
  readonly last_seen_job_id: JobId | null
}

/** The observations of one repository. */
interface Scope {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
}

export interface RevalidationRequest extends Scope {
  readonly job_id: JobId
  readonly commit: string
  readonly scan: Pick<ScanResult, "findings" | "tools" | "also_present" | "watched" | "suggestions">
  readonly renames: ReadonlyMap<string, string>
  readonly targets: ReadonlyArray<Target>
  readonly citations: ReadonlyMap<string, Citation>
}

export interface Revalidated {
  readonly ref: string
  readonly outcome: Outcome
  readonly doubt: Doubt | null
}

const revalidator: Actor = { kind: "system", label: "revalidate", api_key_id: null, user_id: null }

/** Looks at open observations again in the light of a scan. Run `record` inside a transaction. */
export class Revalidation extends Effect.Service<Revalidation>()("Revalidation", {
  effect: Effect.gen(function* () {
    const repo = yield* RevalidationRepo
    const recording = yield* RecordingRepo
    const states = yield* ObservationStateRepo

    /** The open ones among the numbers, or all; and what cannot be looked at, with why. */
    const targets = Effect.fn("Revalidation.targets")(function* (
      { workspace_id, repository_id }: Scope,
      numbers: ReadonlyArray<ObservationNumber> | null
    ) {
      const rows = numbers?.length === 0 ? [] : yield* repo.targets({ workspace_id, repository_id, numbers })
      const known = new Map(rows.map((row) => [row.number, row.status]))
      const passedOver = (numbers ?? []).flatMap((number) => {
        const status = known.get(number)
        return status === "new" ? [] : [{ ref: refOf(number), reason: status ?? ("not_found" as const) }]
      })
      return { open: rows.filter(({ status }) => status === "new"), passedOver }
    })

    /** The references among the numbers that the repository has no observation for. */
    const unknown = Effect.fn("Revalidation.unknown")(function* (
      { workspace_id, repository_id }: Scope,
      numbers: ReadonlyArray<ObservationNumber>
    ) {
      if (numbers.length === 0) return []
      const known = new Set(yield* repo.knownNumbers({ workspace_id, repository_id, numbers }))
      return [...new Set(numbers)].filter((number) => !known.has(number)).map((number) => refOf(number))
    })

    const record = Effect.fn("Revalidation.record")(function* (request: RevalidationRequest) {
      const { workspace_id, repository_id, job_id, scan, commit } = request
      const at = yield* now
      yield* recording.lockRepository(request)
      const known = yield* recording.known(request)
      const matching = matchFingerprints(known.map(knownOccurrenceOf), scan.findings.map(occurrenceOf), request.renames)
      const findings = new Map(matching.matches.map(({ id, index }) => [id, scan.findings[index]!]))
      const present = new Set(scan.also_present)
      const counted = new Set(known.filter((row) => isPresent(row, present)).map(({ id }) => id))
      const events: Array<NewEvent> = []

      const apply = Effect.fnUntraced(function* (row: SettledRow, verdict: Verdict, finding: Finding | null) {
        const { id } = row
        const evidence = evidenceOf(verdict, finding, request.citations.get(id) ?? citationOf(row, undefined))
        switch (verdict.outcome) {
          case "inconclusive":
            return yield* repo.note({ workspace_id, id, at, evidence })
          case "no_longer_found":
          case "stale": {
            const note = closingNote(verdict.outcome, commit)
            const closing = {
              close_reason: "dismissed",
              dismissal_category: verdict.outcome,
              dismissal_note: note
            } as const
            return yield* states.close({ workspace_id, id, at, actor: revalidator, job_id, closing, evidence })
          }
          default:
            if (finding === null) return yield* repo.confirm({ workspace_id, id, at, evidence, job_id })
            yield* recording.refresh({ workspace_id, finding: { ...finding, evidence }, id, job_id, at })
            if (verdict.outcome === "moved") {
              const event = { event: "seen_again", from_status: "new", to_status: "new" } as const
              const reason = moveNote(row, finding)
              events.push({ ...event, reason, observation_id: id, at, actor: revalidator, job_id })
            }
        }
      })

      const asked = new Map(request.targets.map((target) => [target.id, target]))
      const rows = yield* repo.settle({ workspace_id, repository_id, ids: [...asked.keys()], job_id })
      const done: Array<Revalidated> = []
      for (const row of rows) {
        const finding = findings.get(row.id) ?? null
        const verdict = verdictOf(row, {
          finding,
          isCounted: counted.has(row.id),
          isAmbiguous: matching.ambiguous.has(row.id),
          fileStatus: fileStatusOf(row.file_path, request.renames, scan.watched).status,
          tool: scan.tools.find(({ id }) => id === row.tool),
          suggestions: scan.suggestions
        })
        const progress = progressOf(row, asked.get(row.id)!, job_id)
        if (progress === "untouched") yield* apply(row, verdict, finding)
        const reported: Verdict =
          progress === "changed" ? { outcome: "inconclusive", doubt: "changed_meanwhile" } : verdict
        done.push({
          ref: refOf(row.number),
          outcome: reported.outcome,
          doubt: reported.outcome === "inconclusive" ? reported.doubt : null
        })
      }
      yield* states.addEvents(events)
      return done
    })

    /** The targets as they are stored now. */
    const rowsOf = ({ workspace_id, repository_id }: Scope, asked: ReadonlyArray<Target>) =>
      repo.byId({ workspace_id, repository_id, ids: asked.map(({ id }) => id) })

    return { targets, unknown, rowsOf, record }
  })
}) {}

/** Whether something else than this job has said something of the row since the scan began. */
const progressOf = (row: SettledRow, target: Target, job_id: JobId): "untouched" | "done" | "changed" => {
  if (row.closed_by_job || (row.status === "new" && row.last_seen_job_id === job_id)) return "done"
  return row.status === "new" && row.last_seen_job_id === target.last_seen_job_id ? "untouched" : "changed"
}
