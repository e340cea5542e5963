import { timingSafeEqual } from "node:crypto"
import { DateTime, Effect, Option } from "effect"
import {
  AddressNotAllowed,
  CsrfRejected,
  ExpiredApiKey,
  InvalidApiKey,
  InvalidSession,
  KeyRequired,
  MissingApiKey,
  RevokedApiKey,
  SessionRequired,
  WorkspaceSuspended
} from "../../schema/Errors.ts"
import type { Plan } from "../../schema/Feature.ts"
import type { Bucket, Operation } from "../../schema/Operation.ts"
import { sha256 } from "../support/ids.ts"
import { isWellFormedKey } from "./apiKeyFormat.ts"
import { type CallerInfo, insufficientScope, missingScopes } from "./Caller.ts"
import { inRanges } from "./Cidr.ts"
import { requireFeature, type Subscription } from "./Features.ts"
import { KeyCredentials } from "./KeyCredentials.ts"
import type { KeyCredential } from "./KeysRepo.ts"
import { RateLimiter } from "./RateLimiter.ts"
import { permissionsOf } from "./roles.ts"
import { Sessions } from "./Sessions.ts"
import type { SessionRow } from "./SessionsRepo.ts"
import { Spend } from "./Spend.ts"

/** What a door knows of a request before anybody is known. */
export interface Credentials {
  readonly authorization: string | undefined
  readonly sessionToken: string | undefined
  readonly csrfToken: string | undefined
  /** Whether the request's `Origin`, when it sent one, is the server's own. */
  readonly sameOrigin: boolean
  readonly safeMethod: boolean
  /** `null` when it cannot be established. */
  readonly address: string | null
}

/** A known caller with the limits that apply to every call of theirs. */
export interface Identity extends Subscription {
  readonly caller: CallerInfo
  readonly budgetKey: string
  readonly requestsPerMinute: number | null
  /** False only where it is known that no hourly ceiling applies. */
  readonly hasCeiling: boolean
}

const planBudget: Record<Plan, number> = { free: 600, paid: 3000 }
/** Of all calls of one session: buckets of operations, and the plan's budget, are for keys. */
const sessionBudget = 600

const isPerson = ({ caller }: Identity) => caller.credential.kind === "session"

