import { Effect, Option } from "effect"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import {
  type ContextDigest,
  type ContextEntriesPage,
  type ContextEntriesRequest,
  ContextEntryNotFound,
  type ContextHistoryPage,
  defaultDigestLimit,
  organizationContextKey
} from "../../schema/TeamContext.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { type Level, Projects } from "../projects/Projects.ts"
import { sha256Hex } from "../support/ids.ts"
import { type Place, TeamContextRepo } from "./TeamContextRepo.ts"

/** Where entries are addressed: the slug of an area, space or project, or `null` for the workspace. */
export type Address = string | null

/** A place, and what the caller may do there; `level` is `null` for the workspace. */
export interface Addressed extends Place {
  readonly level: Level | null
}

/** The client has this version already: it is not sent again. */
export interface Unchanged {
  readonly unchanged: true
  readonly etag: string
}
export interface Current<A> {
  readonly unchanged: false
  readonly etag: string
  readonly value: A
}

/** Reading the team's notes: what applies at a level is its own and what is passed down to it, the nearest winning. */
export class TeamContext extends Effect.Service<TeamContext>()("TeamContext", {
  effect: Effect.gen(function* () {
    const repo = yield* TeamContextRepo
    const projects = yield* Projects
    const cursors = yield* Cursors

    const placeOf = Effect.fnUntraced(function* (address: Address) {
      const { workspace_id } = yield* Caller
      if (address === null) return { workspace_id, line: [], level: null } satisfies Addressed
      const level = yield* projects.level(address)
      return { workspace_id, line: level.line, level } satisfies Addressed
    })

    const headOf = Effect.fnUntraced(function* (place: Place, includeDisabled = false) {
      const { effective, proposed } = yield* repo.head(place)
      const head_etag = fingerprint(lineOf(place), effective)
      // An entry that is disabled or restored changes what is effective.
      return { head_etag, set_etag: includeDisabled ? fingerprint(head_etag, "disabled") : head_etag, proposed }
    })

    /** `ifNoneMatch`: the set-level ETag of what the client has. */
    const list = Effect.fn("TeamContext.list")(function* (
      address: Address,
      { limit = defaultPageSize, cursor, ...filters }: ContextEntriesRequest,
      ifNoneMatch?: string
    ) {
      const place = yield* placeOf(address)
      const bound = { ...filters, address }
      const after = yield* cursors.open("context", bound, cursor)
      const { head_etag, set_etag, proposed } = yield* headOf(place, filters.include_disabled === true)
      if (matches(ifNoneMatch, set_etag)) return { unchanged: true, etag: set_etag } satisfies Unchanged
      const rows = yield* repo.list(place, {
        kind: filters.kind ?? null,
        status: filters.status ?? null,
        tag: filters.tag ?? null,
        q: filters.q ?? null,
        include_disabled: filters.include_disabled === true,
        after,
        limit
      })
      const page = yield* cursors.page("context", bound, limit, rows, (row) => [row.key, row.id])
      const value: ContextEntriesPage = { ...page, head_etag, chain_ok: isWhole(place), proposed_count: proposed }
      return { unchanged: false, etag: set_etag, value } satisfies Current<ContextEntriesPage>
    })

    const digestAt = Effect.fnUntraced(function* (
      place: Addressed,
      limit: number,
      resolved_from: ContextDigest["resolved_from"],
      ifNoneMatch: string | undefined
    ) {
      const { effective, entries } = yield* repo.digest(place, limit, organizationContextKey)
      const head_etag = fingerprint(lineOf(place), effective)
      const etag = resolved_from === null ? head_etag : fingerprint(head_etag, JSON.stringify(resolved_from))
      if (matches(ifNoneMatch, etag)) return { unchanged: true, etag } satisfies Unchanged
      const value: ContextDigest = {
        chain_ok: isWhole(place),
        ancestry_fingerprint: fingerprint(lineOf(place)),
        head_etag,
        truncated: entries.length > limit,
        entries: entries.slice(0, limit),
        project: place.level?.slug ?? null,
        resolved_from
      }
      return { unchanged: false, etag, value } satisfies Current<ContextDigest>
    })

    /** Summaries in reading order, no bodies. */
    const digest = Effect.fn("TeamContext.digest")(function* (
      address: Address,
      limit = defaultDigestLimit,
      ifNoneMatch?: string
    ) {
      return yield* digestAt(yield* placeOf(address), limit, null, ifNoneMatch)
    })

    /** Of the most specific level that holds the repository; of the workspace where there is none, or not just one. */
    const repositoryDigest = Effect.fn("TeamContext.repositoryDigest")(function* (
      path: RepositoryPath,
      limit = defaultDigestLimit,
      ifNoneMatch?: string
    ) {
      const { repo_name, slugs } = yield* projects.mostSpecificFor(path)
      const only = slugs.length === 1 ? (slugs[0] ?? null) : null
      // It was there a moment ago; projects are never deleted.
      const place = yield* placeOf(only).pipe(Effect.catchTag("ProjectNotFound", Effect.die))
      const resolution = {
        repo: repo_name,
        ambiguous: slugs.length > 1,
        fell_back_to_workspace: only === null,
        candidates: slugs.length > 1 ? slugs : []
      }
      return yield* digestAt(place, limit, resolution, ifNoneMatch)
    })

    /** The entry that applies at the level, which may live above it. */
    const get = Effect.fn("TeamContext.get")(function* (address: Address, key: string) {
      const entry = yield* repo.find(yield* placeOf(address), key)
      if (Option.isNone(entry)) return yield* noEntry(key)
      return { ...entry.value, project: address }
    })

    /** Of the entry that applies; where none does, of the one that was disabled last. */
    const history = Effect.fn("TeamContext.history")(function* (
      address: Address,
      key: string,
      { limit = defaultPageSize, cursor }: PageRequest
    ) {
      const place = yield* placeOf(address)
      const applying = yield* repo.find(place, key)
      const found = Option.isSome(applying) ? Option.some(applying.value.id) : yield* repo.disabledId(place, key)
      if (Option.isNone(found)) return yield* noEntry(key)
      const entry_id = found.value
      const after = yield* cursors.open("context.history", { entry_id }, cursor)
      const passedDown = Option.exists(applying, ({ source_hidden }) => source_hidden)
      const rows = yield* repo.history({ workspace_id: place.workspace_id, entry_id, passedDown, after, limit })
      const page = yield* cursors.page("context.history", { entry_id }, limit, rows, ({ id }) => [id])
      return { ...page, entry_id } satisfies ContextHistoryPage
    })

    return { placeOf, list, digest, repositoryDigest, get, history }
  })
}) {}

export const noEntry = (key: string) => new ContextEntryNotFound({ message: `No entry holds the key ${key} here.` })

// What is known of a hidden level is that it is there.
const lineOf = ({ workspace_id, line }: Place) =>
  [...line.map(({ id, hidden }) => (hidden ? "hidden" : id)), workspace_id].join("/")

const isWhole = ({ line }: Place) => line.every(({ hidden }) => !hidden)

const fingerprint = (...parts: ReadonlyArray<string>) => sha256Hex(parts.join("\n")).slice(0, 32)

// A list of quoted tags, as RFC 9110 has it; what is weak compares the same here.
export const matches = (header: string | undefined, etag: string): boolean =>
  (header ?? "").split(",").some((one) => {
    const tag = one.trim().replace(/^W\//, "").replace(/^"|"$/g, "")
    return tag === etag || tag === "*"
  })
