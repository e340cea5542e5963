import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { AuditActor } from "../../schema/AuditLog.ts"
import {
  AlreadyClaimed,
  type ClaimedIssue,
  ClaimLost,
  type Issue,
  IssueBlocked,
  IssueClosed,
  type IssueNumber,
  issueRefOf
} from "../../schema/Issue.ts"
import { type ClaimIssue, defaultLeaseMinutes, type ReleaseIssue, type RenewClaim } from "../../schema/IssueRequests.ts"
import { Caller, type CallerInfo } from "../access/Caller.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { Projects, requireRole } from "../projects/Projects.ts"
import { transactional } from "../support/transactional.ts"
import { type Attempted, IssueClaimsRepo } from "./IssueClaimsRepo.ts"
import { IssueEvents } from "./IssueEvents.ts"
import { IssuesRepo } from "./IssuesRepo.ts"
import { IssueWriter, noIssue } from "./IssueWriter.ts"

/**
 * Claims are leases with a fence: of those who want an issue one gets it, until the lease ends. Every new lease has a higher
 * fence than all before it, so that a holder who has lost the issue without noticing cannot write any more.
 */
export class IssueClaims extends Effect.Service<IssueClaims>()("IssueClaims", {
  effect: Effect.gen(function* () {
    const repo = yield* IssueClaimsRepo
    const issues = yield* IssuesRepo
    const writer = yield* IssueWriter
    const events = yield* IssueEvents
    const projects = yield* Projects
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** The events of a claim: the lease before it may have ended, which no one has noticed yet. */
    const recorded = Effect.fnUntraced(function* (
      issue: Parameters<typeof events.record>[0],
      before: Attempted,
      granted: NonNullable<Attempted["granted"]>,
      { actor, minutes, label }: { readonly actor: AuditActor; readonly minutes: number; readonly label?: string }
    ) {
      const { fence, lease_expires_at } = granted
      const lease = { lease_minutes: minutes, lease_expires_at, ...(label === undefined ? {} : { agent_label: label }) }
      if (before.is_claimed) {
        return yield* events.record(issue, actor, { event: "claim_renewed", detail: lease, fence })
      }
      const from = before.moved_by_claim ? "open" : before.status
      if (before.claim_holder !== null) {
        const ended = { holder: before.claim_holder, fence: before.fence, from: before.status, to: from }
        yield* events.leaseEnded(issue, ended)
      }
      const moved = from === granted.status ? {} : { from, to: granted.status }
      return yield* events.record(issue, actor, { event: "claimed", detail: { ...lease, ...moved }, fence })
    })

    const claim = Effect.fn("IssueClaims.claim")(function* (number: IssueNumber, request: ClaimIssue) {
      const caller = yield* Caller
      const sight = yield* writer.sight
      const found = yield* repo.levelOf(sight, number)
      if (Option.isNone(found)) return yield* noIssue(number)
      // The level of an issue that is seen is seen, too.
      const level = yield* Effect.catchTag(projects.level(found.value.project), "ProjectNotFound", Effect.die)
      yield* requireRole(level, "editor")

      const by = yield* writer.by
      const minutes = request.lease_minutes ?? defaultLeaseMinutes
      const holder = { ...by.actor, label: request.agent_label ?? by.actor.label }
      const attempted = yield* repo.claim(sight, {
        ...by,
        ...ownerOf(caller),
        number,
        holder,
        lease_minutes: minutes
      })
      if (Option.isNone(attempted)) return yield* noIssue(number)
      const before = attempted.value
      const { granted } = before
      if (granted === null) return yield* rejectionOf(number, before)
      const issue = { workspace_id: caller.workspace_id, id: before.id }
      yield* recorded(issue, before, granted, {
        actor: by.actor,
        minutes,
        ...(request.agent_label === undefined ? {} : { label: request.agent_label })
      })
      yield* auditLog.record({
        object: { kind: "issue", ref: issueRefOf(number) },
        before: {
          status: before.moved_by_claim && !before.is_claimed ? "open" : before.status,
          claim: leaseOf(before)
        },
        after: { status: granted.status, claim: { holder, ...leaseTerms(granted) } }
      })
      return { issue: yield* writer.read(number), ...leaseTerms(granted) } satisfies ClaimedIssue
    }, inTransaction)

    const renew = Effect.fn("IssueClaims.renew")(function* (number: IssueNumber, request: RenewClaim) {
      const minutes = request.lease_minutes ?? defaultLeaseMinutes
      const { issue } = yield* writer.change(number, { fence: request.fence }, (issue) =>
        Effect.map(repo.renew(issue, minutes), ({ lease_expires_at }) => [
          { event: "claim_renewed" as const, detail: { lease_minutes: minutes, lease_expires_at } }
        ])
      )
      return yield* held(issue, request.fence)
    })

    /** The lease as a renewal returns it. */
    const held = (issue: Issue, fence: number) =>
      issue.claim === null
        ? Effect.dieMessage("a renewed claim is in force")
        : Effect.succeed({ issue, fence, lease_expires_at: issue.claim.lease_expires_at } satisfies ClaimedIssue)

    /** By the holder, with the fence; without one by a manager, whose claim ever it is. */
    const release = Effect.fn("IssueClaims.release")(function* (number: IssueNumber, { fence }: ReleaseIssue) {
      const guarded = fence === undefined ? ({ role: "manager" } as const) : { fence }
      const { issue } = yield* writer.change(number, guarded, (issue) =>
        Effect.gen(function* () {
          if (!(yield* issues.endClaim(issue))) {
            return yield* new ClaimLost({ message: `No one holds ${issueRefOf(number)}.` })
          }
          const moved = issue.moved_by_claim ? { from: issue.status, to: "open" } : {}
          return [{ event: "released" as const, detail: { holder: issue.claim_holder, ...moved } }]
        })
      )
      return issue
    })

    return { claim, renew, release }
  })
}) {}

/** Who holds a claim: a key holds its own claims, and a person theirs in every session. */
const ownerOf = ({ credential }: CallerInfo) =>
  credential.kind === "api_key"
    ? { key_id: credential.id, user_id: null }
    : { key_id: null, user_id: credential.user_id }

const leaseTerms = ({ fence, lease_expires_at }: NonNullable<Attempted["granted"]>) => ({ fence, lease_expires_at })

const leaseOf = ({ is_claimed, claim_holder, fence, lease_expires_at }: Attempted) =>
  is_claimed ? { holder: claim_holder, fence, lease_expires_at } : null

const rejectionOf = (
  number: IssueNumber,
  { closed, is_claimed, claim_holder, lease_expires_at, blocked_by }: Attempted
) => {
  const ref = issueRefOf(number)
  if (closed) return new IssueClosed({ message: `${ref} is closed; reopen it to work on it.` })
  if (is_claimed) {
    return new AlreadyClaimed({
      message: `${claim_holder?.label} holds ${ref} until ${lease_expires_at}; claim another, such as the first of \`ready\`.`,
      details: { holder: claim_holder, lease_expires_at }
    })
  }
  return new IssueBlocked({
    message:
      blocked_by.length === 0
        ? `${ref} has the status blocked.`
        : `${blocked_by.slice(0, 5).join(", ")}${blocked_by.length > 5 ? " and others" : ""} block ${ref}.`,
    details: { blocked_by }
  })
}
