import { HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import {
  ContextDigest,
  ContextEntriesPage,
  type ContextEntriesRequest,
  ContextEntry,
  ContextWritten,
  type CreateContextEntry,
  type PatchContextEntry,
  type PutContextEntry
} from "../schema/TeamContext.ts"
import { ContextEntries } from "../services/context/ContextEntries.ts"
import { ContextEntryStates } from "../services/context/ContextEntryStates.ts"
import { type Address, type Current, TeamContext, type Unchanged } from "../services/context/TeamContext.ts"
import { Api } from "./Api.ts"
import { type Conditions, ifMatch, putCondition, quoted } from "./etag.ts"
import { group } from "./group.ts"
import { respond } from "./wire.ts"

/** The set, or 304 when the client has the current version. */
const set =
  <A, I>(schema: Parameters<typeof respond<A, I>>[0]) =>
  (found: Unchanged | Current<A>) =>
    found.unchanged
      ? Effect.succeed(HttpServerResponse.empty({ status: 304, headers: quoted(found.etag) }))
      : respond(schema, found.value, { headers: quoted(found.etag) })

const written = (entry: ContextWritten, status = 200) =>
  respond(ContextWritten, entry, { status, headers: quoted(entry.etag) })

/** What the routes of both forms do, at the level of the form. */
const handlersOf = Effect.map(
  Effect.all([TeamContext, ContextEntries, ContextEntryStates]),
  ([context, entries, states]) => ({
    list: (at: Address, query: ContextEntriesRequest, headers: Conditions) =>
      Effect.flatMap(context.list(at, query, headers["if-none-match"]), set(ContextEntriesPage)),
    digest: (at: Address, { limit }: { readonly limit?: number }, headers: Conditions) =>
      Effect.flatMap(context.digest(at, limit, headers["if-none-match"]), set(ContextDigest)),
    get: (at: Address, key: string) =>
      Effect.flatMap(context.get(at, key), (entry) => respond(ContextEntry, entry, { headers: quoted(entry.etag) })),
    history: (at: Address, key: string, page: { readonly limit?: number; readonly cursor?: string }) =>
      context.history(at, key, page),
    create: (at: Address, request: CreateContextEntry) =>
      Effect.flatMap(entries.create(at, request), (entry) => written(entry, 201)),
    put: Effect.fnUntraced(function* (at: Address, key: string, request: PutContextEntry, headers: Conditions) {
      if ((yield* putCondition(headers)) === "create") {
        return yield* written(yield* entries.create(at, { ...request, key }), 201)
      }
      return yield* written(yield* entries.replace(at, key, request, ifMatch(headers)))
    }),
    patch: (at: Address, key: string, request: PatchContextEntry, headers: Conditions) =>
      Effect.flatMap(entries.patch(at, key, request, ifMatch(headers)), (entry) => written(entry)),
    disable: (at: Address, key: string, reason: string, headers: Conditions) =>
      Effect.flatMap(states.disable(at, key, reason, ifMatch(headers)), (entry) => written(entry)),
    restore: (at: Address, key: string) => Effect.flatMap(states.restore(at, key), (entry) => written(entry)),
    confirm: (at: Address, key: string, headers: Conditions) =>
      Effect.flatMap(states.confirm(at, key, ifMatch(headers)), (entry) => written(entry)),
    corroborate: (at: Address, key: string, headers: Conditions) =>
      Effect.flatMap(states.corroborate(at, key, ifMatch(headers)), (entry) => written(entry))
  })
)

export const ContextHandlers = group(
  Api,
  "context",
  Effect.fnUntraced(function* (handlers) {
    const of = yield* handlersOf
    const context = yield* TeamContext
    return handlers
      .handle("list", ({ urlParams, headers }) => of.list(null, urlParams, headers))
      .handle("digest", ({ urlParams, headers }) => of.digest(null, urlParams, headers))
      .handle("get", ({ path }) => of.get(null, path.key))
      .handle("history", ({ path, urlParams }) => of.history(null, path.key, urlParams))
      .handle("create", ({ payload }) => of.create(null, payload))
      .handle("put", ({ path, payload, headers }) => of.put(null, path.key, payload, headers))
      .handle("patch", ({ path, payload, headers }) => of.patch(null, path.key, payload, headers))
      .handle("disable", ({ path, payload, headers }) => of.disable(null, path.key, payload.reason, headers))
      .handle("restore", ({ path }) => of.restore(null, path.key))
      .handle("confirm", ({ path, headers }) => of.confirm(null, path.key, headers))
      .handle("corroborate", ({ path, headers }) => of.corroborate(null, path.key, headers))
      .handle("repositoryDigest", ({ path, urlParams, headers }) =>
        Effect.flatMap(context.repositoryDigest(path, urlParams.limit, headers["if-none-match"]), set(ContextDigest))
      )
  })
)

export const ProjectContextHandlers = group(
  Api,
  "project_context",
  Effect.fnUntraced(function* (handlers) {
    const of = yield* handlersOf
    return handlers
      .handle("list", ({ path, urlParams, headers }) => of.list(path.slug, urlParams, headers))
      .handle("digest", ({ path, urlParams, headers }) => of.digest(path.slug, urlParams, headers))
      .handle("get", ({ path }) => of.get(path.slug, path.key))
      .handle("history", ({ path, urlParams }) => of.history(path.slug, path.key, urlParams))
      .handle("create", ({ path, payload }) => of.create(path.slug, payload))
      .handle("put", ({ path, payload, headers }) => of.put(path.slug, path.key, payload, headers))
      .handle("patch", ({ path, payload, headers }) => of.patch(path.slug, path.key, payload, headers))
      .handle("disable", ({ path, payload, headers }) => of.disable(path.slug, path.key, payload.reason, headers))
      .handle("restore", ({ path }) => of.restore(path.slug, path.key))
      .handle("confirm", ({ path, headers }) => of.confirm(path.slug, path.key, headers))
      .handle("corroborate", ({ path, headers }) => of.corroborate(path.slug, path.key, headers))
  })
)
