import { Array, Effect, Option, Record, Schema } from "effect"
import { ScanResult, Sources, type Suite } from "../../engine/index.ts"
import { closed } from "../../schema/closed.ts"
import { JobId, ObservationId } from "../../schema/Ids.ts"
import { SubmissionInvalid } from "../../schema/Job.ts"
import { ObservationNumberFromRef } from "../../schema/Observation.ts"
import { list, optional } from "../../schema/Text.ts"
import { ObservationRecorder } from "../observations/ObservationRecorder.ts"
import { type Revalidated, Revalidation } from "../observations/Revalidation.ts"
import {
  type Citation,
  type CitedObservation,
  citationOf,
  currentPaths,
  type Outcome
} from "../observations/verdicts.ts"
import { StageFailed, stage, type Workflow } from "../ports/Workflow.ts"
import { preparedOf, Scanning, summaryOf } from "./Scanning.ts"

const MAX_REFS = 200
const MAX_REPORTED = 200
// In a message; its details name all of them.
const MAX_NAMED = 10

const Params = closed({
  refs: optional(list(ObservationNumberFromRef, 1, MAX_REFS))
})

/** What the scan was made for and what it found: observations that come later are none of its business. */
const Evidence = Schema.Struct({
  targets: Schema.Array(Schema.Struct({ id: ObservationId, last_seen_job_id: Schema.NullOr(JobId) })),
  passed_over: Schema.Array(Schema.Struct({ ref: Schema.String, reason: Schema.String })),
  /** Old path to new path since the audit before. */
  renames: Schema.Array(Schema.Tuple(Schema.String, Schema.String)),
  scan: ScanResult
})

const evidenceArtifact = "revalidation"

/** Looks at open observations again, at the newest commit of the branch. */
export class RevalidateWorkflow extends Effect.Service<RevalidateWorkflow>()("RevalidateWorkflow", {
  effect: Effect.gen(function* () {
    const recorder = yield* ObservationRecorder
    const revalidation = yield* Revalidation
    const scanning = yield* Scanning

    // Not the commit of the submission: to close what an old commit does not have would be wrong.
    const prepare = stage("prepare", ({ job }) => Effect.map(scanning.mirrorOf(job), ({ commit }) => ({ commit })))

    const inspect = stage("inspect", (context) =>
      Effect.gen(function* () {
        const { job } = context
        const { commit } = yield* preparedOf(context)
        const { gitDir } = yield* scanning.mirrorOf(job)
        const { refs = null } = yield* Effect.orDie(Schema.decodeUnknown(Params)(job.params))
        const { open, passedOver } = yield* revalidation.targets(job, refs)
        const { suggestions, lastSuite } = yield* recorder.scanInput(job)
        const lastCommit = yield* recorder.lastCommit(job)
        const renames = yield* scanning.renamesSince(gitDir, lastCommit, commit)
        const paths = currentPaths(new Set(open.map(({ file_path }) => file_path)), renames)
        const scan = (suite: Suite) =>
          scanning.inspect(context, {
            gitDir,
            commit,
            suite,
            suggestions: suggestions || open.some(({ kind }) => kind === "suggestion"),
            watch: paths,
            focus: paths,
            rerunRules: true
          })
        const first = yield* scan(Option.getOrElse(lastSuite, () => "full" as const))
        const ran = new Set(first.tools.map(({ id }) => id))
        // An observation of a fuller audit, in a repository that has had a smaller one since.
        const isComplete = !Option.contains(lastSuite, "standard") || open.every(({ tool }) => ran.has(tool))
        const result = isComplete ? first : yield* scan("full")
        const evidence = {
          targets: open.map(({ id, last_seen_job_id }) => ({ id, last_seen_job_id })),
          passed_over: passedOver,
          renames: [...renames],
          scan: result
        }
        yield* context.artifact.write(evidenceArtifact, yield* Effect.orDie(Schema.encode(Evidence)(evidence)))
        return yield* summaryOf(result)
      })
    )

    const record = stage("record", (context) =>
      Effect.gen(function* () {
        const { job } = context
        const { commit } = yield* preparedOf(context)
        const written = yield* context.artifact.read(evidenceArtifact)
        const evidence = yield* Effect.orDie(Schema.decodeUnknown(Evidence)(Option.getOrNull(written)))
        const renames = new Map(evidence.renames)
        const { gitDir } = yield* scanning.mirrorOf(job)
        const rows = yield* revalidation.rowsOf(job, evidence.targets)
        const citations = yield* Effect.tryPromise({
          try: () => citationsAt({ gitDir, commit }, rows, renames),
          catch: () => new StageFailed({ failure_kind: "clone_failed", message: "The repository could not be read." })
        })
        const done = yield* context.commit(
          revalidation.record({
            workspace_id: job.workspace_id,
            repository_id: job.repository_id,
            job_id: job.id,
            commit,
            scan: evidence.scan,
            renames,
            targets: evidence.targets,
            citations
          })
        )
        return {
          commit_sha: commit,
          ...tally(done),
          not_checked: evidence.passed_over,
          ...(yield* context.outputOf("inspect"))
        }
      })
    )

    return {
      name: "revalidate",
      params: Params,
      stages: [prepare, inspect, record],
      admits: ({ workspace_id, repository_id, params }) =>
        Effect.gen(function* () {
          const { refs = [] } = yield* Effect.orDie(Schema.decodeUnknown(Params)(params))
          const unknown = yield* revalidation.unknown({ workspace_id, repository_id }, refs)
          if (unknown.length > 0) return yield* unknownRefs(unknown)
        })
    } satisfies Workflow
  })
}) {}

