import { Effect, Schema } from "effect"
import { IssueNumberFromRef } from "../../src/schema/Issue.ts"
import type { FileIssue } from "../../src/schema/IssueRequests.ts"
import { IssueFiling } from "../../src/services/issues/IssueFiling.ts"
import { IssueRelations } from "../../src/services/issues/IssueRelations.ts"
import { IssueStatuses } from "../../src/services/issues/IssueStatuses.ts"
import { as, type Person } from "./builders.ts"
import type { Sample } from "./Sample.ts"

/** Issues that calls name: one for each call whose outcome depends on others. */
export interface KnownIssues {
  readonly read: string
  readonly update: string
  /** Of the one to update. */
  readonly etag: string
  readonly status: string
  readonly close: string
  readonly reopen: string
  readonly claim: string
  /** Acceptance criterion of the one to claim. */
  readonly criterion: string
}

export const numberOf = Schema.decodeSync(IssueNumberFromRef)

/** An issue of a level, filed by a person. */
export const anIssue = (person: Pick<Person, "caller">, request: Pick<FileIssue, "project"> & Partial<FileIssue>) =>
  Effect.flatMap(IssueFiling, (filing) => filing.file({ title: "Sign the cookie", ...request })).pipe(
    as(person),
    Effect.orDie
  )

export const aSetOfIssues = (owner: Person, project: string) =>
  Effect.gen(function* () {
    const statuses = yield* IssueStatuses
    const made = () => anIssue(owner, { project })
    const [read, update, status, close, reopen] = [
      yield* made(),
      yield* made(),
      yield* made(),
      yield* made(),
      yield* made()
    ]
    const claim = yield* anIssue(owner, { project, acceptance_criteria: ["It works."] })
    const relations = yield* IssueRelations
    yield* relations
      .relate(numberOf(read.ref), { kind: "relates_to", other: numberOf(close.ref) })
      .pipe(as(owner), Effect.orDie)
    yield* statuses.close(numberOf(reopen.ref), { reason: "completed" }).pipe(as(owner), Effect.orDie)
    return {
      read: read.ref,
      update: update.ref,
      etag: update.etag,
      status: status.ref,
      close: close.ref,
      reopen: reopen.ref,
      claim: claim.ref,
      criterion: String(claim.acceptance_criteria[0]?.id)
    } satisfies KnownIssues
  })

const filed = { title: "Sign the session cookie", priority: "P1", labels: ["security"], assignee: "me" }

/** Calls of the routes, in an order in which all of them succeed. */
export const issueSamples = (
  project: string,
  known: KnownIssues,
  observation: string
): Readonly<Record<string, Sample>> => ({
  "issues.list": { call: { path: "/api/issues?status=open&assignee=none" }, status: 200 },
  "issues.file": {
    call: { path: "/api/issues", json: { project, ...filed } },
    status: 201,
    named: true,
    missing: "project_not_found"
  },
  "issues.read": { call: { path: `/api/issues/${known.read}` }, status: 200, named: true },
  "issues.events": { call: { path: `/api/issues/${known.read}/events` }, status: 200, named: true },
  "issues.update": {
    call: {
      method: "PATCH",
      path: `/api/issues/${known.update}`,
      headers: { "if-match": `"${known.etag}"` },
      json: { priority: "P0" }
    },
    status: 200,
    named: true
  },
  "issues.update_status": {
    call: { path: `/api/issues/${known.status}/status`, json: { status: "in_progress" } },
    status: 200,
    named: true
  },
  "issues.close": {
    call: { path: `/api/issues/${known.close}/close`, json: { reason: "completed", note: "Released." } },
    status: 200,
    named: true
  },
  "issues.reopen": {
    call: { path: `/api/issues/${known.reopen}/reopen`, json: { reason: "It is back." } },
    status: 200,
    named: true
  },
  "issues.note": {
    call: { path: `/api/issues/${known.read}/notes`, json: { body_md: "Half done." } },
    status: 201,
    named: true
  },
  "issues.relate": {
    call: { path: `/api/issues/${known.read}/relations`, json: { kind: "relates_to", other: known.status } },
    status: 200,
    named: true
  },
  "issues.unrelate": {
    call: { method: "DELETE", path: `/api/issues/${known.read}/relations/relates_to/${known.close}` },
    status: 200,
    named: true
  },
  "issues.file_from_findings": {
    call: { path: "/api/issues/from-findings", json: { project, refs: [observation], group_by: "rule" } },
    status: 200,
    named: true,
    missing: "project_not_found"
  },
  "issues.claim": {
    call: { path: `/api/issues/${known.claim}/claim`, json: { agent_label: "nightly-1" } },
    status: 200,
    named: true
  },
  "issues.renew_claim": {
    call: { path: `/api/issues/${known.claim}/claim/renewal`, json: { fence: 1, lease_minutes: 60 } },
    status: 200,
    named: true
  },
  "issues.release": {
    call: { method: "DELETE", path: `/api/issues/${known.claim}/claim`, json: { fence: 1 } },
    status: 200,
    named: true
  },
  "issues.add_criterion": {
    call: { path: `/api/issues/${known.claim}/criteria`, json: { text: "It is documented." } },
    status: 201,
    named: true
  },
  "issues.set_criterion_met": {
    call: { method: "PUT", path: `/api/issues/${known.claim}/criteria/${known.criterion}`, json: { met: true } },
    status: 200,
    named: true
  },
  "issues.attach_pr": {
    call: { path: `/api/issues/${known.claim}/pull-requests`, json: { url: "https://github.com/acme/api/pull/7" } },
    status: 200,
    named: true
  }
})

/** Arguments of the tools, to the same effect. */
export const issueToolSamples = (
  project: string,
  known: KnownIssues,
  observation: string
): Readonly<Record<string, Record<string, unknown>>> => ({
  list_issues: { status: "open", assignee: "none" },
  file_issue: { project, ...filed },
  get_issue: { ref: known.read },
  list_issue_events: { ref: known.read },
  update_issue_fields: { ref: known.update, expected_etag: known.etag, priority: "P0" },
  update_issue_status: { ref: known.status, status: "in_progress" },
  close_issue: { ref: known.close, reason: "completed", note: "Released." },
  reopen_issue: { ref: known.reopen, reason: "It is back." },
  note_issue: { ref: known.read, body_md: "Half done." },
  relate_issues: { ref: known.read, kind: "relates_to", other: known.status },
  unrelate_issues: { ref: known.read, kind: "relates_to", other: known.close },
  file_issues_from_findings: { project, refs: [observation], group_by: "rule" },
  claim_issue: { ref: known.claim, agent_label: "nightly-1" },
  renew_claim: { ref: known.claim, fence: 1, lease_minutes: 60 },
  release_issue: { ref: known.claim, fence: 1 },
  add_acceptance_criterion: { ref: known.claim, text: "It is documented." },
  set_acceptance_criterion_met: { ref: known.claim, criterion_id: known.criterion, met: true },
  attach_pr: { ref: known.claim, url: "https://github.com/acme/api/pull/7" }
})
