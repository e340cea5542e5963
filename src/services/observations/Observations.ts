import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { findRule } from "../../engine/index.ts"
import {
  type Complete,
  type Dismiss,
  defaultObservationPageSize,
  Observation,
  type ObservationDetail,
  ObservationNotFound,
  type ObservationNumber,
  ObservationsQuery,
  PendingMigrationsQuery,
  RecentQuery,
  type Reopen,
  refOf,
  SearchQuery
} from "../../schema/Observation.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { Features } from "../access/Features.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { pathFromRoot } from "../repositories/pathDigests.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { now } from "../support/now.ts"
import { rulesCatalogue } from "../support/rulesCatalogue.ts"
import { transactional } from "../support/transactional.ts"
import { explanationOf } from "./explanation.ts"
import type { Narrowed, ObservationFilters } from "./ObservationFiltersRepo.ts"
import { type Listed, type ListRequest, ObservationListRepo } from "./ObservationListRepo.ts"
import { ObservationQueries } from "./ObservationQueries.ts"
import { type ChangedObservation, ObservationStateRepo, type StateChange } from "./ObservationStateRepo.ts"
import { ObservationsRepo } from "./ObservationsRepo.ts"
import { RuleOutcomesRepo } from "./RuleOutcomesRepo.ts"
import { outcomesOf } from "./ruleOutcomes.ts"
import { acknowledgement, completion, dismissal, reopening, type Triage } from "./triage.ts"