/** Nothing else enforces who may call, how often, and with which scopes; both interfaces use it. */
export class Guard extends Effect.Service<Guard>()("Guard", {
  effect: Effect.gen(function* () {
    const keys = yield* KeyCredentials
    const sessions = yield* Sessions
    const limiter = yield* RateLimiter
    const spend = yield* Spend

    const identifyKey = Effect.fnUntraced(function* (key: string, address: string | null) {
      const found = isWellFormedKey(key) ? yield* keys.find(sha256(key)) : Option.none()
      if (Option.isNone(found)) return yield* new InvalidApiKey({ message: "This API key is not valid." })
      const row = found.value
      const now = yield* DateTime.now
      if (row.revoked_at !== null)
        return yield* new RevokedApiKey({ message: "This API key was revoked, or its creator is disabled." })
      if (row.expires_at !== null && row.expires_at <= DateTime.formatIso(now)) {
        return yield* new ExpiredApiKey({ message: "This API key has expired." })
      }
      if (row.allowed_cidrs !== null && (address === null || !inRanges(address, row.allowed_cidrs))) {
        return yield* new AddressNotAllowed({ message: "This API key may not be used from this address." })
      }
      if (row.suspended_at !== null) {
        return yield* new WorkspaceSuspended({
          message: "The workspace is suspended; keys work again when it is active."
        })
      }
      yield* keys.markUsed(row, now, address)
      return keyIdentity(row)
    })

    const identifySession = Effect.fn("Guard.identifySession")(function* (
      token: string,
      credentials: Credentials,
      whileSuspended: boolean
    ) {
      const session = yield* sessions.resolve(token)
      if (session.suspended_at !== null && !whileSuspended) {
        return yield* new WorkspaceSuspended({
          message: "The workspace is suspended; sign out, or switch to another workspace."
        })
      }
      if (!credentials.safeMethod) {
        if (!credentials.sameOrigin || !sameText(credentials.csrfToken ?? "", session.csrf_token)) {
          return yield* new CsrfRejected({
            message: "A change made with a session cookie needs the header X-Assay-CSRF and the site's own origin."
          })
        }
      }
      yield* sessions.markSeen(session, credentials.address)
      return sessionIdentity(session)
    })

    /** Who is calling. An `Authorization` header, even a bad one, wins over a cookie. */
    const identify = Effect.fnUntraced(function* (credentials: Credentials, whileSuspended = false) {
      if (credentials.authorization !== undefined) {
        const match = /^Bearer +([^\s]+)$/i.exec(credentials.authorization)
        if (match === null) {
          return yield* new InvalidApiKey({ message: "Send the API key as `Authorization: Bearer <key>`." })
        }
        return yield* identifyKey(match[1]!, credentials.address)
      }
      if (credentials.sessionToken !== undefined) {
        return yield* identifySession(credentials.sessionToken, credentials, whileSuspended)
      }
      return yield* new MissingApiKey({ message: "Send an API key as `Authorization: Bearer <key>`." })
    })

    /** Charges the caller's budget and the door's or operation's own buckets; the lowest decides. */
    const charge = (identity: Identity, ...buckets: ReadonlyArray<Bucket>) =>
      limiter.take(
        isPerson(identity)
          ? [{ key: `${identity.budgetKey}/session`, name: "session", rpm: sessionBudget }]
          : [
              { key: `${identity.budgetKey}/plan`, name: "plan", rpm: planBudget[identity.plan] },
              ...(identity.requestsPerMinute === null
                ? []
                : [{ key: `${identity.budgetKey}/key`, name: "key", rpm: identity.requestsPerMinute }]),
              ...buckets.map((bucket) => ({
                key: `${identity.budgetKey}/${bucket.name}`,
                name: bucket.name,
                rpm: bucket.rpm
              }))
            ]
      )

    /** Charges one bucket only, for a call whose request was charged before. */
    const chargeBucket = (identity: Identity, bucket: Bucket) =>
      isPerson(identity)
        ? Effect.void
        : limiter.take([{ key: `${identity.budgetKey}/${bucket.name}`, name: bucket.name, rpm: bucket.rpm }])

    /** Whether this caller may do this: kind of credential, scopes, features. */
    const authorize = Effect.fnUntraced(function* (operation: Operation, identity: Identity) {
      const { caller } = identity
      if (operation.only === "session" && caller.credential.kind !== "session") {
        return yield* new SessionRequired({ message: "This needs a signed-in person, not an API key." })
      }
      if (operation.only === "key" && caller.credential.kind !== "api_key") {
        return yield* new KeyRequired({ message: "This needs an API key, not a signed-in session." })
      }
      const missing = missingScopes(caller.permissions, operation.scopes)
      if (missing.length > 0) return yield* insufficientScope(missing)
      yield* requireFeature(operation, identity)
    })

    /** Whether an hourly spend ceiling, of the workspace or the key, is used up. */
    const rejectWhenExhausted = ({ caller, hasCeiling }: Identity) =>
      hasCeiling ? spend.rejectWhenExhausted(caller) : Effect.void

    // A service that reserves what a job may cost knows better whether there is room, and whether the call costs at all.
    const withinCeilings = ({ access, reserves }: Operation, identity: Identity) =>
      access === "spend" && reserves !== true ? rejectWhenExhausted(identity) : Effect.void

    /** All checks of one call of one operation, in order: who, how often, may they, can they afford it. */
    const admit = Effect.fnUntraced(function* (operation: Operation, credentials: Credentials) {
      // A session where a key is needed is rejected for that, whatever else it lacks.
      const isRejectedAnyway = operation.only === "key"
      const identity = yield* identify(
        isRejectedAnyway ? { ...credentials, safeMethod: true } : credentials,
        operation.whileSuspended === true
      ).pipe(
        Effect.mapError((error) =>
          error._tag === "MissingApiKey" && operation.only === "session"
            ? new InvalidSession({ message: "Sign in first." })
            : error
        )
      )
      const rate = yield* charge(identity, ...(operation.bucket === undefined ? [] : [operation.bucket]))
      const rejected = yield* Effect.either(
        Effect.zipRight(authorize(operation, identity), withinCeilings(operation, identity))
      )
      return { caller: identity.caller, rate, rejected }
    })

    return { identify, charge, chargeBucket, authorize, rejectWhenExhausted, admit }
  })
}) {}

// A key's scopes are a ceiling; what its creator may not do (any more), the key may not do either.
const keyIdentity = (row: KeyCredential): Identity => {
  const allowed = row.creator_role === null ? new Set() : permissionsOf(row.creator_role)
  return {
    caller: {
      workspace_id: row.workspace_id,
      actor: {
        kind: "api_key",
        label: row.agent_label ?? `${row.name} (${row.prefix})`,
        api_key_id: row.id,
        user_id: null
      },
      permissions: new Set(row.scopes.filter((scope) => allowed.has(scope))),
      hidden_repositories: row.hidden_repositories,
      credential: {
        kind: "api_key",
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        created_by: row.created_by,
        creator_role: row.creator_role
      }
    },
    budgetKey: `key/${row.id}`,
    plan: row.plan,
    requestsPerMinute: row.requests_per_minute,
    features: row.features,
    hasCeiling: row.has_ceiling
  }
}

const sessionIdentity = (session: SessionRow): Identity => ({
  caller: {
    workspace_id: session.workspace_id,
    actor: { kind: "user", label: session.email, api_key_id: null, user_id: session.user_id },
    permissions: permissionsOf(session.role),
    hidden_repositories: session.hidden_repositories,
    credential: { kind: "session", id: session.id, role: session.role, user_id: session.user_id }
  },
  budgetKey: `session/${session.id}`,
  plan: session.plan,
  requestsPerMinute: null,
  features: session.features,
  hasCeiling: true
})

const sameText = (a: string, b: string) => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
