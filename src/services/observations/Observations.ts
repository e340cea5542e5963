import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import {
  type Complete,
  type Dismiss,
  defaultObservationPageSize,
  type Observation,
  ObservationClosed,
  type ObservationEvent,
  ObservationNotFound,
  ObservationOpen,
  type ObservationsQuery,
  type PendingMigrationsQuery,
  type RecentQuery,
  type Reopen,
  type SearchQuery
} from "../../schema/Observation.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { explanationOf } from "./explanation.ts"
import { type Closing, ObservationsRepo } from "./ObservationsRepo.ts"

/** Reading and triage of observations; audits record them through ObservationRecorder. */
export class Observations extends Effect.Service<Observations>()("Observations", {
  effect: Effect.gen(function* () {
    const repo = yield* ObservationsRepo
    const repositories = yield* Repositories
    const cursors = yield* Cursors
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const pageOf = Effect.fnUntraced(function* (
      name: string,
      query: ObservationsQuery & Narrowing,
      repository_id: string | null
    ) {
      const { workspace_id } = yield* Caller
      const { limit = defaultObservationPageSize, cursor, include, ...filters } = query
      const bound = name === "observations" ? filters : { ...filters, repository_id }
      const after = yield* cursors.open(name, bound, cursor)
      const rows = yield* repo.list({
        workspace_id,
        repository_id,
        kind: filters.kind ?? null,
        status: filters.status ?? null,
        priority: filters.priority ?? null,
        category: filters.category ?? null,
        domain: filters.domain ?? null,
        since: filters.since ?? null,
        close_reason: filters.close_reason ?? null,
        has_fix_pr: filters.has_fix_pr ?? null,
        easy_wins: filters.easy_wins ?? false,
        needs_review: filters.needs_review ?? false,
        q: filters.q ?? null,
        file_path: filters.file_path ?? null,
        migrations: filters.migrations ?? false,
        order: filters.order ?? "recency",
        includeLocations: include === "locations",
        after,
        limit
      })
      // The sort key stays on the rows: without it each would be copied, and answers show declared fields only.
      return yield* cursors.page(name, bound, limit, rows, (row) => row.sort_key)
    })

    const repositoryIn = ({ repo: slug }: { readonly repo?: string }) =>
      slug === undefined ? Effect.succeed(null) : repositories.resolveSlug(slug)

    const list = (query: ObservationsQuery) =>
      Effect.flatMap(repositoryIn(query), (repository_id) => pageOf("observations", query, repository_id))

    /** Findings that have these words somewhere. */
    const search = Effect.fn("Observations.search")(function* (query: SearchQuery) {
      return yield* pageOf("observations.search", { ...query, kind: "finding" }, yield* repositoryIn(query))
    })

    /** Open findings that touch a file. */
    const recent = Effect.fn("Observations.recent")(function* (path: RepositoryPath, query: RecentQuery) {
      const { id } = yield* repositories.find(path)
      const file_path = query.file_path.replace(/^(?:\.?\/)+/, "")
      return yield* pageOf("observations.recent", { ...query, file_path, kind: "finding", status: "new" }, id)
    })

    /** What audits suggest to move away from, where the workspace wants suggestions. */
    const pendingMigrations = Effect.fn("Observations.pendingMigrations")(function* (query: PendingMigrationsQuery) {
      const { workspace_id } = yield* Caller
      const repository_id = yield* repositoryIn(query)
      const narrowed = { ...query, kind: "suggestion", status: "new", migrations: true } as const
      if (!(yield* repo.suggestionsAreOn(workspace_id))) return { data: [], next_cursor: null, has_more: false }
      return yield* pageOf("observations.migrations", narrowed, repository_id)
    })

    const find = Effect.fnUntraced(function* (ref: string, lock: boolean) {
      const { workspace_id } = yield* Caller
      const observation = yield* repo.find({ workspace_id, number: Number(ref.slice("OBS-".length)), lock })
      if (observation === null) return yield* new ObservationNotFound({ message: `No observation ${ref}.` })
      return observation
    })

    const get = Effect.fnUntraced(function* (ref: string) {
      const observation = yield* find(ref, false)
      return { ...observation, events: yield* repo.eventsOf(observation.id) }
    })

    /** In words, for whoever has to decide on it. */
    const explain = Effect.fn("Observations.explain")(function* (ref: string) {
      const { workspace_id } = yield* Caller
      const observation = yield* get(ref)
      return explanationOf(observation, yield* repo.similar({ workspace_id, id: observation.id, limit: 10 }))
    })

    const event = (
      observation: Observation,
      what: Pick<ObservationEvent, "event" | "to_status"> & { readonly reason: string | null; readonly at: string }
    ) =>
      Effect.flatMap(Caller, ({ actor }) =>
        repo.addEvent({ ...what, observation_id: observation.id, actor, from_status: observation.status, job_id: null })
      )

    const closeOpen = Effect.fn("Observations.closeOpen")(function* (ref: string, closing: Closing) {
      const observation = yield* find(ref, true)
      if (observation.status === "closed") return yield* alreadyClosed(observation)
      const { actor } = yield* Caller
      const at = yield* now
      yield* repo.close({ ...closing, id: observation.id, at, actor })
      yield* event(observation, {
        event: closing.close_reason === "dismissed" ? "dismissed" : "completed",
        to_status: "closed",
        at,
        reason: closing.dismissal_note ?? closing.completion_note
      })
      return yield* find(ref, false)
    })

    const dismiss = Effect.fn("Observations.dismiss")(
      (ref: string, { dismissal_category, dismissal_note }: Dismiss) =>
        closeOpen(ref, { ...untouched, close_reason: "dismissed", dismissal_category, dismissal_note }),
      inTransaction
    )

    const complete = Effect.fn("Observations.complete")(
      (ref: string, { url = null, note = null }: Complete) =>
        closeOpen(ref, { ...untouched, close_reason: "completed", completion_url: url, completion_note: note }),
      inTransaction
    )

    const reopen = Effect.fn("Observations.reopen")(function* (ref: string, { reopen_reason }: Reopen) {
      const observation = yield* find(ref, true)
      if (observation.status === "new") {
        return yield* new ObservationOpen({ message: `${ref} is open already.` })
      }
      const at = yield* now
      yield* repo.reopen({ id: observation.id, at })
      yield* event(observation, { event: "reopened", to_status: "new", at, reason: reopen_reason })
      return yield* find(ref, false)
    }, inTransaction)

    /** Acknowledging twice keeps the first time. */
    const acknowledge = Effect.fn("Observations.acknowledge")(function* (ref: string) {
      const observation = yield* find(ref, true)
      if (observation.status === "closed") return yield* alreadyClosed(observation)
      if (observation.acknowledged_at !== null) return observation
      const at = yield* now
      yield* repo.acknowledge({ id: observation.id, at })
      yield* event(observation, { event: "acknowledged", to_status: "new", at, reason: null })
      return yield* find(ref, false)
    }, inTransaction)

    return { list, search, recent, pendingMigrations, get, explain, dismiss, complete, reopen, acknowledge }
  })
}) {}

/** What lists of their own narrow the whole to. */
interface Narrowing {
  readonly q?: string
  readonly file_path?: string
  readonly migrations?: boolean
}

const untouched = {
  dismissal_category: null,
  dismissal_note: null,
  completion_url: null,
  completion_note: null
}

const alreadyClosed = (observation: Observation) =>
  new ObservationClosed({ message: `${observation.ref} is closed (${observation.close_reason}).` })
