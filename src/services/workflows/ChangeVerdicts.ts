import { Effect, Schema } from "effect"
import { joinedAnswers } from "../change_reviews/agentQuestions.ts"
import type { BranchVerdict, ChangeFacts, ChangeVerdict } from "../change_reviews/ChangeFacts.ts"
import type { CriterionRow } from "../change_reviews/ChangeReviewsRepo.ts"
import { evaluate } from "../change_reviews/checks/evaluate.ts"
import { domainCheck } from "../change_reviews/domainCheck.ts"
import type { StageContext } from "../ports/Workflow.ts"
import { ChangeAgent } from "./ChangeAgent.ts"
import { ChangeReading, isLegible, type ReadBranch } from "./ChangeReading.ts"

const Inspected = Schema.Struct({
  problems: Schema.Array(Schema.Struct({ id: Schema.String, message: Schema.String }))
})

/** A criterion with its verdict on the whole change. */
export type DecidedCriterion = Pick<CriterionRow, "id"> & ChangeVerdict

const MAX_EVIDENCE = 20
const MAX_REASON = 2_000

const nameOf = ({ repository, branch }: ReadBranch) => `${repository} ${branch}`

/** Decides criteria by facts, and those in free text by what an agent answered. */
export class ChangeVerdicts extends Effect.Service<ChangeVerdicts>()("ChangeVerdicts", {
  effect: Effect.gen(function* () {
    const reading = yield* ChangeReading
    const agent = yield* ChangeAgent

    /** The facts of what can be read, and why the rest cannot. */
    const factsOf = Effect.fnUntraced(function* (
      context: StageContext,
      branches: ReadonlyArray<ReadBranch>,
      refs: ReadonlyArray<string>
    ) {
      const { problems } = yield* Effect.flatMap(context.outputOf("inspect"), (output) =>
        Effect.orDie(Schema.decodeUnknown(Inspected)(output))
      )
      const scanProblems = new Map(problems.map(({ id, message }) => [id, message]))
      const facts: Array<ChangeFacts> = []
      const unread: Array<string> = []
      for (const branch of branches) {
        if (!isLegible(branch)) {
          unread.push(`${nameOf(branch)} could not be read: ${branch.problem ?? "its commits are not known."}`)
          continue
        }
        const problem =
          scanProblems.get(branch.id) ?? "The findings of these commits are not known; refresh the review."
        yield* reading.facts(context, branch, refs, problem).pipe(
          Effect.match({
            onSuccess: (found) => void facts.push(found),
            onFailure: (failure) => failure
          }),
          Effect.flatMap((failure) => {
            if (failure === undefined) return Effect.void
            if (failure._tag !== "StageFailed") return Effect.fail(failure)
            unread.push(`${nameOf(branch)} could not be read: ${failure.message}`)
            return Effect.void
          })
        )
      }
      return { facts, unread }
    })

    const byCheck = Effect.fnUntraced(function* (
      check: NonNullable<CriterionRow["check"]>,
      facts: ReadonlyArray<ChangeFacts>,
      unread: ReadonlyArray<string>
    ) {
      // Of a change that is not seen as a whole nothing is said, whatever the rest of it shows.
      if (unread.length > 0) return undecided(unread.join(" "))
      return yield* evaluate(domainCheck(check), facts)
    })

    const freely = (answers: ReadonlyArray<BranchVerdict>, unread: ReadonlyArray<string>): ChangeVerdict => {
      if (unread.length > 0) return undecided(unread.join(" "))
      if (answers.length === 0) {
        return undecided(
          "No built-in check decides this, and no agent is configured that could (ASSAY_AGENT_COMMAND); a person must."
        )
      }
      const { verdict, ...joined } = joinedAnswers(answers)
      return { ...joined, verdict: verdict === "not_applicable" ? "cannot_tell" : verdict }
    }

    const of = Effect.fn("ChangeVerdicts.of")(function* (
      context: StageContext,
      branches: ReadonlyArray<ReadBranch>,
      criteria: ReadonlyArray<CriterionRow>
    ) {
      const refs = criteria.flatMap(({ check }) => (check?.kind === "observation_gone" ? (check.ref ?? []) : []))
      const isRead = criteria.some(({ check }) => check !== null)
      const { facts, unread } = isRead
        ? yield* factsOf(context, branches, [...new Set(refs)])
        : { facts: [], unread: branches.filter((one) => !isLegible(one)).map(nameOf) }
      const answersOf = yield* agent.answersOf(context, branches)
      const decided: Array<DecidedCriterion> = []
      for (const { id, check } of criteria) {
        const { verdict, reason, evidence } =
          check === null ? freely(answersOf(id), unread) : yield* byCheck(check, facts, unread)
        decided.push({ id, verdict, reason: reason.slice(0, MAX_REASON), evidence: evidence.slice(0, MAX_EVIDENCE) })
        yield* context.progress(decided.length, criteria.length)
      }
      return decided
    })

    return { of }
  })
}) {}

const undecided = (reason: string): ChangeVerdict => ({ verdict: "cannot_tell", reason, evidence: [] })
