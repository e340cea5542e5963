import { Effect, Option, Schema } from "effect"
import { Sources } from "../../engine/index.ts"
import { ChangeReviewEvidence } from "../../schema/ChangeReview.ts"
import {
  type AgentAnswer,
  answersFile,
  answersIn,
  questionsBrief,
  verdictOf
} from "../change_reviews/agentQuestions.ts"
import type { BranchVerdict } from "../change_reviews/ChangeFacts.ts"
import type { CriterionRow } from "../change_reviews/ChangeReviewsRepo.ts"
import { AgentRunner } from "../ports/AgentRunner.ts"
import { CodeHost } from "../ports/CodeHost.ts"
import type { StageContext, StageFailed, StageStopped } from "../ports/Workflow.ts"
import { WorkTrees } from "../ports/WorkTrees.ts"
import { isLegible, type LegibleBranch, type ReadBranch } from "./ChangeReading.ts"
import { hostFailed, Scanning } from "./Scanning.ts"

const MAX_FILES = 3_000

const Verdicts = Schema.Record({
  key: Schema.String,
  value: Schema.Struct({
    verdict: Schema.Literal("met", "not_met", "cannot_tell", "not_applicable"),
    reason: Schema.String,
    evidence: Schema.Array(ChangeReviewEvidence)
  })
})

const artifactOf = ({ id }: ReadBranch) => `answers_${id}`

/** Lets the operator's coding agent judge criteria that no built-in check decides. */
export class ChangeAgent extends Effect.Service<ChangeAgent>()("ChangeAgent", {
  effect: Effect.gen(function* () {
    const agents = yield* AgentRunner
    const host = yield* CodeHost
    const trees = yield* WorkTrees
    const scanning = yield* Scanning

    const linesOf = (gitDir: string, commit: string, answers: Iterable<AgentAnswer>) =>
      Effect.tryPromise(async () => {
        const paths = new Set([...answers].flatMap(({ evidence }) => evidence.map(({ file_path }) => file_path)))
        const lines = new Map<string, number>()
        await Sources.readTexts({ gitDir, commit }, paths, (path, text) => {
          if (typeof text === "string") lines.set(path, text.split("\n").length - (text.endsWith("\n") ? 1 : 0))
        })
        return lines
      }).pipe(Effect.catchAll(() => Effect.succeed(new Map<string, number>())))

    /** The file of answers after a run of the agent; what it costs counts however it ends. */
    const run = Effect.fnUntraced(function* (
      context: StageContext,
      branch: LegibleBranch,
      criteria: ReadonlyArray<CriterionRow>,
      gitDir: string
    ) {
      const { base_sha, head_sha } = branch
      const request = { gitDir, base: base_sha, head: head_sha, maxFiles: MAX_FILES }
      const { files } = yield* Effect.mapError(host.compare(request), hostFailed)
      const { texts } = yield* Effect.mapError(host.compareTexts({ gitDir, from: base_sha, to: head_sha }), hostFailed)
      const questions = criteria.map(({ text }, index) => ({ number: index + 1, text }))
      const brief = questionsBrief({ ...branch, head: head_sha, questions, files, texts })
      const tree = yield* Effect.mapError(trees.open(gitDir), hostFailed)
      const folder = yield* Effect.mapError(tree.checkout(head_sha), hostFailed)
      const outcome = yield* Effect.either(
        agents.run({ folder, brief, budgetUsd: Number.POSITIVE_INFINITY, timeout: "1 day" })
      )
      yield* context.recordCost(outcome._tag === "Left" ? outcome.left.cost_usd : outcome.right.cost_usd)
      if (outcome._tag === "Left") return { failure: `The agent failed: ${outcome.left.message}` }
      const changes = yield* Effect.mapError(tree.changesIn(folder, head_sha), hostFailed)
      const content = changes.find(({ path }) => path === answersFile)?.content ?? null
      const answers = content === null ? Option.none() : answersIn(content)
      return Option.isSome(answers)
        ? { answers: answers.value }
        : { failure: `The agent wrote no answers into ${answersFile}.` }
    }, Effect.scoped)

    const answered = Effect.fnUntraced(function* (
      context: StageContext,
      branch: LegibleBranch,
      criteria: ReadonlyArray<CriterionRow>
    ): Effect.fn.Return<Readonly<Record<string, BranchVerdict>>, StageFailed | StageStopped> {
      const job = { ...context.job, repository_id: branch.repository_id }
      const { gitDir } = yield* scanning.revisionOf(job, { kind: "commit", sha: branch.head_sha })
      const found = yield* run(context, branch, criteria, gitDir)
      if (found.answers === undefined) {
        const verdict: BranchVerdict = { verdict: "cannot_tell", reason: found.failure, evidence: [] }
        return Object.fromEntries(criteria.map(({ id }) => [id, verdict]))
      }
      const lines = yield* linesOf(gitDir, branch.head_sha, found.answers.values())
      const cited = { repository: branch.repository, commit: branch.head_sha, lines }
      return Object.fromEntries(
        criteria.map(({ id }, index) => [id, verdictOf(found.answers.get(index + 1), cited)] as const)
      )
    })

    /** Asks about each branch once, whatever becomes of the worker; about none where one of them could not be read. */
    const ask = Effect.fn("ChangeAgent.ask")(function* (
      context: StageContext,
      branches: ReadonlyArray<ReadBranch>,
      criteria: ReadonlyArray<CriterionRow>
    ) {
      const legible = branches.filter(isLegible)
      if (legible.length < branches.length) return { asked: 0 }
      for (const branch of legible) {
        if (Option.isSome(yield* context.artifact.read(artifactOf(branch)))) continue
        yield* context.artifact.write(artifactOf(branch), yield* answered(context, branch, criteria))
      }
      return { asked: legible.length }
    })

    /** What the agent answered of a criterion, branch by branch; empty where it was not asked. */
    const answersOf = Effect.fn("ChangeAgent.answersOf")(function* (
      context: StageContext,
      branches: ReadonlyArray<ReadBranch>
    ) {
      const found = yield* Effect.forEach(branches, (branch) =>
        Effect.flatMap(context.artifact.read(artifactOf(branch)), (written) =>
          Effect.orDie(Schema.decodeUnknown(Verdicts)(Option.getOrElse(written, () => ({}))))
        )
      )
      return (id: string): ReadonlyArray<BranchVerdict> =>
        found.flatMap((answers) => {
          const answer = answers[id]
          return answer === undefined ? [] : [answer]
        })
    })

    return { isConfigured: agents.configured, ask, answersOf }
  })
}) {}
