import { Effect, Option } from "effect"
import { type Finding, matchFingerprints, type ScanResult, type Suite } from "../../engine/index.ts"
import type { ObservationNumber } from "../../schema/Observation.ts"
import { knownOccurrenceOf, ObservationRecorder, occurrenceOf } from "../observations/ObservationRecorder.ts"
import { ObservationsRepo } from "../observations/ObservationsRepo.ts"
import { type KnownRow, RecordingRepo } from "../observations/RecordingRepo.ts"
import { currentPaths } from "../observations/verdicts.ts"
import type { StageContext } from "../ports/Workflow.ts"
import type { Compared } from "./fixData.ts"
import { Scanning } from "./Scanning.ts"

interface SubjectRequest {
  readonly number: ObservationNumber
  readonly gitDir: string
  readonly commit: string
}

/** What a fix is about: the finding of an observation, as it is in the commit to be fixed. */
export class FixSubjects extends Effect.Service<FixSubjects>()("FixSubjects", {
  effect: Effect.gen(function* () {
    const recorder = yield* ObservationRecorder
    const recording = yield* RecordingRepo
    const observations = yield* ObservationsRepo
    const scanning = yield* Scanning

    /** Scans the commit; nothing where it does not have the finding any more. */
    const find = Effect.fn("FixSubjects.find")(function* (
      context: StageContext,
      { number, gitDir, commit }: SubjectRequest
    ) {
      const { job } = context
      const { workspace_id, repository_id } = job
      const found = yield* observations.find({ workspace_id, number })
      if (Option.isNone(found)) return Option.none<Compared>()
      const { rule_id, tool, locations } = found.value
      const lastCommit = yield* recorder.lastCommit(job)
      const renames = yield* scanning.renamesSince(gitDir, lastCommit, commit)
      const files = new Set((locations ?? []).map(({ file_path }) => file_path))
      const { lastSuite } = yield* recorder.scanInput(job)
      const focus = currentPaths(files, renames)
      const scan = (suite: Suite) =>
        scanning.inspect(context, { gitDir, commit, suite, suggestions: false, focus, spareCache: true })
      const suite = Option.getOrElse(lastSuite, () => "full" as const)
      const first = yield* scan(suite)
      // An observation of a fuller audit, in a repository that has had a smaller one since.
      const isMissing = suite === "standard" && first.tools.every(({ id }) => id !== tool)
      const { findings, tools, also_present } = isMissing ? yield* scan("full") : first
      const rows = yield* recording.knownOfRule({ workspace_id, repository_id, rule_id })
      return Option.map(findingOf(rows, number, findings, renames), (finding): Compared => {
        const scan = { findings, tools, also_present }
        return { finding, scan, suite: isMissing ? "full" : suite }
      })
    })

    return { find }
  })
}) {}

/** The finding that an audit would record as the observation of this number. */
const findingOf = (
  rows: ReadonlyArray<KnownRow>,
  number: ObservationNumber,
  findings: ScanResult["findings"],
  renames: ReadonlyMap<string, string>
): Option.Option<Finding> => {
  const row = rows.find((one) => one.number === number)
  if (row === undefined) return Option.none()
  const ofRule = findings.filter(({ rule_id }) => rule_id === row.rule_id)
  const matching = matchFingerprints(rows.map(knownOccurrenceOf), ofRule.map(occurrenceOf), renames)
  const match = matching.matches.find(({ id }) => id === row.id)
  return Option.fromNullable(match === undefined ? undefined : ofRule[match.index])
}
