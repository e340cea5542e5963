import { Effect } from "effect"
import {
  type ChangeCheck,
  ChangeReviewInvalid,
  maxCriteria,
  type NewCriterion,
  type StartChangeReview,
  usualCriteria
} from "../../schema/ChangeReview.ts"
import { CriterionId } from "../../schema/Ids.ts"
import { issueRefOf } from "../../schema/Issue.ts"
import { requireScope } from "../access/Caller.ts"
import { Issues } from "../issues/Issues.ts"
import { canonicalJson, newId } from "../support/ids.ts"
import type { CriterionRow } from "./ChangeReviewsRepo.ts"
import { checkOf } from "./checks/checkOf.ts"
import { patternProblem } from "./checks/patternProblem.ts"
import { domainCheck } from "./domainCheck.ts"

/** A criterion with the built-in check that decides it; null for free text. */
export interface CheckedCriterion {
  readonly text: string
  readonly check: ChangeCheck | null
}

/** What a request says of the criteria; without any, null. */
export interface CriteriaOf {
  readonly criteria: ReadonlyArray<CheckedCriterion> | null
  /** Ref and title of the issue that it names. */
  readonly issue: string | null
  readonly title: string | null
}

/** What a change is asked to do or be. */
export class ChangeCriteria extends Effect.Service<ChangeCriteria>()("ChangeCriteria", {
  effect: Effect.gen(function* () {
    const issues = yield* Issues

    /** Each with its check: the one that is sent, else the one that its words name. */
    const checked = Effect.fn("ChangeCriteria.checked")(function* (asked: ReadonlyArray<NewCriterion>) {
      const found: Array<CheckedCriterion> = []
      for (const [index, { text, check }] of asked.entries()) {
        if (check === undefined) {
          found.push({ text, check: checkOf(text) })
          continue
        }
        const known = domainCheck(check)
        const problem = patternProblem(known)
        if (problem !== null) {
          const message = `The check of the criterion ${problem}.`
          return yield* new ChangeReviewInvalid({ message, param: `criteria.${index}.check` })
        }
        found.push({ text, check: known })
      }
      return found
    })

    const ofIssue = Effect.fnUntraced(function* (number: NonNullable<StartChangeReview["issue"]>) {
      yield* requireScope("view_issues")
      const issue = yield* issues.get(number)
      const texts = issue.acceptance_criteria.slice(0, maxCriteria).map(({ text }) => ({ text }))
      return { texts, title: issue.title }
    })

    const of = Effect.fn("ChangeCriteria.of")(function* (request: StartChangeReview) {
      const sent = request.criteria === undefined ? null : yield* checked(request.criteria)
      if (request.issue === undefined) return { criteria: sent, issue: null, title: null } satisfies CriteriaOf
      const { texts, title } = yield* ofIssue(request.issue)
      const criteria = sent ?? (texts.length === 0 ? null : yield* checked(texts))
      return { criteria, issue: issueRefOf(request.issue), title } satisfies CriteriaOf
    })

    /** Rows of the criteria. One that was there already keeps its ID and its verdict. */
    const replacing = Effect.fn("ChangeCriteria.replacing")(function* (
      before: ReadonlyArray<CriterionRow>,
      asked: ReadonlyArray<CheckedCriterion>
    ) {
      const left = [...before]
      return yield* Effect.forEach(asked, (one) => {
        const at = left.findIndex((known) => keyOf(known) === keyOf(one))
        const [kept] = at === -1 ? [] : left.splice(at, 1)
        return kept === undefined ? fresh(one) : Effect.succeed(kept)
      })
    })

    return { checked, of, replacing, usual }
  })
}) {}

const usual: ReadonlyArray<CheckedCriterion> = usualCriteria.map(({ text, check }) => ({
  text,
  check: check === undefined ? null : domainCheck(check)
}))

const keyOf = ({ text, check }: Pick<CriterionRow, "text" | "check">): string => canonicalJson([text, check])

const fresh = ({ text, check }: CheckedCriterion) =>
  Effect.map(
    newId(CriterionId),
    (id): CriterionRow => ({ id, text, check, verdict: "pending", reason: "", evidence: [], decided_for: null })
  )