const unknownRefs = (refs: ReadonlyArray<string>) => {
  const more = refs.length - MAX_NAMED
  const named = refs.slice(0, MAX_NAMED).join(", ")
  return new SubmissionInvalid({
    message: `params.refs: the repository has no observation ${named}${more > 0 ? ` and ${more} more` : ""}.`,
    param: "params",
    details: { unknown_refs: refs }
  })
}

const citationsAt = async (
  at: { readonly gitDir: string; readonly commit: string },
  rows: ReadonlyArray<CitedObservation & { readonly id: string }>,
  renames: ReadonlyMap<string, string>
): Promise<ReadonlyMap<string, Citation>> => {
  const byPath = new Map<string, ReadonlyArray<(typeof rows)[number]>>()
  for (const row of rows) {
    const path = renames.get(row.file_path) ?? row.file_path
    byPath.set(path, [...(byPath.get(path) ?? []), row])
  }
  const found = new Map<string, Citation>()
  await Sources.readTexts(at, byPath.keys(), (path, text) => {
    for (const row of byPath.get(path) ?? []) found.set(row.id, citationOf(row, text))
  })
  return found
}

const counters: Readonly<Record<Outcome, string>> = {
  confirmed: "confirmed",
  moved: "moved",
  no_longer_found: "closed_no_longer_found",
  stale: "closed_stale",
  inconclusive: "inconclusive"
}

/** How many came to which end, which ones (the first of many), and what was in the way of the others. */
const tally = (done: ReadonlyArray<Revalidated>) => {
  const byOutcome = Array.groupBy(done, ({ outcome }) => outcome)
  const of = (outcome: Outcome) => byOutcome[outcome] ?? []
  const names = Object.entries(counters) as ReadonlyArray<[Outcome, string]>
  const doubts = Array.groupBy(of("inconclusive"), ({ doubt }) => doubt ?? "unknown")
  return {
    checked: done.length,
    ...Object.fromEntries(names.map(([outcome, name]) => [name, of(outcome).length])),
    refs: Object.fromEntries(
      names.map(([outcome, name]) => [
        name,
        of(outcome)
          .slice(0, MAX_REPORTED)
          .map(({ ref }) => ref)
      ])
    ),
    inconclusive_because: Record.map(doubts, ({ length }) => length)
  }
}
