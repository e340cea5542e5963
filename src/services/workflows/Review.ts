import { Array, Effect, Option, Record, Schema } from "effect"
import { type Finding, ScanResult } from "../../engine/index.ts"
import { closed } from "../../schema/closed.ts"
import { SubmissionInvalid } from "../../schema/Job.ts"
import { BranchName } from "../../schema/Repository.ts"
import { ReviewDirectives } from "../../schema/Setting.ts"
import { integer, type JsonObject, optional } from "../../schema/Text.ts"
import { ObservationRecorder } from "../observations/ObservationRecorder.ts"
import { CodeHost, type Revision } from "../ports/CodeHost.ts"
import type { ChangedFile } from "../ports/Comparison.ts"
import { type StageContext, StageFailed, stage, type Workflow } from "../ports/Workflow.ts"
import { MAX_COMMENTS, reviewText } from "../reviews/comments.ts"
import { directed } from "../reviews/directed.ts"
import { noDirectives } from "../reviews/instructions.ts"
import { type Introduced, renamesIn, review } from "../reviews/introduced.ts"
import { postOf, ReviewPost } from "../reviews/posting.ts"
import { ReviewsRepo } from "../reviews/ReviewsRepo.ts"
import { RepositoryTexts } from "../settings/RepositoryTexts.ts"
import { hostFailed, Scanning } from "./Scanning.ts"

const MAX_FILES = 3_000
const MAX_REPORTED = 50
/** Of the comments in a job's result, which lists of jobs carry, too. */
const MAX_COMMENT_CHARS = 48_000

const CommitId = Schema.String.pipe(
  Schema.filter((s) => (/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(s) ? undefined : "must be a full commit id"))
)

const Params = closed({
  branch: optional(BranchName),
  pull_request: optional(integer(1, 2_147_483_647)),
  commit: optional(CommitId),
  /** With a pull request: its newest commit as the code host reported it, so that each push is a review of its own. */
  head: optional(CommitId)
}).pipe(
  Schema.filter(({ head, ...of }) =>
    Object.keys(of).length === 1 && (head === undefined || of.pull_request !== undefined)
      ? undefined
      : "exactly one of branch, pull_request and commit must be given, and head with a pull_request only"
  )
)

const decodeParams = (params: JsonObject) => Effect.orDie(Schema.decodeUnknown(Params)(params))

const Prepared = Schema.Struct({ base_sha: Schema.String, head_sha: Schema.String, files_changed: Schema.Int })

const Lines = Schema.Struct({
  ranges: Schema.Array(Schema.Tuple(Schema.Int, Schema.Int)),
  cuts: Schema.Array(Schema.Int)
})
const Changes = Schema.Array(
  Schema.Struct({
    path: Schema.String,
    previous_path: Schema.NullOr(Schema.String),
    kind: Schema.Literal("added", "modified", "renamed", "deleted", "submodule"),
    lines: Lines
  })
)

const artifacts = {
  changes: "changes",
  base: "base_scan",
  head: "head_scan",
  review: "review",
  post: "post",
  instructions: "instructions"
} as const

