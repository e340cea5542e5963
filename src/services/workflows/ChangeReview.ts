import { Effect, Option, Schema } from "effect"
import { closed } from "../../schema/closed.ts"
import { ChangeReviewId, RepositoryId } from "../../schema/Ids.ts"
import { field, integer, type JsonObject } from "../../schema/Text.ts"
import { ChangeReviewsRepo, type CriterionRow, type ReviewRow } from "../change_reviews/ChangeReviewsRepo.ts"
import { commitsHash } from "../change_reviews/changeReviewRecord.ts"
import { readsScan } from "../change_reviews/checks/evaluate.ts"
import type { RunningJob, StageContext } from "../ports/Workflow.ts"
import { StageFailed, stage, type Workflow } from "../ports/Workflow.ts"
import { now } from "../support/now.ts"
import { ChangeAgent } from "./ChangeAgent.ts"
import { ChangeReading, type ReadBranch } from "./ChangeReading.ts"
import { ChangeVerdicts } from "./ChangeVerdicts.ts"

const Params = closed({
  change_review_id: field(ChangeReviewId, "ID of the change review."),
  round: field(integer(1), "Number of the job within the review.")
})

const reviewIdOf = (params: JsonObject) =>
  Effect.map(Effect.orDie(Schema.decodeUnknown(Params)(params)), ({ change_review_id }) => change_review_id)

/** What the first stage reads of the branches; the others work on these commits, whatever is pushed meanwhile. */
const Read = Schema.Struct({
  branches: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      repository_id: RepositoryId,
      repository: Schema.String,
      branch: Schema.String,
      base_sha: Schema.NullOr(Schema.String),
      head_sha: Schema.NullOr(Schema.String),
      problem: Schema.NullOr(Schema.String)
    })
  )
})

const branchesOf = (context: StageContext): Effect.Effect<ReadonlyArray<ReadBranch>> =>
  Effect.flatMap(context.outputOf("prepare"), (output) =>
    Effect.map(Effect.orDie(Schema.decodeUnknown(Read)(output)), ({ branches }) => branches)
  )

/** Judges the branches of a change by their criteria: what has a verdict for the same commits keeps it. */
export class ChangeReviewWorkflow extends Effect.Service<ChangeReviewWorkflow>()("ChangeReviewWorkflow", {
  effect: Effect.gen(function* () {
    const repo = yield* ChangeReviewsRepo
    const reading = yield* ChangeReading
    const verdicts = yield* ChangeVerdicts
    const agent = yield* ChangeAgent

    const reviewOf = Effect.fnUntraced(function* ({ workspace_id, params }: RunningJob) {
      const found = yield* repo.withId({ workspace_id, id: yield* reviewIdOf(params) })
      if (Option.isSome(found)) return found.value
      return yield* new StageFailed({ failure_kind: "repo_unavailable", message: "The change review was deleted." })
    })

    /** Runs a write unless a newer job of the review has taken over: its commits are newer, too. */
    const commit = (context: StageContext, review: ReviewRow, write: Effect.Effect<unknown>) => {
      const { workspace_id, id: job_id } = context.job
      return context.commit(
        Effect.whenEffect(write, repo.isNewestJob({ workspace_id, id: review.id, job_id })).pipe(
          Effect.map(Option.isSome)
        )
      )
    }

    const prepare = stage("prepare", (context) =>
      Effect.gen(function* () {
        const { workspace_id } = context.job
        const review = yield* reviewOf(context.job)
        const branches = yield* reading.heads(context, review.branches)
        const at = yield* now
        yield* commit(
          context,
          review,
          Effect.forEach(branches, (branch) => repo.recordBranch({ workspace_id, at, ...branch }), { discard: true })
        )
        return { branches }
      })
    )

    /** Those of the criteria that have no verdict for these commits. */
    const openCriteria = (review: ReviewRow, branches: ReadonlyArray<ReadBranch>): ReadonlyArray<CriterionRow> => {
      const commits = commitsHash(branches)
      return review.criteria.filter(
        ({ verdict, decided_for }) => decided_for !== commits || (verdict !== "met" && verdict !== "not_met")
      )
    }

    const isScanned = ({ check }: CriterionRow) =>
      check !== null && (readsScan.has(check.kind) || check.kind === "observation_gone")

    const inspect = stage("inspect", (context) =>
      Effect.gen(function* () {
        const review = yield* reviewOf(context.job)
        const branches = yield* branchesOf(context)
        if (!openCriteria(review, branches).some(isScanned)) return { scanned: 0, reused: 0, problems: [] }
        return yield* reading.scan(context, branches)
      })
    )

    /** What an agent answers is kept as soon as it is there: a worker that dies costs no second answer. */
    const ask = stage("ask", (context) =>
      Effect.gen(function* () {
        const review = yield* reviewOf(context.job)
        const branches = yield* branchesOf(context)
        const free = openCriteria(review, branches).filter(({ check }) => check === null)
        if (free.length === 0 || !agent.isConfigured) return { asked: 0 }
        return yield* agent.ask(context, branches, free)
      })
    )

    const decide = stage("decide", (context) =>
      Effect.gen(function* () {
        const { workspace_id } = context.job
        const review = yield* reviewOf(context.job)
        const branches = yield* branchesOf(context)
        const decided = yield* verdicts.of(context, branches, openCriteria(review, branches))
        const decided_for = commitsHash(branches)
        const at = yield* now
        const isNewest = yield* commit(
          context,
          review,
          Effect.zipRight(
            Effect.forEach(decided, (one) => repo.recordVerdict({ workspace_id, ...one, decided_for })),
            repo.touch({ workspace_id, id: review.id, at })
          )
        )
        const word = new Map(decided.map(({ id, verdict }) => [id, verdict]))
        const count = (verdict: CriterionRow["verdict"]) =>
          review.criteria.filter((one) => (word.get(one.id) ?? one.verdict) === verdict).length
        // Repositories of other branches may be hidden from those who see this job: counts only.
        return {
          decided: decided.length,
          met: count("met"),
          not_met: count("not_met"),
          cannot_tell: count("cannot_tell"),
          superseded: !isNewest
        }
      })
    )

    return {
      name: "change_review",
      beta: "change_reviews",
      params: Params,
      stages: [prepare, inspect, ask, decide],
      // Its branches are in the review; the job's own repository is that of the first.
      commitOf: () => null
    } satisfies Workflow
  })
}) {}
