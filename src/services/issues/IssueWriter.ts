import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { WorkspaceId } from "../../schema/Ids.ts"
import {
  type ClaimLost,
  type Issue,
  type IssueEvent,
  IssueNotFound,
  type IssueNumber,
  issueRefOf
} from "../../schema/Issue.ts"
import type { ProjectAccessRequired, ProjectRole } from "../../schema/Project.ts"
import { Caller } from "../access/Caller.ts"
import { AuditLog, actorOf } from "../audit_log/AuditLog.ts"
import { Projects, requireRole } from "../projects/Projects.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { checkFence } from "./fence.ts"
import type { Sight } from "./IssueColumnsRepo.ts"
import { IssueEvents, type NewIssueEvent } from "./IssueEvents.ts"
import { type By, IssuesRepo, type LockedIssue } from "./IssuesRepo.ts"

/** An issue that is about to change, as it is now: a claim whose lease has ended is no claim. */
export interface OpenedIssue extends LockedIssue {
  readonly workspace_id: WorkspaceId
}

export interface Guarded {
  /** Fence that the write carries. */
  readonly fence?: number | undefined
  /** Role that the write needs on the issue's project, `editor` where nothing is said. */
  readonly role?: ProjectRole
}

/** What every change of an issue has in common: finding and locking it, the role, the fence, its events, and the response. */
export class IssueWriter extends Effect.Service<IssueWriter>()("IssueWriter", {
  effect: Effect.gen(function* () {
    const repo = yield* IssuesRepo
    const events = yield* IssueEvents
    const projects = yield* Projects
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** What the caller sees now. */
    const sight = Effect.gen(function* () {
      const { workspace_id } = yield* Caller
      return { workspace_id, hidden_levels: yield* projects.hiddenLevels() } satisfies Sight
    })

    /** The record; an issue that the caller may not see is not found. */
    const read = Effect.fn("IssueWriter.read")(function* (number: IssueNumber) {
      const found = yield* repo.find(yield* sight, number)
      if (Option.isNone(found)) return yield* noIssue(number)
      return found.value
    })

    /** A claim whose lease has ended is ended by the next write, which has an event of its own for that. */
    const settled = Effect.fnUntraced(function* (issue: OpenedIssue) {
      if (issue.claim_holder === null || issue.is_claimed) return issue
      yield* repo.endClaim(issue)
      const { claim_holder: holder, fence, status: from } = issue
      const status = issue.moved_by_claim ? ("open" as const) : from
      yield* events.leaseEnded(issue, { holder, fence, from, to: status })
      return { ...issue, ...noClaim, status } satisfies OpenedIssue
    })

    /** The issue, locked, once it is known that the caller may change it. To be called in a transaction. */
    const opened = Effect.fn("IssueWriter.opened")(function* (
      number: IssueNumber,
      { fence, role = "editor" }: Guarded
    ) {
      const caller = yield* Caller
      const seen = yield* sight
      const found = yield* repo.lock(seen, number)
      if (Option.isNone(found)) return yield* noIssue(number)
      // A level that hides is hidden with its issues: this one is seen.
      const level = yield* Effect.catchTag(projects.level(found.value.project), "ProjectNotFound", Effect.die)
      yield* requireRole(level, role)
      const issue = yield* settled({ ...found.value, workspace_id: caller.workspace_id })
      yield* checkFence(issue, { fence, caller })
      return issue
    })

    const by = Effect.gen(function* () {
      return { actor: actorOf(yield* Caller), at: yield* now } satisfies By
    })

    /**
     * A change of an issue by a caller, in one transaction: `body` writes and returns what happened; nothing, where the issue
     * is as requested already.
     */
    const change = <E, R>(
      number: IssueNumber,
      guarded: Guarded,
      body: (issue: OpenedIssue, by: By, before: Issue) => Effect.Effect<ReadonlyArray<NewIssueEvent>, E, R>
    ): Effect.Effect<
      { readonly issue: Issue; readonly events: ReadonlyArray<IssueEvent> },
      E | IssueNotFound | ClaimLost | ProjectAccessRequired,
      R | Caller
    > =>
      Effect.gen(function* () {
        const issue = yield* opened(number, guarded)
        const before = yield* read(number)
        const author = yield* by
        const happened = yield* body(issue, author, before)
        if (happened.length === 0) return { issue: before, events: [] }
        const recorded = yield* Effect.forEach(happened, (event) =>
          events.record(issue, author.actor, { fence: guarded.fence, ...event })
        )
        if (happened.some(({ event }) => !leavesVersion.has(event))) yield* repo.touch(issue, author)
        const after = yield* read(number)
        yield* auditLog.record({
          object: { kind: "issue", ref: before.ref },
          before: loggedOf(before),
          after: loggedOf(after)
        })
        return { issue: after, events: recorded }
      }).pipe(inTransaction, Effect.withSpan("IssueWriter.change"))

    return { sight, read, opened, by, change }
  })
}) {}

/** What changes nothing that an editor of the issue has seen. */
const leavesVersion: ReadonlySet<NewIssueEvent["event"]> = new Set(["noted", "claim_renewed"])

const noClaim = {
  claim_holder: null,
  claim_key_id: null,
  claim_user_id: null,
  claimed_at: null,
  lease_expires_at: null,
  is_claimed: false,
  moved_by_claim: false
} as const

export const noIssue = (number: IssueNumber) => new IssueNotFound({ message: `No issue ${issueRefOf(number)}.` })

/** What people and agents decide of an issue; the rest follows from it. */
export const loggedOf = ({
  ref: _,
  version: __,
  etag: ___,
  created_at: ____,
  updated_at: _____,
  created_by: ______,
  updated_by: _______,
  ...rest
}: Issue) => rest
