import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { IssueCriterionId, IssueId, type ObservationId, type RepositoryId } from "../../schema/Ids.ts"
import { IssueNumber } from "../../schema/Issue.ts"
import type { FileIssue } from "../../schema/IssueRequests.ts"
import { ObservationNotFound, type ObservationNumber, type Priority, refOf } from "../../schema/Observation.ts"
import { Caller } from "../access/Caller.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { type Level, Projects, requireRole } from "../projects/Projects.ts"
import { newId } from "../support/ids.ts"
import { transactional } from "../support/transactional.ts"
import { IssueEvents } from "./IssueEvents.ts"
import { IssueFilingRepo } from "./IssueFilingRepo.ts"
import { type Assignee, IssueNames, inOrder } from "./IssueNames.ts"
import { IssuesRepo } from "./IssuesRepo.ts"
import { IssueWriter, loggedOf } from "./IssueWriter.ts"

interface AboutObservation {
  readonly id: ObservationId
  readonly repository_id: RepositoryId
}

export interface DraftCriterion {
  readonly text: string
  /** The observation that the criterion is about, where it is about one. */
  readonly observation: AboutObservation | null
}

/** An issue to file, with everything it names resolved. */
export interface IssueDraft extends Assignee {
  readonly level: Pick<Level, "id" | "slug">
  readonly title: string
  readonly body_md: string
  readonly priority: Priority
  readonly labels: ReadonlyArray<string>
  readonly repository_ids: ReadonlyArray<RepositoryId>
  readonly criteria: ReadonlyArray<DraftCriterion>
  /** Observations beside those of the criteria. */
  readonly observations: ReadonlyArray<AboutObservation>
}

/** Files new issues. */
export class IssueFiling extends Effect.Service<IssueFiling>()("IssueFiling", {
  effect: Effect.gen(function* () {
    const repo = yield* IssuesRepo
    const parts = yield* IssueFilingRepo
    const events = yield* IssueEvents
    const writer = yield* IssueWriter
    const names = yield* IssueNames
    const projects = yield* Projects
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** The level to file in, where the caller may. */
    const levelFor = Effect.fn("IssueFiling.levelFor")(function* (slug: string) {
      const level = yield* projects.level(slug)
      yield* requireRole(level, "editor")
      return level
    })

    /** Writes the issue. To be called in a transaction, by a caller who may file in the draft's level. */
    const insert = Effect.fn("IssueFiling.insert")(function* (draft: IssueDraft) {
      const { workspace_id } = yield* Caller
      const by = yield* writer.by
      const number = IssueNumber.make(yield* repo.nextNumber(workspace_id))
      const { level, criteria, observations, ...fields } = draft
      const issue = { id: yield* newId(IssueId), workspace_id }
      yield* repo.insert({ ...issue, ...fields, labels: sorted(fields.labels), number, project_id: level.id }, by)
      const written = yield* Effect.forEach(criteria, ({ text, observation }, index) =>
        Effect.map(newId(IssueCriterionId), (id) => ({
          row: { id, text, position: index + 1, repository_id: observation?.repository_id ?? null },
          observation
        }))
      )
      const of = { workspace_id, issue_id: issue.id, at: by.at }
      if (written.length > 0) {
        yield* parts.addCriteria(
          of,
          written.map(({ row }) => row)
        )
      }
      const linked = [
        ...written.flatMap(({ row, observation }) =>
          observation === null ? [] : [{ ...observation, criterion_id: row.id }]
        ),
        ...observations.map((observation) => ({ ...observation, criterion_id: null }))
      ]
      if (linked.length > 0) {
        yield* parts.link(
          of,
          linked.map(({ id, ...rest }) => ({ ...rest, observation_id: id }))
        )
      }
      yield* events.record(issue, by.actor, { event: "created", detail: { title: draft.title, status: "open" } })
      const filed = yield* Effect.orDie(writer.read(number))
      yield* auditLog.record({ object: { kind: "issue", ref: filed.ref }, before: null, after: loggedOf(filed) })
      return filed
    })

    /** Observations by their numbers; one that the caller may not see is not found. */
    const observationsOf = Effect.fn("IssueFiling.observationsOf")(function* (
      numbers: ReadonlyArray<ObservationNumber>
    ) {
      if (numbers.length === 0) return []
      const { workspace_id } = yield* Caller
      const found = yield* parts.observations({ workspace_id, numbers })
      const known = new Set(found.map(({ number }) => number))
      const missing = numbers.find((number) => !known.has(number))
      if (missing !== undefined) {
        return yield* new ObservationNotFound({ message: `No observation ${refOf(missing)}.`, param: "observations" })
      }
      return found
    })

    const file = Effect.fn("IssueFiling.file")(function* (request: FileIssue) {
      const level = yield* levelFor(request.project)
      const observations = yield* observationsOf(request.observations ?? [])
      // An issue is about the repositories of its observations, unless it names others.
      const repository_ids =
        request.repos === undefined
          ? inOrder(observations.map(({ repository_id }) => repository_id))
          : yield* names.repositoryIds(request.repos)
      const { assignee_user_id, assignee_key_id } = yield* names.assignee(request.assignee ?? null)
      return yield* insert({
        assignee_user_id,
        assignee_key_id,
        level,
        title: request.title,
        body_md: request.body_md ?? "",
        priority: request.priority ?? "P2",
        labels: request.labels ?? [],
        repository_ids,
        criteria: (request.acceptance_criteria ?? []).map((text) => ({ text, observation: null })),
        observations: observations.map(({ id, repository_id }) => ({ id, repository_id }))
      })
    }, inTransaction)

    return { file, insert, levelFor }
  })
}) {}

/** Labels, each once and in alphabetical order. */
export const sorted = (labels: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(labels)].sort()
