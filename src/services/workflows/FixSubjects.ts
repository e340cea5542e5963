import { Effect, Option } from "effect"
import { matchFingerprints, type ScanResult, type Suite } from "../../engine/index.ts"
import type { ObservationNumber } from "../../schema/Observation.ts"
import { knownOccurrenceOf, ObservationRecorder, occurrenceOf } from "../observations/ObservationRecorder.ts"
import { ObservationsRepo } from "../observations/ObservationsRepo.ts"
import { type KnownRow, RecordingRepo } from "../observations/RecordingRepo.ts"
import { currentPaths } from "../observations/verdicts.ts"
import type { StageContext } from "../ports/Workflow.ts"
import type { Compared, Subject } from "./fixData.ts"
import { Scanning } from "./Scanning.ts"

interface SubjectRequest {
  readonly numbers: ReadonlyArray<ObservationNumber>
  readonly gitDir: string
  readonly commit: string
}

/** What a fix is about: the findings of observations, as they are in the commit to be fixed. */
export class FixSubjects extends Effect.Service<FixSubjects>()("FixSubjects", {
  effect: Effect.gen(function* () {
    const recorder = yield* ObservationRecorder
    const recording = yield* RecordingRepo
    const observations = yield* ObservationsRepo
    const scanning = yield* Scanning

    /** Scans the commit; without the observations whose findings it does not have any more. */
    const find = Effect.fn("FixSubjects.find")(function* (
      context: StageContext,
      { numbers, gitDir, commit }: SubjectRequest
    ) {
      const { job } = context
      const { workspace_id, repository_id } = job
      const rows = yield* Effect.forEach(numbers, (number) => observations.find({ workspace_id, number }))
      const observed = rows.flatMap(Option.toArray)
      const lastCommit = yield* recorder.lastCommit(job)
      const renames = yield* scanning.renamesSince(gitDir, lastCommit, commit)
      const files = new Set(observed.flatMap(({ locations }) => (locations ?? []).map(({ file_path }) => file_path)))
      const { lastSuite } = yield* recorder.scanInput(job)
      const focus = currentPaths(files, renames)
      const scan = (suite: Suite) =>
        scanning.inspect(context, { gitDir, commit, suite, suggestions: false, focus, spareCache: true })
      const suite = Option.getOrElse(lastSuite, () => "full" as const)
      const first = yield* scan(suite)
      // An observation of a fuller audit, in a repository that has had a smaller one since.
      const isMissing = suite === "standard" && observed.some(({ tool }) => first.tools.every(({ id }) => id !== tool))
      const { findings, tools, also_present } = isMissing ? yield* scan("full") : first
      const ruleIds = [...new Set(observed.map(({ rule_id }) => rule_id))]
      const known = yield* Effect.forEach(ruleIds, (rule_id) =>
        recording.knownOfRule({ workspace_id, repository_id, rule_id })
      )
      const subjects = known.flatMap((rows) => subjectsAmong(rows, numbers, findings, renames))
      return {
        subjects,
        scan: { findings, tools, also_present },
        suite: isMissing ? "full" : suite
      } satisfies Compared
    })

    return { find }
  })
}) {}

/** The findings of one rule that an audit would record as observations of these numbers. */
const subjectsAmong = (
  rows: ReadonlyArray<KnownRow>,
  numbers: ReadonlyArray<ObservationNumber>,
  findings: ScanResult["findings"],
  renames: ReadonlyMap<string, string>
): ReadonlyArray<Subject> => {
  const ruleIds = new Set(rows.map(({ rule_id }) => rule_id))
  const ofRule = findings.filter(({ rule_id }) => ruleIds.has(rule_id))
  const { matches } = matchFingerprints(rows.map(knownOccurrenceOf), ofRule.map(occurrenceOf), renames)
  const indexOf = new Map(matches.map(({ id, index }) => [id, index]))
  return rows.flatMap(({ id, number }) => {
    const finding = ofRule[indexOf.get(id) ?? -1]
    return finding === undefined || !numbers.includes(number) ? [] : [{ number, finding }]
  })
}
