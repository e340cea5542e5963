import { Clock, Context, DateTime, Duration, Effect, FiberSet, Option } from "effect"
import { type KeyCredential, KeysRepo } from "./KeysRepo.ts"
import { asSystem } from "./Reach.ts"

/**
 * How long a credential that was read may be believed: the most by which this process may be late to see that another
 * one revoked or narrowed a key, changed a role or suspended a workspace. Zero reads it at every call.
 */
export class CredentialLifetime extends Context.Reference<CredentialLifetime>()("CredentialLifetime", {
  defaultValue: () => Duration.zero
}) {}

interface Known {
  readonly credential: KeyCredential
  readonly readAt: number
}

const mostKnown = 10_000
const useInterval = Duration.toMillis("1 minute")

/** Keys as the guard needs them: hardly a call waits for the database to learn whose key it brings. */
export class KeyCredentials extends Effect.Service<KeyCredentials>()("KeyCredentials", {
  scoped: Effect.gen(function* () {
    const repo = yield* KeysRepo
    const lifetime = Duration.toMillis(yield* CredentialLifetime)
    const writes = yield* FiberSet.make<void>()
    const known = new Map<string, Known>()
    const usedAt = new Map<string, number>()
    let changes = 0

    const read = (hash: Buffer, name: string, now: number) =>
      Effect.suspend(() => {
        const seen = changes
        return Effect.map(repo.credentialByHash(hash), (credential) => {
          // What was read while a key was being changed may be from before the change.
          if (Option.isSome(credential) && lifetime > 0 && seen === changes) {
            if (known.size >= mostKnown) known.clear()
            known.set(name, { credential: credential.value, readAt: now })
          }
          return credential
        })
      })

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

    /** Notes that a key was used, once a minute; the call does not wait for it. */
    const markUsed = ({ workspace_id, id, last_used_at }: KeyCredential, now: DateTime.Utc, ip: string | null) => {
      const at = DateTime.toEpochMillis(now)
      const last = Math.max(usedAt.get(id) ?? 0, last_used_at === null ? 0 : Date.parse(last_used_at))
      if (at - last <= useInterval) return Effect.void
      if (usedAt.size >= mostKnown) usedAt.clear()
      usedAt.set(id, at)
      return Effect.asVoid(
        FiberSet.run(writes, asSystem(repo.markUsed({ workspace_id, id, at: DateTime.formatIso(now), ip })))
      )
    }

    /** Waits until every use is noted. */
    const noted = FiberSet.awaitEmpty(writes)

    return { find, forget, markUsed, noted }
  })
}) {}