/** Reading and triage of observations; audits record them through ObservationRecorder. */
export class Observations extends Effect.Service<Observations>()("Observations", {
  effect: Effect.gen(function* () {
    const repo = yield* ObservationsRepo
    const lists = yield* ObservationListRepo
    const states = yield* ObservationStateRepo
    const features = yield* Features
    const repositories = yield* Repositories
    const queries = yield* ObservationQueries
    const outcomes = yield* RuleOutcomesRepo
    const cursors = yield* Cursors
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** What a page of a list takes, and the name and filters that its cursor is bound to. */
    const requestOf = Effect.fnUntraced(function* (name: string, narrowed: Narrowed, query: Options) {
      const { limit = defaultObservationPageSize, cursor, include, order = "recency" } = query
      const { repository_id, filters } = narrowed
      const bound = { ...filters, repository_id, order }
      const after = yield* cursors.open(name, bound, cursor)
      return { bound, page: { ...narrowed, order, includeLocations: include === "locations", after, limit } }
    })

    const pageBy = Effect.fnUntraced(function* <Row extends Sorted>(
      read: (request: ListRequest) => Effect.Effect<ReadonlyArray<Row>>,
      name: string,
      narrowed: Narrowed,
      query: Options
    ) {
      const { bound, page } = yield* requestOf(name, narrowed, query)
      const rows = yield* read(page)
      // The sort key stays on the rows: without it each would be copied, and answers show declared fields only.
      return yield* cursors.page(name, bound, page.limit, rows, (row) => row.sort_key)
    })

    const pageOf = (name: string, narrowed: Narrowed, query: Options) => pageBy(lists.list, name, narrowed, query)

    /** The page of `list` with less of each row, and always with locations. */
    const briefs = ({ limit, cursor, order, ...filters }: Omit<ObservationsQuery, "include"> & Lists) =>
      Effect.flatMap(queries.narrowed(filters), (narrowed) =>
        pageBy(lists.briefs, "observations", narrowed, { limit, cursor, order })
      )

    const list = ({ limit, cursor, include, order, ...filters }: ObservationsQuery & Lists) =>
      Effect.flatMap(queries.narrowed(filters), (narrowed) =>
        pageOf("observations", narrowed, { limit, cursor, include, order })
      )

    /** The page of `list` as the API's JSON, printed by the database. */
    const printedList = Effect.fnUntraced(function* ({ limit, cursor, include, order, ...filters }: ObservationsQuery) {
      const narrowed = yield* queries.narrowed(filters)
      const { bound, page } = yield* requestOf("observations", narrowed, { limit, cursor, include, order })
      const { data, last } = yield* lists.printed(page)
      const { next_cursor, has_more } = yield* cursors.end("observations", bound, last)
      return `{"data":${data},"next_cursor":${JSON.stringify(next_cursor)},"has_more":${has_more}}`
    })

    /** Findings that have these words somewhere. */
    const search = Effect.fn("Observations.search")(function* (query: SearchQuery & Lists) {
      const { limit, cursor, include, order, ...filters } = query
      const narrowed = yield* queries.narrowed({ ...filters, kind: ["finding"] })
      return yield* pageOf("observations.search", narrowed, { limit, cursor, include, order })
    })

    /** Open findings that touch a file. */
    const recent = Effect.fn("Observations.recent")(function* (path: RepositoryPath, query: RecentQuery) {
      const { workspace_id } = yield* Caller
      const { id: repository_id } = yield* repositories.find(path)
      const file_path = pathFromRoot(query.file_path)
      const filters = { file_path, kind: ["finding"], status: "new" } as const
      const page = yield* pageOf("observations.recent", { workspace_id, repository_id, filters }, query)
      return { ...page, path_known: yield* repositories.knowsPath({ workspace_id, repository_id }, file_path) }
    })

    /** What audits suggest to move away from, where the workspace wants suggestions. */
    const pendingMigrations = Effect.fn("Observations.pendingMigrations")(function* (query: PendingMigrationsQuery) {
      const { repo, ...options } = query
      const narrowed = yield* queries.narrowed({
        ...(repo === undefined ? {} : { repo }),
        kind: ["suggestion"],
        status: "new",
        migrations: true
      })
      // Read even where they are off: a cursor is checked in either case.
      const found = yield* pageOf("observations.migrations", narrowed, options)
      return (yield* features.suggestionsAreOn(narrowed.workspace_id))
        ? found
        : { data: [], next_cursor: null, has_more: false }
    })

    const find = Effect.fnUntraced(function* (number: ObservationNumber) {
      const { workspace_id } = yield* Caller
      const observation = yield* repo.find({ workspace_id, number })
      if (Option.isNone(observation)) return yield* noObservation(number)
      return observation.value
    })

    const get = Effect.fnUntraced(function* (number: ObservationNumber) {
      const { workspace_id } = yield* Caller
      const observation = yield* repo.findDetail({ workspace_id, number })
      if (Option.isNone(observation)) return yield* noObservation(number)
      return { ...observation.value, events: yield* repo.eventsOf({ workspace_id, id: observation.value.id }) }
    })

    /** The history of an observation, newest event first. */
    const events = Effect.fn("Observations.events")(function* (
      number: ObservationNumber,
      { cursor, limit = defaultPageSize }: PageRequest
    ) {
      const { workspace_id } = yield* Caller
      const { id } = yield* find(number)
      const after = yield* cursors.open("observation.events", { id }, cursor)
      const rows = yield* repo.eventsBefore({ workspace_id, id, after, limit })
      return yield* cursors.page("observation.events", { id }, limit, rows, (row) => [row.id])
    })

    /** In words, for the person or agent that decides on it. */
    const explain = Effect.fn("Observations.explain")(function* (number: ObservationNumber) {
      const { workspace_id } = yield* Caller
      const observation = yield* get(number)
      const similar = yield* repo.similar({ workspace_id, id: observation.id, limit: 10 })
      const rule = findRule(yield* rulesCatalogue, observation.rule_id)
      const [decided] = yield* outcomes.byRule({ workspace_id, repository_id: null, rule: observation.rule_id })
      return explanationOf(observation, similar, rule?.example ?? null, outcomesOf(decided))
    })

    /** What a change of a person needs beside the change itself. */
    const changeOf = (number: ObservationNumber) =>
      Effect.all([Caller, now]).pipe(
        Effect.map(([{ workspace_id, actor }, at]) => ({
          workspace_id,
          number,
          at,
          actor,
          job_id: null
        }))
      )

    const logChange = ({ after, previous }: ChangedObservation, change: StateChange) => {
      const { closed_at: _, closed_by: __, acknowledged_at, ...before } = previous
      const state = stateOf(after)
      return auditLog.record({
        object: { kind: "observation", ref: after.ref },
        before: { ...before, acknowledged_at: acknowledged_at === null ? null : state.acknowledged_at },
        after: { ...state, ...(change.kind === "reopen" ? { reopen_reason: change.reason } : {}) }
      })
    }

    /** Changes one observation; a change that is rejected says why, by the state that the observation is in. */
    const change = <E>(
      number: ObservationNumber,
      triage: Triage<E>
    ): Effect.Effect<Observation, ObservationNotFound | E, Caller> =>
      Effect.gen(function* () {
        const changed = yield* states.change(yield* changeOf(number), triage.change)
        if (Option.isSome(changed)) {
          yield* logChange(changed.value, triage.change)
          return changed.value.after
        }
        const observation = yield* find(number)
        const rejection = triage.rejectionOf(observation)
        if (rejection !== null) return yield* Effect.fail(rejection)
        // Its state may also have changed between the two statements.
        return triage.isDone(observation) ? observation : yield* change(number, triage)
      })

    const dismiss = Effect.fn("Observations.dismiss")(
      (number: ObservationNumber, request: Dismiss) => change(number, dismissal(request)),
      inTransaction
    )

    const complete = Effect.fn("Observations.complete")(
      (number: ObservationNumber, request: Complete) => change(number, completion(request)),
      inTransaction
    )

    const reopen = Effect.fn("Observations.reopen")(
      (number: ObservationNumber, request: Reopen) => change(number, reopening(request)),
      inTransaction
    )

    const acknowledge = Effect.fn("Observations.acknowledge")(
      (number: ObservationNumber) => change(number, acknowledgement),
      inTransaction
    )

    return {
      list,
      briefs,
      printedList,
      search,
      recent,
      pendingMigrations,
      get,
      events,
      explain,
      dismiss,
      complete,
      reopen,
      acknowledge
    }
  })
}) {}

/** How a list is paged. */
type Options = { readonly [Name in "limit" | "cursor" | "include" | "order"]?: ObservationsQuery[Name] | undefined }

/** What triage decides. */
const stateOf = (observation: Observation) => ({
  status: observation.status,
  close_reason: observation.close_reason,
  dismissal_category: observation.dismissal_category,
  dismissal_note: observation.dismissal_note,
  completion_url: observation.completion_url,
  completion_note: observation.completion_note,
  acknowledged_at: observation.acknowledged_at
})

/** A row with its place in the order of its list. */
type Sorted = Pick<Listed, "sort_key">

/** Filters that take several values. */
type Lists = Pick<ObservationFilters, "priorities" | "statuses">

const noObservation = (number: ObservationNumber) =>
  new ObservationNotFound({ message: `No observation ${refOf(number)}.` })

/** The row of an observation, as lists have it. */
export const rowOf = ({ events: _, steps: __, suggested_diff: ___, ...row }: ObservationDetail): Observation => row
