import { SqlClient } from "@effect/sql"
import { Effect, Option, Redacted } from "effect"
import { type RepositoryId, TrackerId, type WorkspaceId } from "../../schema/Ids.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import { type SetTracker, type Tracker, type TrackerKind, TrackerNotFound, trackerNames } from "../../schema/Tracker.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { ConfiguredGitHubApp } from "../ports/GitHubApp.ts"
import { SecretKey, SecretUnreadable } from "../ports/SecretKey.ts"
import type { TrackerAccount } from "../ports/TicketTracker.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { type TrackerRow, TrackersRepo } from "./TrackersRepo.ts"
import { invalid, type Target, targetOf } from "./trackerRequest.ts"

const gitHubCloud = "https://api.github.com"
const linearCloud = "https://api.linear.app"

/** A tracker that serves a repository, and access to it. */
export interface ServingTracker {
  readonly kind: TrackerKind
  readonly base_url: string
  readonly project: string
  /** Fails with the way out where the token cannot be read any more. */
  readonly account: Effect.Effect<TrackerAccount, SecretUnreadable>
}

/** Which ticket tracker serves the workspace and each repository: one a level, the repository's before the workspace's. */
export class Trackers extends Effect.Service<Trackers>()("Trackers", {
  effect: Effect.gen(function* () {
    const repo = yield* TrackersRepo
    const repositories = yield* Repositories
    const cursors = yield* Cursors
    const auditLog = yield* AuditLog
    const secretKey = yield* SecretKey
    const app = yield* ConfiguredGitHubApp
    const inTransaction = transactional(yield* SqlClient.SqlClient)
    const clouds = { github: app?.apiUrl ?? gitHubCloud, linear: linearCloud }

    const list = Effect.fn("Trackers.list")(function* ({ limit = defaultPageSize, cursor }: PageRequest) {
      const { workspace_id } = yield* Caller
      const after = yield* cursors.open("trackers", {}, cursor)
      const rows = yield* repo.list({ workspace_id, after, limit })
      const page = yield* cursors.page("trackers", {}, limit, rows, (row) => [row.created_at, row.id])
      return { ...page, data: page.data.map(recordOf) }
    })

    const levelOf = (slug: string | undefined) =>
      slug === undefined ? Effect.succeed(null) : repositories.resolveSlug(slug, "repository")

    /** Says whose secret a token is. */
    const ownerOf = (workspace_id: WorkspaceId, id: TrackerId) => `trackers/${workspace_id}/${id}/token`

    const tokenOf = (
      workspace_id: WorkspaceId,
      { id, sealed_token }: TrackerRow
    ): Effect.Effect<Redacted.Redacted | null, SecretUnreadable> =>
      sealed_token === null
        ? Effect.succeed(null)
        : Effect.map(secretKey.unseal(sealed_token, ownerOf(workspace_id, id)), Redacted.make)

    /** What the row keeps of the token: the new one, or the one before if it goes to the same address as the same account. */
    const storedToken = Effect.fnUntraced(function* (
      id: TrackerId,
      previous: TrackerRow | null,
      {
        kind,
        token,
        target
      }: { readonly kind: TrackerKind; readonly token: string | undefined; readonly target: Target }
    ) {
      const { workspace_id } = yield* Caller
      const kept =
        previous === null ? null : { sealed_token: previous.sealed_token, token_set_at: previous.token_set_at }
      if (token === undefined) {
        return previous !== null && kept !== null && isSameAccess(kind, previous, target)
          ? kept
          : { sealed_token: null, token_set_at: null }
      }
      const known = previous === null ? null : yield* Effect.option(tokenOf(workspace_id, previous))
      const isKnown =
        known !== null && Option.exists(known, (value) => value !== null && Redacted.value(value) === token)
      if (isKnown && kept !== null) return kept
      return { sealed_token: yield* secretKey.seal(token, ownerOf(workspace_id, id)), token_set_at: yield* now }
    })

    /** The app may write to repositories of others: without a token of its own, a workspace publishes to those it has. */
    const requireApp = Effect.fnUntraced(function* (kind: TrackerKind, { base_url, project }: Target) {
      const { workspace_id } = yield* Caller
      if (kind !== "github" || app === null || app.apiUrl !== base_url)
        return yield* invalid("token", missingToken(kind))
      const clones = yield* repo.cloneUrls(workspace_id)
      const isOwn = clones.some(({ clone_url }) =>
        Option.exists(
          app.repositoryOf(clone_url),
          (one) => `${one.owner}/${one.repo}`.toLowerCase() === project.toLowerCase()
        )
      )
      if (!isOwn) return yield* invalid("project", "is no repository of this workspace; send a token for another one")
    })

    const set = Effect.fn("Trackers.set")(function* (kind: TrackerKind, request: SetTracker) {
      const { workspace_id } = yield* Caller
      const target = yield* targetOf(kind, request, clouds)
      const level = { workspace_id, repository_id: yield* levelOf(request.repository) }
      yield* repo.lockTrackersOf(workspace_id)
      const previous = Option.getOrNull(yield* repo.ofLevel(level))
      const id = previous?.id ?? (yield* newId(TrackerId))
      const stored = yield* storedToken(id, previous, { kind, token: request.token, target })
      if (stored.sealed_token === null) yield* requireApp(kind, target)
      const row = { ...level, ...target, ...stored, id, kind, updated_at: yield* now }
      if (previous === null) yield* repo.insert({ ...row, created_at: row.updated_at })
      else if (isChanged(previous, row)) yield* repo.update(row)
      const tracker = recordOf(Option.getOrThrow(yield* repo.ofLevel(level)))
      yield* auditLog.record({
        object: objectOf(tracker),
        before: previous === null ? null : loggedOf(recordOf(previous)),
        after: loggedOf(tracker)
      })
      return tracker
    }, inTransaction)

    const remove = Effect.fn("Trackers.remove")(function* (kind: TrackerKind, repository: string | undefined) {
      const { workspace_id } = yield* Caller
      const level = { workspace_id, repository_id: yield* levelOf(repository) }
      yield* repo.lockTrackersOf(workspace_id)
      const found = Option.getOrNull(yield* repo.ofLevel(level))
      if (found?.kind !== kind) {
        const whose = repository === undefined ? "The workspace" : repository
        return yield* new TrackerNotFound({ message: `${whose} has no tracker of the kind ${kind}.` })
      }
      yield* repo.remove({ workspace_id, id: found.id })
      const tracker = recordOf(found)
      yield* auditLog.record({ object: objectOf(tracker), before: loggedOf(tracker), after: null })
    }, inTransaction)

    /** The trackers that serve a repository, its own first. */
    const serving = Effect.fn("Trackers.serving")(function* (workspace_id: WorkspaceId, repository_id: RepositoryId) {
      const found = yield* repo.serving({ workspace_id, repository_id })
      return found.map((row): ServingTracker => {
        const { kind, base_url, project, email } = row
        const account = tokenOf(workspace_id, row).pipe(
          Effect.map((token) => ({ base_url, project, email, token })),
          Effect.mapError(
            ({ message }) =>
              new SecretUnreadable({ message: `The token of ${trackerNames[kind]} is unreadable. ${message}` })
          )
        )
        return { kind, base_url, project, account }
      })
    })

    return { list, set, remove, serving }
  })
}) {}

/** A token goes to no other address, and to no other account, than those it was sent for. */
const isSameAccess = (kind: TrackerKind, previous: TrackerRow, { base_url, email }: Target) =>
  previous.kind === kind && previous.base_url === base_url && previous.email === email

const fields = ["kind", "base_url", "project", "email", "sealed_token"] as const

const isChanged = (previous: TrackerRow, row: Pick<TrackerRow, (typeof fields)[number]>) =>
  fields.some((name) => previous[name] !== row[name])

const missingToken = (kind: TrackerKind): string =>
  kind === "github"
    ? "is needed: no GitHub App is set up for this address"
    : "is needed: no token is stored for this kind, address and account"

const recordOf = ({ repository_id: _, sealed_token, ...row }: TrackerRow): Tracker => ({
  ...row,
  has_token: sealed_token !== null
})

const objectOf = ({ repository }: Tracker) => ({ kind: "tracker", ref: repository ?? "workspace" }) as const

/** What people decide of it; a new token shows by the time it was stored. */
const loggedOf = ({ kind, repository, base_url, project, email, token_set_at }: Tracker) => ({
  kind,
  repository,
  base_url,
  project,
  email,
  authenticated_since: token_set_at
})
