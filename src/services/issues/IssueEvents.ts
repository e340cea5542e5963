import { Effect } from "effect"
import type { AuditActor } from "../../schema/AuditLog.ts"
import type { IssueId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import type { IssueEventName, IssueStatus } from "../../schema/Issue.ts"
import { Uuid } from "../../schema/Text.ts"
import { service } from "../audit_log/AuditLog.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { IssueEventsRepo } from "./IssueEventsRepo.ts"

/** What happened to an issue. */
export interface NewIssueEvent {
  readonly event: IssueEventName
  readonly detail?: Readonly<Record<string, unknown>> | null
  /** Fence that the change carried. */
  readonly fence?: number | undefined
  /** Repository that the detail names: those who may not see it, do not see the event. */
  readonly repository_id?: RepositoryId | null
  /** Other issue that the detail names: likewise. */
  readonly other_id?: IssueId
}

/** The only writer of the events of issues. */
export class IssueEvents extends Effect.Service<IssueEvents>()("IssueEvents", {
  effect: Effect.gen(function* () {
    const repo = yield* IssueEventsRepo

    /** To be called in the transaction of the change. */
    const record = Effect.fn("IssueEvents.record")(function* (
      issue: { readonly workspace_id: WorkspaceId; readonly id: IssueId },
      actor: AuditActor,
      { event, detail = null, fence, repository_id = null, other_id }: NewIssueEvent
    ) {
      return yield* repo.insert({
        id: yield* newId(Uuid),
        workspace_id: issue.workspace_id,
        issue_id: issue.id,
        event,
        actor,
        at: yield* now,
        detail,
        fence: fence ?? null,
        repository_id,
        other_id: other_id ?? null
      })
    })

    /** The end of a lease that ran out, and the status that it left behind. */
    const leaseEnded = (
      issue: { readonly workspace_id: WorkspaceId; readonly id: IssueId },
      lease: {
        readonly holder: AuditActor
        readonly fence: number
        readonly from: IssueStatus
        readonly to: IssueStatus
      }
    ) => {
      const { holder, fence, from, to } = lease
      const detail = { holder, ...(from === to ? {} : { from, to }) }
      return record(issue, service, { event: "lease_ended", detail, fence })
    }

    return { record, leaseEnded }
  })
}) {}
