import type { Socket } from "node:net"
import { Context } from "effect"
import { RateLimited } from "../../schema/Errors.ts"
import { clientAddress } from "./Cidr.ts"
import type { Credentials } from "./Guard.ts"
import { type RateState, stateOfRefusal } from "./RateLimiter.ts"

// What both doors read of a request before anybody is known.

/** The part of an HTTP request that says who sent it. */
export interface IncomingCall {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly cookies: Readonly<Record<string, string>>
  /** Node's own call. */
  readonly source: unknown
}

export const sessionCookie = "assay_session"

/** What the doors must know of how they are reached. */
export class DoorSettings extends Context.Tag("DoorSettings")<
  DoorSettings,
  {
    /** Networks whose `X-Forwarded-For` is believed. */
    readonly trustedProxies: ReadonlyArray<string>
    /** Whether cookies are marked `Secure`. */
    readonly secureCookies: boolean
    /** Host names that the server is reached under; `null`: any. */
    readonly hosts: ReadonlyArray<string> | null
  }
>() {}

export const addressOf = (call: IncomingCall, trustedProxies: ReadonlyArray<string>): string | null => {
  const { socket } = call.source as { readonly socket?: Socket }
  return clientAddress(socket?.remoteAddress, call.headers["x-forwarded-for"], trustedProxies)
}

/** An `Origin` is the server's own when it names the host the request was sent to; most clients send none. */
export const isSameOrigin = (call: IncomingCall): boolean => {
  const origin = call.headers.origin
  if (origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === call.headers.host
}

/** A page that points a name of its own at this machine is told by the name it calls. */
export const isKnownHost = (
  call: IncomingCall,
  { hosts }: { readonly hosts: ReadonlyArray<string> | null }
): boolean => {
  if (hosts === null) return true
  const url = `http://${call.headers.host ?? ""}`
  return URL.canParse(url) && hosts.includes(new URL(url).hostname)
}

const loopback = ["localhost", "127.0.0.1", "[::1]"]

/** Who listens on this machine only is reached by its names, or by the public one. */
export const hostsOf = (listening: string, publicUrl: string | null): ReadonlyArray<string> | null =>
  loopback.includes(listening) || listening === "::1"
    ? [...loopback, ...(publicUrl !== null && URL.canParse(publicUrl) ? [new URL(publicUrl).hostname] : [])]
    : null

export const credentialsOf = (call: IncomingCall, trustedProxies: ReadonlyArray<string>): Credentials => ({
  authorization: call.headers.authorization,
  sessionToken: call.cookies[sessionCookie],
  csrfToken: call.headers["x-assay-csrf"],
  sameOrigin: isSameOrigin(call),
  safeMethod: call.method === "GET" || call.method === "HEAD",
  address: addressOf(call, trustedProxies)
})

/** The IETF draft's two headers, of the bucket with the least left. */
export const rateHeaders = (rate: RateState) => ({
  "ratelimit-policy": `"${rate.name}";q=${rate.rpm};w=60`,
  ratelimit: `"${rate.name}";r=${rate.remaining};t=${rate.resetSeconds}`
})

/** The same of a refusal; nothing when it is another one than of the limiter. */
export const rateHeadersOf = (error: unknown) =>
  error instanceof RateLimited ? rateHeaders(stateOfRefusal(error)) : {}
