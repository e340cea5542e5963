import { Effect } from "effect"
import { describeChangeInProcess, Sources } from "../../engine/index.ts"
import type { RepositoryId } from "../../schema/Ids.ts"
import { refOf } from "../../schema/Observation.ts"
import type { ChangeFacts, ObservationFacts, Side } from "../change_reviews/ChangeFacts.ts"
import type { BranchRow } from "../change_reviews/ChangeReviewsRepo.ts"
import { ChangeScans } from "../change_reviews/ChangeScans.ts"
import type { ScanKey } from "../change_reviews/ChangeScansRepo.ts"
import {
  matchingOf,
  observationFactsOf,
  type StoredScan,
  scanFactsOf,
  storedScanOf
} from "../change_reviews/scanFacts.ts"
import { ObservationRecorder } from "../observations/ObservationRecorder.ts"
import { RecordingRepo } from "../observations/RecordingRepo.ts"
import { CodeHost } from "../ports/CodeHost.ts"
import type { ChangedFile } from "../ports/Comparison.ts"
import { type RunningJob, type StageContext, StageFailed, type StageStopped } from "../ports/Workflow.ts"
import { renamesIn } from "../reviews/introduced.ts"
import { RuleSettings } from "../settings/RuleSettings.ts"
import { canonicalJson, sha256Hex } from "../support/ids.ts"
import { AuditSettings } from "./AuditSettings.ts"
import { hostFailed, Scanning } from "./Scanning.ts"

const MAX_FILES = 3_000

/** A branch with the commits that are reviewed; without them there is a problem. */
export type ReadBranch = Pick<
  BranchRow,
  "id" | "repository_id" | "repository" | "branch" | "base_sha" | "head_sha" | "problem"
>

/** One that could be read. */
export type LegibleBranch = ReadBranch & { readonly base_sha: string; readonly head_sha: string }

export const isLegible = (branch: ReadBranch): branch is LegibleBranch =>
  branch.problem === null && branch.base_sha !== null && branch.head_sha !== null

/** The job as it works on another of the review's repositories. */
const jobOn = (job: RunningJob, repository_id: RepositoryId): RunningJob => ({ ...job, repository_id })

