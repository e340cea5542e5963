import { Effect, FiberSet, type Scope as LifeTime } from "effect"
import type { WorkspaceId } from "../../schema/Ids.ts"
import { TooManyStreams } from "../../schema/Job.ts"
import type { Scope } from "../../schema/Key.ts"
import { now } from "../support/now.ts"
import { Caller, type CallerInfo, missingScopes } from "./Caller.ts"
import { LiveCallersRepo } from "./LiveCallersRepo.ts"
import { asSystem } from "./Reach.ts"
import { permissionsOf } from "./roles.ts"

/** Streams that one key or session may have open. */
const mostOfCaller = 20
/** Streams of everyone in one process. */
const mostOfProcess = 500
/** A stream ends within a second of its caller's admission: this, and the time of a statement. */
const checkInterval = "500 millis"
const retryAfterSeconds = 10

interface OpenStream {
  readonly caller: CallerInfo
  readonly scopes: ReadonlyArray<Scope>
  /** Called once, when the caller may not read on. */
  readonly onEnd: () => void
}

const noPermissions: ReadonlySet<Scope> = new Set()

/**
 * Streams outlive the admission of their request: their number is bounded, and a stream ends soon after its caller is no
 * longer admitted. Two statements a second check all callers of a process, and none while nothing is open.
 */
export class OpenStreams extends Effect.Service<OpenStreams>()("OpenStreams", {
  scoped: Effect.gen(function* () {
    const callers = yield* LiveCallersRepo
    const checks = yield* FiberSet.make<void>()
    const open = new Set<OpenStream>()
    let isChecking = false

    const check = Effect.gen(function* () {
      const streams = [...open]
      const ids = [...new Set(streams.map(({ caller }) => caller.credential.id))]
      const live = yield* callers.among({ ids, now: yield* now })
      const held = new Map(live.map((one) => [nameOf(one), one]))
      for (const stream of streams) {
        const { caller, scopes, onEnd } = stream
        const { workspace_id, credential } = caller
        const now = held.get(nameOf({ workspace_id, id: credential.id }))
        const permissions = now === undefined ? noPermissions : permissionsIn(now.role, now.scopes)
        // A stream may be of a repository that has become hidden.
        const seesLess = now?.hidden_repositories.some((id) => !caller.hidden_repositories.includes(id)) === true
        if (seesLess || missingScopes(permissions, scopes).length > 0) {
          open.delete(stream)
          onEnd()
        }
      }
    })

    const checkWhileOpen: Effect.Effect<void> = Effect.suspend(() => {
      if (open.size === 0) {
        isChecking = false
        return Effect.void
      }
      return check.pipe(
        // Without the database a stream has no events to read either.
        Effect.catchAllCause((cause) => Effect.logDebug("Callers of open streams could not be checked.", cause)),
        Effect.delay(checkInterval),
        Effect.zipRight(checkWhileOpen)
      )
    })

    const enter = Effect.fnUntraced(function* (scopes: ReadonlyArray<Scope>, onEnd: () => void) {
      const caller = yield* Caller
      const own = [...open].filter((stream) => stream.caller.credential.id === caller.credential.id).length
      if (own >= mostOfCaller) return yield* tooMany(`This caller has ${mostOfCaller} streams open`)
      if (open.size >= mostOfProcess) return yield* tooMany(`This server has ${mostOfProcess} streams open`)
      const stream: OpenStream = { caller, scopes, onEnd }
      open.add(stream)
      if (!isChecking) {
        isChecking = true
        // A stream is entered uninterruptibly, which a fiber inherits.
        yield* FiberSet.run(checks, asSystem(Effect.interruptible(checkWhileOpen)))
      }
      return stream
    })

    /** A place among the open streams, until the scope closes or the caller may not read on, which `onEnd` is called for. */
    const admit = (
      scopes: ReadonlyArray<Scope>,
      onEnd: () => void
    ): Effect.Effect<void, TooManyStreams, Caller | LifeTime.Scope> =>
      Effect.asVoid(Effect.acquireRelease(enter(scopes, onEnd), (stream) => Effect.sync(() => open.delete(stream))))

    return { admit }
  })
}) {}

/** A caller in one workspace: a stream of a session ends when the session switches to another one. */
const nameOf = ({ workspace_id, id }: { readonly workspace_id: WorkspaceId; readonly id: string }) =>
  `${workspace_id}/${id}`

const permissionsIn = (role: Parameters<typeof permissionsOf>[0], scopes: ReadonlyArray<Scope> | null) => {
  const allowed = permissionsOf(role)
  return scopes === null ? allowed : new Set(scopes.filter((scope) => allowed.has(scope)))
}

const tooMany = (what: string) =>
  new TooManyStreams({
    message: `${what}, which is the limit; close one, or read the events page by page.`,
    retryAfterSeconds
  })
