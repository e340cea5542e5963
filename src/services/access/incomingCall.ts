import type { Socket } from "node:net"
import { Context } from "effect"
import { RateLimited } from "../../schema/Errors.ts"
import { clientAddress } from "./Cidr.ts"
import type { Credentials } from "./Guard.ts"
import { type RateState, stateOfRejection } from "./RateLimiter.ts"

// What both interfaces read of a request before its caller is known.

/** The part of an HTTP request that identifies its sender. */
export interface IncomingCall {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly cookies: Readonly<Record<string, string>>
  /** Node's own call. */
  readonly source: unknown
}

export const sessionCookie = "assay_session"

/** How the server is reached, as both interfaces need to know it. */
export class EdgeSettings extends Context.Tag("EdgeSettings")<
  EdgeSettings,
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

/** A page that resolves a host name of its own to this machine is recognised by that name (DNS rebinding). */
export const isKnownHost = (
  call: IncomingCall,
  { hosts }: { readonly hosts: ReadonlyArray<string> | null }
): boolean => {
  if (hosts === null) return true
  const url = `http://${call.headers.host ?? ""}`
  return URL.canParse(url) && hosts.includes(new URL(url).hostname)
}

const loopback = ["localhost", "127.0.0.1", "[::1]"]

/** A server that listens on this machine only is reached by its names, or by the public one. */
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

/** The same headers for a call that the limiter rejected; none for other errors. */
export const rateHeadersOf = (error: unknown) =>
  error instanceof RateLimited ? rateHeaders(stateOfRejection(error)) : {}