/** Reads the branches of a change: their commits, what lies between them, and what the engine finds there. */
export class ChangeReading extends Effect.Service<ChangeReading>()("ChangeReading", {
  effect: Effect.gen(function* () {
    const host = yield* CodeHost
    const scanning = yield* Scanning
    const scans = yield* ChangeScans
    const recorder = yield* ObservationRecorder
    const recording = yield* RecordingRepo
    const rules = yield* RuleSettings
    const { limits } = yield* AuditSettings

    const mirrorWith = ({ job }: StageContext, { repository_id, head_sha }: LegibleBranch) =>
      scanning.revisionOf(jobOn(job, repository_id), { kind: "commit", sha: head_sha })

    const compared = (gitDir: string, { base_sha, head_sha }: LegibleBranch) =>
      host.compare({ gitDir, base: base_sha, head: head_sha, maxFiles: MAX_FILES }).pipe(Effect.mapError(hostFailed))

    /** A branch that cannot be read does not end the job: the others may answer all the same. */
    const head = Effect.fnUntraced(function* ({ job }: StageContext, of: BranchRow) {
      const { id, repository_id, repository, branch } = of
      const read = Effect.gen(function* () {
        const { gitDir, commit, revision } = yield* scanning.revisionOf(jobOn(job, repository_id), {
          kind: "branch",
          name: branch
        })
        const { merge_base } = yield* host
          .compare({ gitDir, base: commit, head: revision, maxFiles: MAX_FILES })
          .pipe(Effect.mapError(hostFailed))
        return { base_sha: merge_base, head_sha: revision, problem: null }
      })
      const result = yield* read.pipe(
        Effect.catchAll(({ message }) => Effect.succeed({ base_sha: null, head_sha: null, problem: message }))
      )
      return { id, repository_id, repository, branch, ...result } satisfies ReadBranch
    })

    const heads = Effect.fn("ChangeReading.heads")(function* (
      context: StageContext,
      branches: ReadonlyArray<BranchRow>
    ) {
      const found: Array<ReadBranch> = []
      for (const branch of branches) {
        found.push(yield* head(context, branch))
        yield* context.progress(found.length, branches.length)
      }
      return found
    })

    /** What the scans of a branch depend on, beside its commits. */
    const settingsOf = Effect.fnUntraced(function* (job: RunningJob) {
      const { lastSuite, suggestions } = yield* recorder.scanInput(job)
      // As the audits of the branch: their cache knows what did not change.
      const suite = lastSuite._tag === "Some" ? lastSuite.value : ("standard" as const)
      const { rulesOff, rulesOn } = yield* rules.of(job)
      return { suite, suggestions, hash: sha256Hex(canonicalJson([suite, suggestions, rulesOff, rulesOn])) }
    })

    const keyOf = ({ workspace_id }: RunningJob, branch: LegibleBranch, settings_hash: string): ScanKey => {
      const { repository_id, base_sha, head_sha } = branch
      return { workspace_id, repository_id, base_sha, head_sha, settings_hash }
    }

    const scanBranch = Effect.fnUntraced(function* (context: StageContext, branch: LegibleBranch) {
      const within: StageContext = { ...context, job: jobOn(context.job, branch.repository_id) }
      const { suite, suggestions, hash } = yield* settingsOf(within.job)
      const key = keyOf(within.job, branch, hash)
      if (yield* scans.has(key)) return "reused" as const
      const { gitDir } = yield* mirrorWith(context, branch)
      const { files } = yield* compared(gitDir, branch)
      const focus = [...new Set(files.flatMap(({ path, previous_path }) => [path, previous_path ?? path]))]
      const scope = { gitDir, suite, suggestions, focus, spareCache: true, honoursMutes: true }
      const base = yield* scanning.inspect(within, { ...scope, commit: branch.base_sha })
      const isUnchanged = branch.base_sha === branch.head_sha
      const head = isUnchanged ? base : yield* scanning.inspect(within, { ...scope, commit: branch.head_sha })
      yield* context.commit(yield* scans.toRemember(key, storedScanOf(base, head, files)))
      return "scanned" as const
    })

    /** Scans what was not scanned yet, one branch after the other: each is a checkpoint of its own. */
    const scan = Effect.fn("ChangeReading.scan")(function* (
      context: StageContext,
      branches: ReadonlyArray<ReadBranch>
    ) {
      const counts = { scanned: 0, reused: 0 }
      const problems: Array<{ readonly id: string; readonly message: string }> = []
      for (const branch of branches.filter(isLegible)) {
        const done = yield* scanBranch(context, branch).pipe(
          Effect.catchTag("StageFailed", (failure) =>
            // Without money no other branch is scanned either.
            failure.failure_kind === "budget_exceeded" ? Effect.fail(failure) : Effect.succeed(failure)
          )
        )
        if (done instanceof StageFailed) problems.push({ id: branch.id, message: done.message })
        else counts[done]++
      }
      return { ...counts, problems }
    })

    const textsAt = (gitDir: string, branch: LegibleBranch) => (side: Side, paths: ReadonlyArray<string>) =>
      Effect.tryPromise(async () => {
        const texts = new Map<string, string>()
        const commit = side === "base" ? branch.base_sha : branch.head_sha
        await Sources.readTexts({ gitDir, commit }, paths, (path, text) => {
          if (typeof text === "string") texts.set(path, text)
        })
        return texts
      }).pipe(Effect.catchAll(() => Effect.succeed(new Map<string, string>())))

    const describedWith = (gitDir: string, { base_sha, head_sha }: LegibleBranch, files: ReadonlyArray<ChangedFile>) =>
      describeChangeInProcess(
        {
          source: { kind: "git", gitDir, commit: head_sha },
          base: base_sha,
          changes: files
            .filter(({ kind }) => kind !== "submodule")
            .map(({ kind, path, previous_path }) => ({
              base: kind === "added" ? null : (previous_path ?? path),
              head: kind === "deleted" ? null : path
            }))
        },
        { limits }
      ).pipe(Effect.catchAll(({ message }) => Effect.succeed({ problem: message })))

    const observations = Effect.fnUntraced(function* (
      job: RunningJob,
      at: {
        readonly gitDir: string
        readonly branch: LegibleBranch
        readonly files: ReadonlyArray<ChangedFile>
        readonly pathsAtHead: ReadonlySet<string>
        readonly stored: StoredScan
        readonly refs: ReadonlyArray<string>
      }
    ) {
      const { gitDir, branch, stored, pathsAtHead } = at
      const rows = yield* recording.known(job)
      const lastCommit = yield* recorder.lastCommit(job)
      const sinceAudit = yield* scanning.renamesSince(gitDir, lastCommit, branch.head_sha)
      const renames = new Map([...renamesIn(at.files), ...sinceAudit])
      const matching = matchingOf(stored, rows, renames)
      const byRef = new Map(rows.map((row) => [refOf(row.number), row]))
      const facts = at.refs.map((ref) =>
        observationFactsOf({ ref, row: byRef.get(ref) ?? null, scan: stored, matching, renames, pathsAtHead })
      )
      return {
        scan: scanFactsOf(stored, at.files, rows, matching),
        observations: new Map(facts.map((one) => [one.ref, one]))
      }
    })

    const unscanned = (refs: ReadonlyArray<string>, doubt: string): ReadonlyMap<string, ObservationFacts> =>
      new Map(refs.map((ref) => [ref, { ref, state: "unknown", doubt, location: null }]))

    /** Everything that checks may ask of a branch; `refs` are the observations that criteria name. */
    const facts = Effect.fn("ChangeReading.facts")(function* (
      context: StageContext,
      branch: LegibleBranch,
      refs: ReadonlyArray<string>,
      scanProblem: string
    ): Effect.fn.Return<ChangeFacts, StageFailed | StageStopped> {
      const job = jobOn(context.job, branch.repository_id)
      const { gitDir } = yield* mirrorWith(context, branch)
      const { base_sha: base, head_sha: head } = branch
      const { files } = yield* compared(gitDir, branch)
      const { texts, binaries } = yield* host
        .compareTexts({ gitDir, from: base, to: head })
        .pipe(Effect.mapError(hostFailed))
      const pathsOf = (commit: string) =>
        Effect.map(Effect.mapError(host.paths({ gitDir, commit }), hostFailed), (paths) => new Set(paths))
      const paths = { base: yield* pathsOf(base), head: yield* pathsOf(head) }
      const { hash } = yield* settingsOf(job)
      const found = yield* scans.find(keyOf(job, branch, hash))
      const scanned =
        found._tag === "None"
          ? { scan: null, observations: unscanned(refs, scanProblem) }
          : yield* observations(job, { gitDir, branch, files, pathsAtHead: paths.head, stored: found.value, refs })
      return {
        repository: branch.repository,
        branch: branch.branch,
        commits: { base, head },
        files: files.map(({ path, previous_path, kind }) => ({
          path,
          previous_path,
          kind,
          isBinary: binaries.has(path),
          added: texts.get(path)?.added ?? [],
          removed: texts.get(path)?.removed ?? []
        })),
        paths,
        scanProblem: scanned.scan === null ? scanProblem : null,
        ...scanned,
        read: textsAt(gitDir, branch),
        description: yield* Effect.cached(describedWith(gitDir, branch, files))
      }
    })

    return { heads, scan, facts }
  })
}) {}