/** What a branch, a pull request or a commit introduces, compared with where it left the registered branch. */
export class ReviewWorkflow extends Effect.Service<ReviewWorkflow>()("ReviewWorkflow", {
  effect: Effect.gen(function* () {
    const host = yield* CodeHost
    const recorder = yield* ObservationRecorder
    const repo = yield* ReviewsRepo
    const scanning = yield* Scanning
    const texts = yield* RepositoryTexts

    const fetched = (context: StageContext) =>
      Effect.flatMap(decodeParams(context.job.params), (params) => scanning.revisionOf(context.job, revisionIn(params)))

    /** One version of the instructions for the whole review, with the free text for an agent that takes part in it. */
    const settle = Effect.fnUntraced(function* (context: StageContext) {
      const { directives, problems } = yield* texts.reviewDirectives(context.job)
      for (const problem of problems) yield* context.log(`Review instructions, not followed: ${problem}`)
      yield* context.artifact.write(artifacts.instructions, directives)
    })

    const prepare = stage("prepare", (context) =>
      Effect.gen(function* () {
        const { gitDir, commit, revision } = yield* fetched(context)
        const { merge_base, files } = yield* host
          .compare({ gitDir, base: commit, head: revision, maxFiles: MAX_FILES })
          .pipe(Effect.mapError(hostFailed))
        if (files.length === 0) {
          return yield* new StageFailed({
            failure_kind: "no_changes",
            message: "There is nothing in it that the base branch does not have."
          })
        }
        yield* context.artifact.write(artifacts.changes, files)
        yield* settle(context)
        return { base_sha: merge_base, head_sha: revision, files_changed: files.length }
      })
    )

    const inspect = (name: "inspect_base" | "inspect_head") =>
      stage(name, (context) =>
        Effect.gen(function* () {
          const isBase = name === "inspect_base"
          const { base_sha, head_sha } = yield* preparedOf(context)
          const { gitDir } = yield* fetched(context)
          const { lastSuite, suggestions } = yield* recorder.scanInput(context.job)
          const files = yield* changesOf(context)
          const result = yield* scanning.inspect(context, {
            gitDir,
            commit: isBase ? base_sha : head_sha,
            // As the audits of the branch: their cache knows what did not change.
            suite: Option.getOrElse(lastSuite, () => "standard" as const),
            suggestions,
            focus: [...new Set(files.flatMap(({ path, previous_path }) => [path, previous_path ?? path]))],
            spareCache: true,
            honoursMutes: true
          })
          const written = yield* Effect.orDie(Schema.encode(ScanResult)(result))
          yield* context.artifact.write(isBase ? artifacts.base : artifacts.head, written)
          const { reused_files, cpu_seconds, wall_ms, silenced_counts, stale_ignores, warnings } = result
          return { reused_files, cpu_seconds, wall_ms, silenced_counts, stale_ignores, warnings }
        })
      )

    const compare = stage("compare", (context) =>
      Effect.gen(function* () {
        const prepared = yield* preparedOf(context)
        const files = yield* changesOf(context)
        const base = yield* read(context, artifacts.base, ScanResult)
        const head = yield* read(context, artifacts.head, ScanResult)
        const directives = yield* instructionsOf(context)
        const reviewed = directed(review(base, head, files), directives)
        const unfinished = head.tools.filter(({ status }) => status !== "completed").map(({ id }) => id)
        const { summary, comments } = reviewText(reviewed, files, unfinished, directives.max_comments ?? MAX_COMMENTS)
        const introduced = reviewed.introduced.map(reported)
        const resolved = reviewed.resolved.map(shortly)
        yield* context.artifact.write(artifacts.review, { ...prepared, introduced, resolved, summary, comments })
        const dismissed = yield* recorder.dismissedAmong(context.job, head.findings, renamesIn(files))
        const post = postOf({
          commit: prepared.head_sha,
          review: reviewed,
          dismissed,
          files,
          unfinished,
          isComplete: [...base.tools, ...head.tools].every(({ status }) => status === "completed"),
          maxComments: directives.max_comments
        })
        yield* context.artifact.write(artifacts.post, post)
        return {
          ...prepared,
          introduced_count: introduced.length,
          introduced_by_priority: Record.map(
            Array.groupBy(introduced, ({ priority }) => priority),
            ({ length }) => length
          ),
          introduced: introduced.slice(0, MAX_REPORTED),
          left_out_count: reviewed.left_out,
          resolved_count: resolved.length,
          resolved: resolved.slice(0, MAX_REPORTED),
          unattributed_count: reviewed.unattributed,
          unfinished_tools: unfinished,
          summary,
          comments_count: comments.length,
          comments: within(comments, MAX_COMMENT_CHARS),
          scans: {
            base: yield* context.outputOf("inspect_base"),
            head: yield* context.outputOf("inspect_head")
          }
        }
      })
    )

    /** What the pull request shows of it; the job's result has it all, whatever becomes of this. */
    const post = stage("post", (context) =>
      Effect.gen(function* () {
        const result = yield* context.outputOf("compare")
        const { pull_request } = yield* decodeParams(context.job.params)
        if (pull_request === undefined) return result
        const written = yield* read(context, artifacts.post, ReviewPost)
        const { remote } = yield* scanning.remoteOf(context.job)
        const posted = yield* host.postReview({ ...written, remote, number: pull_request }).pipe(
          Effect.map(Option.getOrNull),
          Effect.catchAll(({ message }) =>
            Effect.as(context.log(`The pull request does not show this review. ${message}`), null)
          )
        )
        return { ...result, posted: posted === null ? null : { ...posted } }
      })
    )

    return {
      name: "review",
      params: Params,
      stages: [prepare, inspect("inspect_base"), inspect("inspect_head"), compare, post],
      // Only a commit stays what it is: a branch may have new ones by the next submission.
      commitOf: ({ commit }) => (typeof commit === "string" ? commit : null),
      admits: ({ workspace_id, repository_id, params }) =>
        Effect.gen(function* () {
          const { branch, pull_request } = yield* decodeParams(params)
          const isOwn =
            branch?.startsWith("assay/fix-") === true ||
            (pull_request !== undefined && (yield* repo.isOwn({ workspace_id, repository_id, number: pull_request })))
          if (isOwn) {
            return yield* new SubmissionInvalid({
              message: "Assay opened this pull request itself, and does not review its own work.",
              param: "params"
            })
          }
        })
    } satisfies Workflow
  })
}) {}

const revisionIn = ({ branch, pull_request, commit }: typeof Params.Type): Revision =>
  branch !== undefined
    ? { kind: "branch", name: branch }
    : pull_request !== undefined
      ? { kind: "pull_request", number: pull_request }
      : { kind: "commit", sha: commit ?? "" }

const preparedOf = (context: StageContext) =>
  Effect.flatMap(context.outputOf("prepare"), (output) => Effect.orDie(Schema.decodeUnknown(Prepared)(output)))

const read = <A, I>(context: StageContext, name: string, schema: Schema.Schema<A, I>) =>
  Effect.flatMap(context.artifact.read(name), (written) =>
    Effect.orDie(Schema.decodeUnknown(schema)(Option.getOrNull(written)))
  )

const changesOf = (context: StageContext): Effect.Effect<ReadonlyArray<ChangedFile>> =>
  read(context, artifacts.changes, Changes)

/** None in a review whose first stage ended before there were any. */
const instructionsOf = (context: StageContext) =>
  Effect.flatMap(context.artifact.read(artifacts.instructions), (written) =>
    Effect.orDie(Schema.decodeUnknown(ReviewDirectives)(Option.getOrElse(written, () => noDirectives)))
  )

const shortly = ({ priority, kind, rule_id, title, confidence, locations: [at] }: Finding) => ({
  priority,
  kind,
  rule_id,
  title,
  confidence,
  file_path: at.file_path,
  line_start: at.line_start,
  line_end: at.line_end
})

const reported = ({ finding, reach }: Introduced) => ({
  ...shortly(finding),
  reach,
  fingerprint: finding.signatures.primary
})

/** The first of them that fit. */
const within = <A extends { readonly body: string }>(comments: ReadonlyArray<A>, max: number): ReadonlyArray<A> => {
  let size = 0
  return comments.filter(({ body }) => {
    size += body.length
    return size <= max
  })
}
