import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { InvalidPayload } from "../../schema/Errors.ts"
import {
  type ClosedIssue,
  IllegalTransition,
  type IssueCloseReason,
  type IssueEvent,
  type IssueNumber,
  type IssueStatus,
  issueRefOf
} from "../../schema/Issue.ts"
import type { CloseIssue, NoteIssue, ReopenIssue, UpdateIssueStatus } from "../../schema/IssueRequests.ts"
import { AuditLog, partOfChange } from "../audit_log/AuditLog.ts"
import { transactional } from "../support/transactional.ts"
import { IssueRelations } from "./IssueRelations.ts"
import { IssueStatusRepo } from "./IssueStatusRepo.ts"
import { IssuesRepo } from "./IssuesRepo.ts"
import { IssueWriter, type OpenedIssue } from "./IssueWriter.ts"
import { closedAs, isClosed, mayMove, nextStatuses } from "./transitions.ts"

/** Moves issues from status to status, and takes notes on the way. */
export class IssueStatuses extends Effect.Service<IssueStatuses>()("IssueStatuses", {
  effect: Effect.gen(function* () {
    const repo = yield* IssuesRepo
    const statusRepo = yield* IssueStatusRepo
    const relations = yield* IssueRelations
    const writer = yield* IssueWriter
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const update = Effect.fn("IssueStatuses.update")(function* (
      number: IssueNumber,
      { status, fence }: UpdateIssueStatus
    ) {
      const { issue } = yield* writer.change(number, { fence }, (issue, { at }) =>
        Effect.gen(function* () {
          if (status === issue.status) return []
          if (!mayMove(issue.status, status)) return yield* illegal(issue, status)
          if (isClosed(status)) return yield* closing(issue, reasonOf[status], at)
          yield* repo.move(issue, status)
          return [{ event: "status_changed" as const, detail: { from: issue.status, to: status } }]
        })
      )
      return issue
    })

    /** The issue's claim ends with it. */
    const closing = Effect.fnUntraced(function* (
      issue: OpenedIssue,
      reason: IssueCloseReason,
      at: string,
      note?: string
    ) {
      const status = closedAs[reason]
      yield* statusRepo.holdBlocked(issue)
      yield* repo.close(issue, { status, reason, at })
      const detail = { from: issue.status, to: status, reason, ...(note === undefined ? {} : { note }) }
      return [{ event: "closed" as const, detail }]
    })

    /** The relation belongs to the closing; of an issue that is closed already it is a change of its own. */
    const related = Effect.fnUntraced(function* (number: IssueNumber, other: IssueNumber) {
      const { status } = yield* writer.read(number)
      // Duplicates of each other are no cycle of work.
      const relating = Effect.catchTag(
        relations.relate(number, { kind: "duplicates", other }),
        "RelationCycle",
        Effect.die
      )
      yield* isClosed(status) ? relating : partOfChange(relating)
    })

    const close = Effect.fn("IssueStatuses.close")(function* (
      number: IssueNumber,
      { reason, duplicate_of, note, fence }: CloseIssue
    ) {
      if ((reason === "duplicate") !== (duplicate_of !== undefined)) {
        return yield* new InvalidPayload({
          message: "Send duplicate_of with the reason duplicate, and only then.",
          param: "duplicate_of"
        })
      }
      // Both issues of a relation are locked in one order: before the rest.
      if (duplicate_of !== undefined) yield* related(number, duplicate_of)
      const { issue, events } = yield* writer.change(number, { fence }, (issue, { at }) =>
        Effect.gen(function* () {
          if (issue.close_reason === reason) return []
          const status = closedAs[reason]
          if (!mayMove(issue.status, status)) return yield* illegal(issue, status)
          return yield* closing(issue, reason, at, note)
        })
      )
      const unblocked = events.length === 0 ? [] : yield* statusRepo.unblockedBy(yield* writer.sight, number)
      return { ...issue, unblocked } satisfies ClosedIssue
    }, inTransaction)

    const reopen = Effect.fn("IssueStatuses.reopen")(function* (number: IssueNumber, { reason }: ReopenIssue) {
      const { issue } = yield* writer.change(number, {}, (issue) =>
        Effect.gen(function* () {
          if (issue.status === "open") return []
          if (!isClosed(issue.status)) return yield* illegal(issue, "open")
          yield* repo.move(issue, "open")
          return [{ event: "reopened" as const, detail: { from: issue.status, to: "open", note: reason } }]
        })
      )
      return issue
    })

    /** Changes nothing of the issue but its history. */
    const note = Effect.fn("IssueStatuses.note")(function* (number: IssueNumber, { body_md, fence }: NoteIssue) {
      const { issue, events } = yield* writer.change(number, { fence }, () =>
        Effect.succeed([{ event: "noted" as const, detail: { note: body_md } }])
      )
      yield* auditLog.record({ object: { kind: "issue", ref: issue.ref }, before: null, after: { note: body_md } })
      return yield* recordedEvent(events)
    }, inTransaction)

    return { update, close, reopen, note }
  })
}) {}

const reasonOf = { done: "completed", cancelled: "cancelled" } as const satisfies Record<string, IssueCloseReason>

const recordedEvent = ([event]: ReadonlyArray<IssueEvent>) =>
  event === undefined ? Effect.dieMessage("a note is an event") : Effect.succeed(event)

const illegal = ({ number, status }: OpenedIssue, to: IssueStatus) => {
  const allowed = nextStatuses(status)
  const closed = isClosed(status)
  return new IllegalTransition({
    message: closed
      ? `${issueRefOf(number)} is ${status}; reopen it first.`
      : `${issueRefOf(number)} is ${status} and cannot become ${to}; it can become ${allowed.join(", ")}.`,
    param: "status",
    details: { from: status, to, allowed }
  })
}
