import { type KeyObject, sign } from "node:crypto"
import { Octokit } from "@octokit/core"
import { Clock, Data, Duration, Effect, Schedule } from "effect"
import type { Fetch } from "../OutboundHttp.ts"

/** Typed routes of GitHub's REST API. */
export type GitHubRequest = Octokit["request"]

/**
 * GitHub did not do what was asked of it. `status` is 0 where there was no answer. The message is GitHub's own and may
 * be shown: it holds no credential, as none is in the address or the body of a request.
 */
export class GitHubFailure extends Data.TaggedError("GitHubFailure")<{
  readonly status: number
  readonly message: string
  readonly isRateLimit: boolean
  /** After how long GitHub asks to be called again. */
  readonly retryAfter: Duration.Duration | null
}> {}

export interface GitHubOptions {
  /** `https://api.github.com`, or `https://HOST/api/v3` of an enterprise server. */
  readonly apiUrl: string
  readonly fetch: Fetch
  /** Between attempts of a call that got no answer. */
  readonly retryDelay?: Duration.DurationInput
}

/** GitHub accepts no signature for longer than ten minutes, and its clock may be behind ours. */
const signatureSeconds = 9 * 60
const clockSkewSeconds = 60

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** What shows that the app calls (RS256). */
export const appSignature = (appId: string, key: KeyObject, nowSeconds: number): string => {
  const claims = { iat: nowSeconds - clockSkewSeconds, exp: nowSeconds + signatureSeconds, iss: appId }
  const text = `${encoded({ alg: "RS256", typ: "JWT" })}.${encoded(claims)}`
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`
}

/** A wait that GitHub asks for is kept to when it is this short, once. */
const longestWait = Duration.seconds(20)

/** Calls of GitHub's API with one authorization. */
export const makeClient = (options: GitHubOptions) => {
  const octokit = new Octokit({
    baseUrl: options.apiUrl,
    userAgent: "assay",
    request: { fetch: options.fetch },
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore }
  })
  const retryDelay = options.retryDelay ?? "500 millis"

  const once = <A>(
    authorization: string,
    call: (request: GitHubRequest) => Promise<{ readonly data: A }>
  ): Effect.Effect<A, GitHubFailure> => {
    // The address is Octokit's own; the header is all that is added.
    const request = octokit.request.defaults({ headers: { authorization, "x-github-api-version": apiVersion } })
    return Effect.map(Effect.tryPromise({ try: () => call(request), catch: failureOf }), ({ data }) => data)
  }

  /** A change is asked for once: look whether it was made before it is repeated. */
  const change = <A>(authorization: string, call: (request: GitHubRequest) => Promise<{ readonly data: A }>) =>
    waiting(once(authorization, call))

  const look = <A>(authorization: string, call: (request: GitHubRequest) => Promise<{ readonly data: A }>) =>
    waiting(
      Effect.retry(once(authorization, call), {
        while: ({ status }) => status === 0 || status >= 500,
        times: 2,
        schedule: Schedule.exponential(retryDelay)
      })
    )

  /** A GraphQL query or mutation. */
  const graphql = <A>(authorization: string, query: string, variables: Record<string, unknown>) =>
    waiting(
      Effect.tryPromise({
        try: () => octokit.graphql<A>(query, { ...variables, headers: { authorization } }),
        catch: failureOf
      })
    )

  return { change, look, graphql }
}

export type GitHubClient = ReturnType<typeof makeClient>

const apiVersion = "2022-11-28"

const ignore = () => {}

const waiting = <A>(effect: Effect.Effect<A, GitHubFailure>): Effect.Effect<A, GitHubFailure> =>
  Effect.catchIf(
    effect,
    ({ isRateLimit, retryAfter }) =>
      isRateLimit && retryAfter !== null && Duration.lessThanOrEqualTo(retryAfter, longestWait),
    ({ retryAfter }) => Effect.delay(effect, retryAfter ?? Duration.zero)
  )

const failureOf = (error: unknown): GitHubFailure => {
  const status = property(error, "status")
  const headers = property(property(error, "response"), "headers")
  const retryAfter = Number(property(headers, "retry-after") ?? Number.NaN)
  const isSpent = String(property(headers, "x-ratelimit-remaining")) === "0"
  const isAnswer = typeof status === "number" && property(error, "response") !== undefined
  return new GitHubFailure({
    status: isAnswer ? status : property(error, "errors") === undefined ? 0 : 422,
    message: messageOf(error, isAnswer),
    isRateLimit: status === 429 || (status === 403 && (isSpent || Number.isFinite(retryAfter))),
    retryAfter: Number.isFinite(retryAfter) ? Duration.seconds(retryAfter) : null
  })
}

const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && name in value ? Reflect.get(value, name) : undefined

const messageOf = (error: unknown, isAnswer: boolean): string => {
  const cause = property(error, "cause")
  const why = !isAnswer && cause instanceof Error ? cause : error
  return (why instanceof Error ? why.message : "unknown error").replace(/ - https:\S+$/, "").slice(0, 500)
}

/** Seconds since the epoch. */
export const nowSeconds = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))
