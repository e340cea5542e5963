import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect, Option } from "effect"
import { InvalidPayload, SessionRequired } from "../../schema/Errors.ts"
import { KeyId } from "../../schema/Ids.ts"
import {
  type CreateKey,
  KeyLimitReached,
  KeyNotFound,
  KeyOnlyTightens,
  maxLiveKeys,
  type UpdateKey
} from "../../schema/Key.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { newId, sha256 } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { keyPrefix, newApiKey } from "./apiKeyFormat.ts"
import { Caller, insufficientScope, missingScopes } from "./Caller.ts"
import { parseRange } from "./Cidr.ts"
import { Cursors } from "./Cursors.ts"
import { KeyCredentials } from "./KeyCredentials.ts"
import { KeysRepo } from "./KeysRepo.ts"
import { managesWorkspace } from "./roles.ts"

/** API keys: minted, narrowed and revoked by signed-in people only. */
export class Keys extends Effect.Service<Keys>()("Keys", {
  effect: Effect.gen(function* () {
    const repo = yield* KeysRepo
    const credentials = yield* KeyCredentials
    const cursors = yield* Cursors
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    // Admins and the owner see every key of the workspace, others their own.
    const signedIn = Effect.flatMap(Caller, (caller) =>
      caller.credential.kind === "session"
        ? Effect.succeed({
            workspace_id: caller.workspace_id,
            permissions: caller.permissions,
            user_id: caller.credential.user_id,
            managesAll: managesWorkspace(caller.credential.role)
          })
        : Effect.fail(new SessionRequired({ message: "Keys are managed by a signed-in person, not with a key." }))
    )

    const create = Effect.fn("Keys.create")(function* (request: CreateKey) {
      const caller = yield* signedIn
      const missing = missingScopes(caller.permissions, request.scopes)
      if (missing.length > 0) return yield* insufficientScope(missing)
      const now = yield* DateTime.now
      yield* checkRanges(request.allowed_cidrs ?? null)
      const expires_at = expiry(request, now)
      if (expires_at !== null && expires_at <= DateTime.formatIso(now)) {
        return yield* new InvalidPayload({ message: "expires_at must lie in the future.", param: "expires_at" })
      }
      yield* repo.lockWorkspace(caller.workspace_id)
      if ((yield* repo.countLive(caller.workspace_id, DateTime.formatIso(now))) >= maxLiveKeys) {
        return yield* new KeyLimitReached({
          message: `A workspace has at most ${maxLiveKeys} live keys; revoke one first.`
        })
      }
      const api_key = newApiKey()
      const key = yield* repo.insert({
        id: yield* newId(KeyId),
        workspace_id: caller.workspace_id,
        hash: sha256(api_key),
        name: request.name,
        prefix: keyPrefix(api_key),
        scopes: [...new Set(request.scopes)],
        requests_per_minute: request.requests_per_minute ?? null,
        dollars_per_hour: request.dollars_per_hour ?? null,
        allowed_cidrs: request.allowed_cidrs ?? null,
        agent_label: request.agent_label ?? null,
        created_by: caller.user_id,
        created_at: DateTime.formatIso(now),
        expires_at
      })
      yield* auditLog.record({ object: { kind: "api_key", ref: key.id }, before: null, after: key })
      return { key, api_key }
    }, inTransaction)

    const list = Effect.fn("Keys.list")(function* ({ limit = defaultPageSize, cursor }: PageRequest) {
      const caller = yield* signedIn
      const after = yield* cursors.open("keys", {}, cursor)
      const rows = yield* repo.list({
        workspace_id: caller.workspace_id,
        ownerId: caller.managesAll ? null : caller.user_id,
        after,
        limit
      })
      return yield* cursors.page("keys", {}, limit, rows, (row) => [row.created_at, row.id])
    })

    const get = Effect.fn("Keys.get")(function* (id: KeyId) {
      const caller = yield* signedIn
      const key = Option.filter(
        yield* repo.find({ workspace_id: caller.workspace_id, id }),
        ({ created_by }) => caller.managesAll || created_by === caller.user_id
      )
      if (Option.isNone(key)) return yield* new KeyNotFound({ message: `No key ${id}.` })
      return key.value
    })

    const update = Effect.fn("Keys.update")(
      function* (id: KeyId, patch: UpdateKey) {
        const { workspace_id } = yield* Caller
        const key = yield* get(id)
        yield* onlyTightens("requests_per_minute", key.requests_per_minute, patch.requests_per_minute)
        yield* onlyTightens("dollars_per_hour", key.dollars_per_hour, patch.dollars_per_hour)
        const added = (patch.scopes ?? []).filter((scope) => !key.scopes.includes(scope))
        if (added.length > 0) {
          return yield* new KeyOnlyTightens({
            message: `A key's scopes can only shrink; it does not have ${added.join(", ")}.`,
            param: "scopes"
          })
        }
        const updated = yield* repo.update({
          ...key,
          workspace_id,
          name: patch.name ?? key.name,
          agent_label: patch.agent_label === undefined ? key.agent_label : patch.agent_label,
          scopes: patch.scopes ?? key.scopes,
          requests_per_minute: patch.requests_per_minute ?? key.requests_per_minute,
          dollars_per_hour: patch.dollars_per_hour ?? key.dollars_per_hour
        })
        yield* auditLog.record({ object: { kind: "api_key", ref: id }, before: key, after: updated })
        return updated
      },
      inTransaction,
      Effect.ensuring(credentials.forget)
    )

    /** Revoking a revoked key changes nothing. */
    const revoke = Effect.fn("Keys.revoke")(
      function* (id: KeyId) {
        const { workspace_id } = yield* Caller
        const key = yield* get(id)
        if (key.revoked_at === null) {
          const revoked = yield* repo.update({ ...key, workspace_id, revoked_at: yield* now })
          yield* auditLog.record({ object: { kind: "api_key", ref: id }, before: key, after: revoked })
        }
      },
      inTransaction,
      Effect.ensuring(credentials.forget)
    )

    return { create, list, get, update, revoke }
  })
}) {}

const agentKeyLifetime = Duration.days(7)

// A key minted for an agent lives 7 days unless the request says otherwise; an explicit null means for ever.
const expiry = (request: CreateKey, now: DateTime.Utc): string | null => {
  if (request.expires_at !== undefined) return request.expires_at
  const forAgent = request.agent_label !== undefined && request.agent_label !== null
  return forAgent ? DateTime.formatIso(DateTime.addDuration(now, agentKeyLifetime)) : null
}

const checkRanges = (ranges: ReadonlyArray<string> | null) => {
  const bad = (ranges ?? []).findIndex((range) => parseRange(range) === null)
  return bad === -1
    ? Effect.void
    : Effect.fail(
        new InvalidPayload({
          message: `allowed_cidrs.${bad} is neither an address nor a CIDR range.`,
          param: `allowed_cidrs.${bad}`
        })
      )
}

// Setting a limit where none was, or lowering one, is allowed; raising or clearing is not.
const onlyTightens = (field: string, current: number | null, requested: number | null | undefined) =>
  requested === undefined || (requested !== null && (current === null || requested <= current)) || requested === current
    ? Effect.void
    : Effect.fail(
        new KeyOnlyTightens({
          message: `${field} of a key can be set or lowered, never raised or cleared.`,
          param: field
        })
      )
