import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { findRule } from "../../engine/index.ts"
import { TooManyObservations } from "../../schema/BulkTriage.ts"
import type { ObservationId } from "../../schema/Ids.ts"
import { type FiledIssues, issueRefOf, previewTitles } from "../../schema/Issue.ts"
import { type FileIssuesFromFindings, issueLimits } from "../../schema/IssueRequests.ts"
import { type ObservationNumber, refOf } from "../../schema/Observation.ts"
import { Caller } from "../access/Caller.ts"
import { AuditLog, partOfChange } from "../audit_log/AuditLog.ts"
import { BulkTriageRepo } from "../observations/BulkTriageRepo.ts"
import { targetProblem } from "../observations/bulkRequest.ts"
import { ObservationListRepo } from "../observations/ObservationListRepo.ts"
import { ObservationQueries } from "../observations/ObservationQueries.ts"
import type { Level } from "../projects/Projects.ts"
import { rulesCatalogue } from "../support/rulesCatalogue.ts"
import { transactional } from "../support/transactional.ts"
import { IssueFiling } from "./IssueFiling.ts"
import { IssuesFromFindingsRepo } from "./IssuesFromFindingsRepo.ts"
import { IssueWriter } from "./IssueWriter.ts"
import { type IssueDraft, issueDrafts } from "./issueDrafts.ts"

/** Files issues from what audits found. */
export class IssuesFromFindings extends Effect.Service<IssuesFromFindings>()("IssuesFromFindings", {
  effect: Effect.gen(function* () {
    const writer = yield* IssueWriter
    const repo = yield* IssuesFromFindingsRepo
    const filing = yield* IssueFiling
    const observations = yield* BulkTriageRepo
    const lists = yield* ObservationListRepo
    const queries = yield* ObservationQueries
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** The numbers that a request is about, each once: those that it names, or the open ones that match, newest first. */
    const numbersOf = Effect.fnUntraced(function* ({ refs = [], filter }: FileIssuesFromFindings) {
      if (filter === undefined) return [...new Set(refs)]
      const narrowed = yield* queries.narrowed({ status: "new", ...filter })
      const numbers = yield* lists.numbers({ ...narrowed, limit: issueLimits.findings + 1 })
      if (numbers.length <= issueLimits.findings) return numbers
      const count = yield* lists.count(narrowed)
      return yield* new TooManyObservations({
        message: `${count} observations match, and one call files at most ${issueLimits.findings}: narrow the filter.`,
        details: { count, limit: issueLimits.findings }
      })
    })

    /** The call has one record in the audit log, for all of its issues. */
    const fileOne = (level: Level, { criteria, ...draft }: IssueDraft) =>
      partOfChange(
        filing.insert({
          ...draft,
          level,
          labels: [],
          assignee_user_id: null,
          assignee_key_id: null,
          criteria: criteria.map(({ text, observation_id: id, repository_id }) => ({
            text,
            observation: { id, repository_id }
          })),
          observations: []
        })
      )

    /** What is to be filed. Rows are locked: of two calls at the same time the second finds the issues of the first. */
    const planned = Effect.fnUntraced(function* ({ numbers, group, titleOf }: Plan) {
      const { workspace_id } = yield* Caller
      const locked = new Map((yield* observations.lock({ workspace_id, numbers })).map((row) => [row.number, row]))
      const sight = yield* writer.sight
      const ids = [...locked.values()].map(({ id }) => id)
      const filed = new Map(
        (yield* repo.openIssues(sight, ids)).map(({ observation_id, number }) => [observation_id, number])
      )
      const found = numbers.map((number) => sortOf(number, locked.get(number), filed))
      const fresh = found.flatMap((one) => (one.sort === "fresh" ? [one.id] : []))
      return {
        drafts: issueDrafts(yield* repo.sources({ workspace_id, ids: fresh }), group, titleOf),
        existing: found.flatMap((one) => (one.sort === "existing" ? [{ ref: one.ref, issue: one.issue }] : [])),
        skipped: found.flatMap((one) => (one.sort === "skipped" ? [{ ref: one.ref, reason: one.reason }] : []))
      }
    })

    /** Files those that have no open issue. */
    const file = Effect.fnUntraced(function* (level: Level, plan: Plan) {
      const { drafts, ...rest } = yield* planned(plan)
      const created = yield* Effect.forEach(drafts, (draft) => fileOne(level, draft))
      if (created.length > 0) {
        const refs = created.map(({ ref }) => ref)
        const after = { filed_issues: refs, count: refs.length }
        yield* auditLog.record({ object: { kind: "project", ref: level.slug }, before: null, after })
      }
      return { created, ...rest } satisfies FiledIssues
    }, inTransaction)

    /** What `file` would file. */
    const outlined = Effect.fnUntraced(function* (plan: Plan) {
      const { drafts, ...rest } = yield* planned(plan)
      const titles = drafts.slice(0, previewTitles).map(({ title }) => title)
      return { created: [], ...rest, preview: { count: drafts.length, titles } } satisfies FiledIssues
    }, inTransaction)

    /** Where and what a request is about, once it is known that the caller may file issues there. */
    const opened = Effect.fnUntraced(function* (request: FileIssuesFromFindings) {
      const problem = targetProblem(request)
      if (problem !== null) return yield* problem
      const level = yield* filing.levelFor(request.project)
      // Before the transaction: the first to ask for the catalogue loads most of the engine's code.
      const catalogue = yield* rulesCatalogue
      const titleOf = (rule_id: string) => findRule(catalogue, rule_id)?.title ?? null
      const numbers = yield* numbersOf(request)
      return { level, plan: { numbers, group: request.group_by ?? "none", titleOf } satisfies Plan }
    })

    const run = Effect.fn("IssuesFromFindings.run")(function* (request: FileIssuesFromFindings) {
      const { level, plan } = yield* opened(request)
      const filed: FiledIssues = yield* request.preview === true ? outlined(plan) : file(level, plan)
      return filed
    })

    return { run }
  })
}) {}

interface Plan {
  readonly numbers: ReadonlyArray<ObservationNumber>
  readonly group: NonNullable<FileIssuesFromFindings["group_by"]>
  readonly titleOf: (rule_id: string) => string | null
}

type Sorted = { readonly ref: string } & (
  | { readonly sort: "fresh"; readonly id: ObservationId }
  | { readonly sort: "existing"; readonly issue: string }
  | { readonly sort: "skipped"; readonly reason: "not_found" | "closed" }
)

const sortOf = (
  number: ObservationNumber,
  row: { readonly id: ObservationId; readonly status: "new" | "closed" } | undefined,
  filed: ReadonlyMap<ObservationId, Parameters<typeof issueRefOf>[0]>
): Sorted => {
  const ref = refOf(number)
  if (row === undefined) return { ref, sort: "skipped", reason: "not_found" }
  const issue = filed.get(row.id)
  if (issue !== undefined) return { ref, sort: "existing", issue: issueRefOf(issue) }
  return row.status === "closed" ? { ref, sort: "skipped", reason: "closed" } : { ref, sort: "fresh", id: row.id }
}
