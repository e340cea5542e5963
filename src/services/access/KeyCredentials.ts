import { Clock, Context, DateTime, Deferred, Duration, Effect, Exit, FiberId, FiberSet, Option } from "effect"
import { type KeyCredential, KeysRepo, type KeyUse } from "./KeysRepo.ts"
import { asSystem } from "./Reach.ts"

/**
 * How long a credential that was read may be believed: the most by which this process may be late to see that another
 * one revoked or narrowed a key, changed a role or suspended a workspace. Zero reads it at every call.
 */
export class CredentialLifetime extends Context.Reference<CredentialLifetime>()("CredentialLifetime", {
  defaultValue: () => Duration.zero
}) {}

/** The lifetime in a service. The operator's commands wait as long before they say that a change is in force. */
export const serviceCredentialLifetime = Duration.millis(500)

interface Known {
  readonly credential: KeyCredential
  readonly readAt: number
}

interface Lookup {
  readonly hash: Buffer
  readonly result: Deferred.Deferred<Option.Option<KeyCredential>>
}

const mostKnown = 10_000
const useInterval = Duration.toMillis("1 minute")

/** Keys as the guard needs them: hardly a call waits for the database to learn whose key it brings. */
export class KeyCredentials extends Effect.Service<KeyCredentials>()("KeyCredentials", {
  scoped: Effect.gen(function* () {
    const repo = yield* KeysRepo
    const lifetime = Duration.toMillis(yield* CredentialLifetime)
    const background = yield* FiberSet.make<void>()
    const known = new Map<string, Known>()
    const usedAt = new Map<string, number>()
    /** Lookups that the next statement answers, and uses that the next one writes. */
    let asked = new Map<string, Lookup>()
    let uses: Array<KeyUse> = []
    let isWriting = false
    let changes = 0

    /** One statement for all that ask in the same turn of the event loop. */
    const lookUp = Effect.gen(function* () {
      yield* nextTurn
      const batch = asked
      asked = new Map()
      const found = yield* Effect.exit(repo.credentialsByHash([...batch.values()].map(({ hash }) => hash)))
      const byHash = new Map(Exit.isSuccess(found) ? found.value.map((one) => [one.hash, one]) : [])
      for (const [name, { result }] of batch) {
        yield* Deferred.done(
          result,
          Exit.map(found, () => Option.fromNullable(byHash.get(name)))
        )
      }
    }).pipe(asSystem)

    // Were a call interrupted between its entry in the map and the start of the statement, all others would wait for ever.
    const read = (hash: Buffer, name: string, now: number) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          const seen = changes
          const lookup = asked.get(name) ?? { hash, result: Deferred.unsafeMake(FiberId.none) }
          const isFirst = asked.size === 0
          asked.set(name, lookup)
          // By a fiber of its own: the call that asks first may be interrupted, the others go on.
          const start = isFirst ? FiberSet.run(background, Effect.interruptible(lookUp)) : Effect.void
          return Effect.map(Effect.zipRight(start, restore(Deferred.await(lookup.result))), (credential) => {
            // What was read while a key was being changed may be from before the change.
            if (Option.isSome(credential) && lifetime > 0 && seen === changes) {
              if (known.size >= mostKnown) known.clear()
              known.set(name, { credential: credential.value, readAt: now })
            }
            return credential
          })
        })
      )

    /** The key with this hash; unknown ones are never remembered. */
    const find = (hash: Buffer): Effect.Effect<Option.Option<KeyCredential>> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const name = hash.toString("base64")
        const found = known.get(name)
        return found !== undefined && Math.abs(now - found.readAt) < lifetime
          ? Effect.succeedSome(found.credential)
          : read(hash, name, now)
      })

    /** To be called once a change of keys, roles or workspaces is committed. */
    const forget = Effect.sync(() => {
      changes++
      known.clear()
    })

    /** Those that come while a statement runs are written by the next one. */
    const writeUses = Effect.whileLoop({
      while: () => uses.length > 0,
      body: () =>
        Effect.suspend(() => {
          const batch = uses
          uses = []
          return repo.markUsed(batch)
        }),
      step: () => undefined
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          isWriting = false
        })
      ),
      asSystem
    )

    /** Notes that a key was used, once a minute; the call does not wait for it. */
    const markUsed = ({ id, last_used_at }: KeyCredential, now: DateTime.Utc, ip: string | null) => {
      const at = DateTime.toEpochMillis(now)
      const last = Math.max(usedAt.get(id) ?? 0, last_used_at === null ? 0 : Date.parse(last_used_at))
      if (at - last <= useInterval) return Effect.void
      if (usedAt.size >= mostKnown) usedAt.clear()
      usedAt.set(id, at)
      return Effect.uninterruptible(
        Effect.suspend(() => {
          uses.push({ id, at: DateTime.formatIso(now), ip })
          if (isWriting) return Effect.void
          isWriting = true
          return Effect.asVoid(FiberSet.run(background, Effect.interruptible(writeUses)))
        })
      )
    }

    /** Waits until every use is noted. */
    const noted = FiberSet.awaitEmpty(background)

    return { find, forget, markUsed, noted }
  })
}) {}

const nextTurn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))
