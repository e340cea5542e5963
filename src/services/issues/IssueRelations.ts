import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { WorkspaceId } from "../../schema/Ids.ts"
import {
  type IssueNumber,
  issueRefOf,
  RelationCycle,
  RelationInvalid,
  type RelationKind,
  RelationNotFound
} from "../../schema/Issue.ts"
import type { RelateIssues } from "../../schema/IssueRequests.ts"
import { Caller } from "../access/Caller.ts"
import { transactional } from "../support/transactional.ts"
import { IssueEvents, type NewIssueEvent } from "./IssueEvents.ts"
import { IssueRelationsRepo, type Relation } from "./IssueRelationsRepo.ts"
import { type By, IssuesRepo, type LockedIssue } from "./IssuesRepo.ts"
import { IssueWriter, noIssue, type OpenedIssue } from "./IssueWriter.ts"
import { pathBetween } from "./relationPath.ts"

/** Relations that one issue may have, in both directions together: its record shows all of them. */
export const maxRelations = 100

/** An issue that blocks itself could never be done, and one that is its own part never finished. */
const acyclic: ReadonlySet<RelationKind> = new Set(["blocks", "parent_of"])

/** Relations between issues. */
export class IssueRelations extends Effect.Service<IssueRelations>()("IssueRelations", {
  effect: Effect.gen(function* () {
    const writer = yield* IssueWriter
    const issues = yield* IssuesRepo
    const repo = yield* IssueRelationsRepo
    const events = yield* IssueEvents
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** The other issue, once both are locked: everything that locks several does so in the order of their numbers. */
    const lockedOther = Effect.fnUntraced(function* (number: IssueNumber, other: IssueNumber) {
      const sight = yield* writer.sight
      const [low, high] = number < other ? [number, other] : [other, number]
      const first = yield* issues.lock(sight, low)
      const second = yield* issues.lock(sight, high)
      // Of the two, the issue itself comes first in what is said of them.
      if (Option.isNone(number < other ? first : second)) return yield* noIssue(number)
      const found = number < other ? second : first
      if (Option.isNone(found)) return yield* noIssue(other)
      return found.value
    })

    /** The way back from the other issue, where there is one: with the new relation it would be a circle. */
    const rejectCycle = Effect.fnUntraced(function* (relation: Relation) {
      yield* repo.lockKind(relation)
      const { from_id, to_id, ...of } = relation
      if (!(yield* repo.leads({ ...of, from_id: to_id, to_id: from_id }))) return
      const back = pathBetween(yield* repo.edgesFrom({ ...of, from_id: to_id }), to_id, from_id) ?? []
      const numbers = yield* repo.numbersOf(yield* writer.sight, back)
      const path = [from_id, ...back].flatMap((id) => {
        const number = numbers.get(id)
        return number === undefined ? [] : [issueRefOf(number)]
      })
      return yield* cycle(relation.kind, path)
    })

    const rejectExcess = Effect.fnUntraced(function* (...both: ReadonlyArray<LockedIssue>) {
      const { workspace_id } = yield* Caller
      for (const { id, number } of both) {
        if ((yield* repo.count({ workspace_id, id })) < maxRelations) continue
        return yield* new RelationInvalid({
          message: `${issueRefOf(number)} has ${maxRelations} relations, and none can have more: remove some first.`,
          param: "other"
        })
      }
    })

    /** The other issue shows the relation, too: it has changed as well. */
    const changeOther = Effect.fnUntraced(function* (
      issue: OpenedIssue,
      other: LockedIssue,
      by: By,
      { event, kind }: { readonly event: "related" | "unrelated"; readonly kind: RelationKind }
    ) {
      const row = { workspace_id: issue.workspace_id, id: other.id }
      const detail = { kind, ref: issueRefOf(issue.number), direction: "in" }
      yield* events.record(row, by.actor, { event, detail, other_id: issue.id })
      yield* issues.touch(row, by)
      const own: NewIssueEvent = {
        event,
        detail: { kind, ref: issueRefOf(other.number), direction: "out" },
        other_id: other.id
      }
      return [own]
    })

    const relate = Effect.fn("IssueRelations.relate")(function* (
      number: IssueNumber,
      { kind, other: otherNumber }: RelateIssues
    ) {
      const other = yield* lockedOther(number, otherNumber)
      const { issue } = yield* writer.change(number, {}, (issue, by) =>
        Effect.gen(function* () {
          const relation = relationOf(issue, kind, other)
          if (issue.id === other.id) return yield* selfRelation(kind, issue.number)
          if (yield* isRelated(relation)) return []
          yield* rejectExcess(issue, other)
          if (acyclic.has(kind)) yield* rejectCycle(relation)
          yield* repo.insert({ ...relation, ...by })
          return yield* changeOther(issue, other, by, { event: "related", kind })
        })
      )
      return issue
    }, inTransaction)

    /** Two issues that relate to each other do so in either order. */
    const isRelated = (relation: Relation) =>
      Effect.flatMap(repo.exists(relation), (exists) =>
        exists || relation.kind !== "relates_to" ? Effect.succeed(exists) : repo.exists(reversed(relation))
      )

    const removed = (relation: Relation) =>
      Effect.flatMap(repo.remove(relation), (found) =>
        found || relation.kind !== "relates_to" ? Effect.succeed(found) : repo.remove(reversed(relation))
      )

    const unrelate = Effect.fn("IssueRelations.unrelate")(function* (
      number: IssueNumber,
      { kind, other: otherNumber }: RelateIssues
    ) {
      const other = yield* lockedOther(number, otherNumber)
      const { issue } = yield* writer.change(number, {}, (issue, by) =>
        Effect.gen(function* () {
          if (!(yield* removed(relationOf(issue, kind, other)))) return yield* noRelation(number, kind, otherNumber)
          return yield* changeOther(issue, other, by, { event: "unrelated", kind })
        })
      )
      return issue
    }, inTransaction)

    return { relate, unrelate }
  })
}) {}

const relationOf = (
  { workspace_id, id }: { readonly workspace_id: WorkspaceId; readonly id: LockedIssue["id"] },
  kind: RelationKind,
  other: LockedIssue
): Relation => ({ workspace_id, from_id: id, kind, to_id: other.id })

const reversed = ({ from_id, to_id, ...relation }: Relation): Relation => ({
  ...relation,
  from_id: to_id,
  to_id: from_id
})

const cycle = (kind: RelationKind, path: ReadonlyArray<string>) =>
  new RelationCycle({
    message: `With this relation the issues would form a cycle of ${kind}: ${path.join(", ")}. Remove one of these relations first.`,
    param: "other",
    details: { path }
  })

const selfRelation = (kind: RelationKind, number: IssueNumber) => {
  const ref = issueRefOf(number)
  return acyclic.has(kind)
    ? cycle(kind, [ref, ref])
    : new RelationInvalid({ message: `${ref} cannot have a relation to itself.`, param: "other" })
}

const noRelation = (number: IssueNumber, kind: RelationKind, other: IssueNumber) =>
  new RelationNotFound({
    message: `${issueRefOf(number)} has no relation ${kind} to ${issueRefOf(other)}; one in the other direction is removed from there.`
  })
