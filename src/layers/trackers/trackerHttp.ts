import { Effect, Option } from "effect"
import { TicketTrackerError } from "../../services/ports/TicketTracker.ts"
import { isRecord } from "../../services/support/isRecord.ts"
import { type Fetch, OutboundFailure } from "../OutboundHttp.ts"

export interface TrackerRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly json?: unknown
}

export interface TrackerResponse {
  readonly status: number
  readonly headers: Headers
  /** The body, where it is JSON; null otherwise. */
  readonly json: unknown
}

/** How long a tracker may take. */
const patienceMillis = 15_000
/** How long to wait after a failure that says nothing about it. */
export const defaultRetrySeconds = 30
const longestRetrySeconds = 3600

export const failed = (
  reason: TicketTrackerError["reason"],
  message: string,
  retryAfterSeconds: number | null = null
) => new TicketTrackerError({ reason, message, retryAfterSeconds })

/** Sends requests of a tracker called `name`. A redirect is not followed: it would carry the token elsewhere. */
export const trackerHttp =
  (fetch: Fetch, name: string) =>
  ({ method, url, headers, json }: TrackerRequest): Effect.Effect<TrackerResponse, TicketTrackerError> =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await fetch(url, {
          method,
          headers: {
            "user-agent": "assay",
            ...headers,
            ...(json === undefined ? {} : { "content-type": "application/json" })
          },
          signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMillis)]),
          ...(json === undefined ? {} : { body: JSON.stringify(json) })
        })
        return { status: response.status, headers: response.headers, json: parsed(await response.text()) }
      },
      catch: (error) => error
    }).pipe(Effect.catchAll((error) => answerOf(name, url, error)))

/** What a call that has no response means. */
const answerOf = (name: string, url: string, error: unknown): Effect.Effect<TrackerResponse, TicketTrackerError> => {
  const cause = error instanceof TypeError ? error.cause : undefined
  const failure = cause instanceof OutboundFailure ? cause : null
  switch (failure?.reason) {
    case "redirect":
      return Effect.succeed({ status: 301, headers: new Headers(), json: null })
    case "address_refused":
    case "protocol_refused":
      return Effect.fail(failed("address_refused", `${name} is not called: ${failure.message}`))
    default:
      return Effect.fail(failed("unavailable", `${name} at ${new URL(url).host} gave no answer.`, defaultRetrySeconds))
  }
}

const parsed = (text: string): unknown => Option.getOrNull(Option.liftThrowable(JSON.parse)(text))

/** Seconds to wait: `Retry-After`, or the time at which a limit is reset, in seconds since 1970. */
const waitOf = (headers: Headers, now: number): number => {
  const retryAfter = headers.get("retry-after")
  const reset = headers.get("x-ratelimit-remaining") === "0" ? headers.get("x-ratelimit-reset") : null
  const seconds =
    retryAfter !== null && /^\d{1,9}$/.test(retryAfter)
      ? Number(retryAfter)
      : reset !== null && /^\d{1,12}$/.test(reset)
        ? Number(reset) - Math.floor(now / 1000)
        : defaultRetrySeconds
  return Math.min(Math.max(seconds, 1), longestRetrySeconds)
}

/** The failure of a tracker that is down or asks to wait; none for other responses. */
export const outageOf = (name: string, response: TrackerResponse): TicketTrackerError | null => {
  const { status, headers } = response
  const wait = () => waitOf(headers, Date.now())
  if (status === 429 || (status === 403 && isLimit(response))) {
    return failed("unavailable", `${name} accepts no more calls for now.`, wait())
  }
  return status >= 500 ? failed("unavailable", `${name} returned ${status}.`, wait()) : null
}

/** Some limits come as 403. */
const isLimit = ({ headers, json }: TrackerResponse): boolean =>
  headers.has("retry-after") ||
  headers.get("x-ratelimit-remaining") === "0" ||
  (isRecord(json) && typeof json.message === "string" && /rate limit/i.test(json.message))

/** The member of an object that came as JSON. */
export const memberOf = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined), value)

export const textOf = (value: unknown, ...path: ReadonlyArray<string | number>): string | null => {
  const found = memberOf(value, ...path)
  return typeof found === "string" || typeof found === "number" ? String(found) : null
}

export const listOf = (value: unknown, ...path: ReadonlyArray<string | number>): ReadonlyArray<unknown> => {
  const found = memberOf(value, ...path)
  return Array.isArray(found) ? found : []
}

/** A response of another form than documented. */
export const unreadable = (name: string) =>
  failed("unavailable", `${name} returned what is no response of its API; check base_url.`, defaultRetrySeconds)

/** A value that a response must have. */
export const required = <A>(name: string, value: A | null): Effect.Effect<A, TicketTrackerError> =>
  value === null ? Effect.fail(unreadable(name)) : Effect.succeed(value)

/** An address that people can follow, and nothing else that a tracker may send. */
export const linkOf = (value: unknown, ...path: ReadonlyArray<string | number>): string | null => {
  const link = textOf(value, ...path)
  return link !== null && link.length <= 2000 && /^https?:\/\//.test(link) && URL.canParse(link) ? link : null
}

/** Names of fields, and nothing that a tracker could quote. */
export const fieldsInWords = (fields: ReadonlyArray<string>): string => {
  const names = fields.filter((field) => /^[\w.-]{1,60}$/.test(field)).slice(0, 10)
  return names.length === 0 ? "" : `, for these fields: ${names.join(", ")}`
}
