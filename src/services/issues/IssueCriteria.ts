import { Effect, Option } from "effect"
import { InvalidPayload } from "../../schema/Errors.ts"
import { IssueCriterionId } from "../../schema/Ids.ts"
import { CriterionNotFound, type IssueNumber, issueRefOf } from "../../schema/Issue.ts"
import { type AddCriterion, issueLimits, type SetCriterionMet } from "../../schema/IssueRequests.ts"
import { newId } from "../support/ids.ts"
import { IssueCriteriaRepo } from "./IssueCriteriaRepo.ts"
import type { NewIssueEvent } from "./IssueEvents.ts"
import type { By } from "./IssuesRepo.ts"
import { IssueWriter, type OpenedIssue } from "./IssueWriter.ts"

/** What must hold for an issue to be done. */
export class IssueCriteria extends Effect.Service<IssueCriteria>()("IssueCriteria", {
  effect: Effect.gen(function* () {
    const repo = yield* IssueCriteriaRepo
    const writer = yield* IssueWriter

    const add = Effect.fn("IssueCriteria.add")(function* (number: IssueNumber, { text }: AddCriterion) {
      const { issue } = yield* writer.change(number, {}, (issue) =>
        Effect.gen(function* () {
          const { count, next } = yield* repo.positions(issue)
          if (count >= issueLimits.criteria) {
            return yield* new InvalidPayload({
              message: `An issue has at most ${issueLimits.criteria} acceptance criteria.`,
              param: "text"
            })
          }
          const id = yield* newId(IssueCriterionId)
          yield* repo.insert(issue, { id, position: next, text })
          return [{ event: "criterion_added" as const, detail: { criterion_id: id, text } }]
        })
      )
      return issue
    })

    const marked = Effect.fnUntraced(function* (
      issue: OpenedIssue,
      by: By,
      { id, met, note }: { readonly id: IssueCriterionId; readonly met: boolean; readonly note: string | undefined }
    ) {
      const found = yield* repo.find(issue, id)
      if (Option.isNone(found)) return yield* noCriterion(issue.number, id)
      const { text, met: before } = found.value
      if (before === met) return []
      yield* repo.mark(issue, id, met ? by : null)
      const detail = { criterion_id: id, text, ...(note === undefined ? {} : { note }) }
      return [{ event: met ? "criterion_met" : "criterion_unmet", detail } satisfies NewIssueEvent]
    })

    /** A criterion that is as requested already is left as it is, and so is who met it. */
    const setMet = Effect.fn("IssueCriteria.setMet")(function* (
      number: IssueNumber,
      id: IssueCriterionId,
      { met, note, fence }: SetCriterionMet
    ) {
      const { issue } = yield* writer.change(number, { fence }, (issue, by) => marked(issue, by, { id, met, note }))
      return issue
    })

    return { add, setMet }
  })
}) {}

const noCriterion = (number: IssueNumber, id: IssueCriterionId) =>
  new CriterionNotFound({ message: `${issueRefOf(number)} has no acceptance criterion ${id}.` })
