import { createHmac, timingSafeEqual } from "node:crypto"
import { Clock, Duration, Effect } from "effect"
import type { UserId } from "../../schema/Ids.ts"
import { TooManySignIns } from "../../schema/Session.ts"
import { randomBase62, sha256 } from "../support/ids.ts"
import { ServerSecrets } from "../support/ServerSecrets.ts"
import { type RateBucket, RateLimiter } from "./RateLimiter.ts"

/** How long a browser that signed in is recognised as a device of the account. */
export const deviceLifetime = Duration.days(180)

/** Failures of one account from one address, or from one of its devices. */
const failuresPerAccount = 10
/** Failures from one address, whatever the account. */
const failuresPerAddress = 30
/** Failures of one account from everywhere but its own devices: guesses from many addresses are few as well. */
const failuresPerAccountAnywhere = 30
/** E-mails that one address may have sent. */
const linkRequestsPerAddress = 5

export interface SignInAttempt {
  /** E-mail address in lower case. */
  readonly account: string
  /** `null` where there is no such account. */
  readonly user_id: UserId | null
  readonly address: string | null
  /** What `deviceOf` made at an earlier sign-in, as the browser sent it. */
  readonly device: string | undefined
}

/**
 * Bounds guessing: failures count, successes do not. An attempt is charged before its password is checked, so that many at
 * the same time are no more than one after the other. A device of the account is limited by its own failures only: no one
 * else can lock it out.
 */
export class SignInLimits extends Effect.Service<SignInLimits>()("SignInLimits", {
  effect: Effect.gen(function* () {
    const limiter = yield* RateLimiter
    const secret = yield* Effect.flatMap(ServerSecrets, (secrets) => secrets.get("device"))

    const sealed = (body: string) => `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`

    /** A cookie that recognises this browser at the account's next sign-in. */
    const deviceOf = (user_id: UserId) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        sealed(`${user_id}.${randomBase62(16)}.${now + Duration.toMillis(deviceLifetime)}`)
      )

    /** The name of a device of this account; `null` for others, and for what is expired or made up. */
    const nameOf = (cookie: string | undefined, user_id: UserId | null, now: number): string | null => {
      const [owner, name, expires, ...rest] = cookie?.split(".") ?? []
      if (owner === undefined || name === undefined || expires === undefined || rest.length !== 1) return null
      const isGenuine = sameText(cookie ?? "", sealed(`${owner}.${name}.${expires}`))
      return isGenuine && owner === user_id && Number(expires) > now ? name : null
    }

    const bucketsOf = ({ account, user_id, address, device }: SignInAttempt, now: number) => {
      const from = address ?? "unknown"
      const known = nameOf(device, user_id, now)
      const hash = sha256(account).toString("hex")
      return known !== null
        ? { own: bucket(`device/${hash}/${known}`, failuresPerAccount), shared: [] }
        : {
            own: bucket(`account/${hash}/${from}`, failuresPerAccount),
            shared: [addressBucket(from), bucket(`account/${hash}`, failuresPerAccountAnywhere)]
          }
    }

    const charge = (buckets: ReadonlyArray<RateBucket>) =>
      Effect.mapError(
        limiter.take(buckets),
        ({ retryAfterSeconds = 1 }) =>
          new TooManySignIns({
            message: `Too many attempts to sign in; try again in ${retryAfterSeconds} s.`,
            retryAfterSeconds
          })
      )

    /** Runs an attempt with a password, unless too many before it have failed. */
    const withPassword = <A, E, R>(attempt: SignInAttempt, signIn: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const { own, shared } = bucketsOf(attempt, yield* Clock.currentTimeMillis)
        yield* charge([own, ...shared])
        return yield* Effect.tap(signIn, () => Effect.zipRight(limiter.reset([own.key]), limiter.refund(shared)))
      })

    /** The same with a one-time link. */
    const withLink = <A, E, R>(address: string | null, signIn: Effect.Effect<A, E, R>) => {
      const buckets = [addressBucket(address ?? "unknown")]
      return Effect.zipRight(
        charge(buckets),
        Effect.tap(signIn, () => limiter.refund(buckets))
      )
    }

    /** A request for a link by e-mail, for whichever account: no success gives any back. */
    const forLinkRequest = (address: string | null) =>
      charge([bucket(`link-request/${address ?? "unknown"}`, linkRequestsPerAddress)])

    return { deviceOf, withPassword, withLink, forLinkRequest }
  })
}) {}

const bucket = (name: string, rpm: number): RateBucket => ({ key: `sign-in/${name}`, name: "sign-in", rpm })
const addressBucket = (address: string) => bucket(`address/${address}`, failuresPerAddress)

const sameText = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
