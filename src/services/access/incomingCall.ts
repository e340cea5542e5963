import { isIP, isIPv6, type Socket } from "node:net"
import { Context, Effect } from "effect"
import { RateLimited, UnknownHost } from "../../schema/Errors.ts"
import { clientAddress } from "./Cidr.ts"
import type { Credentials } from "./Guard.ts"
import { loopbackNames } from "./loopback.ts"
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

const namesWith = (prefix: string) => ({
  session: `${prefix}assay_session`,
  /** Recognises a browser that has signed in before. */
  device: `${prefix}assay_device`,
  /** Recognises a browser that comes back from the identity provider. */
  signOn: `${prefix}assay_oidc`
})

const plainNames = namesWith("")
const hostNames = namesWith("__Host-")

/** Behind TLS the prefix keeps other hosts of the domain, and pages without TLS, from setting these cookies. */
export const cookieNames = ({ secureCookies }: { readonly secureCookies: boolean }) =>
  secureCookies ? hostNames : plainNames

/** How the server is reached, as both interfaces need to know it. */
export class EdgeSettings extends Context.Tag("EdgeSettings")<
  EdgeSettings,
  {
    /** Networks whose `X-Forwarded-For` is believed. */
    readonly trustedProxies: ReadonlyArray<string>
    /** Whether browsers come over TLS: cookies are marked `Secure`, and HSTS is sent. */
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

/** Among the hosts: any IP address. No one can make one resolve to another. */
const anyAddress = "*"

/** A page that resolves a host name of its own to this machine is recognised by that name (DNS rebinding). */
export const isKnownHost = (
  call: IncomingCall,
  { hosts }: { readonly hosts: ReadonlyArray<string> | null }
): boolean => {
  if (hosts === null) return true
  const url = `http://${call.headers.host ?? ""}`
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return hosts.includes(hostname) || (hosts.includes(anyAddress) && isIP(hostname.replace(/^\[|\]$/g, "")) !== 0)
}

/** Rejects a name that is not the server's own: the page behind it may be anyone's. */
export const checkHost = (call: IncomingCall, settings: Pick<EdgeSettings["Type"], "hosts">) =>
  isKnownHost(call, settings)
    ? Effect.void
    : Effect.fail(
        new UnknownHost({
          message:
            "The header Host is not a name of this server; the operator adds names with ASSAY_PUBLIC_URL or ASSAY_ALLOWED_HOSTS."
        })
      )

const everywhere = ["0.0.0.0", "::"]

/**
 * The names of a server: those of this machine, the address it listens on, and what the operator says. A server that others
 * reach, and whose operator says nothing, may have any.
 */
export const hostsOf = (
  listening: string,
  { publicUrl, allowedHosts }: { readonly publicUrl: string | null; readonly allowedHosts: ReadonlyArray<string> }
): ReadonlyArray<string> | null => {
  const named = [
    ...(publicUrl !== null && URL.canParse(publicUrl) ? [new URL(publicUrl).hostname] : []),
    ...allowedHosts.map((name) => name.toLowerCase())
  ]
  const address = isIPv6(listening) ? `[${listening}]` : listening
  if (named.length === 0 && !loopbackNames.includes(address)) return null
  return [...loopbackNames, ...named, everywhere.includes(listening) ? anyAddress : address]
}

export const credentialsOf = (
  call: IncomingCall,
  settings: Pick<EdgeSettings["Type"], "trustedProxies" | "secureCookies">
): Credentials => ({
  authorization: call.headers.authorization,
  sessionToken: call.cookies[cookieNames(settings).session],
  csrfToken: call.headers["x-assay-csrf"],
  sameOrigin: isSameOrigin(call),
  safeMethod: call.method === "GET" || call.method === "HEAD",
  address: addressOf(call, settings.trustedProxies)
})

/** The IETF draft's two headers, of the bucket with the least left. */
export const rateHeaders = (rate: RateState) => ({
  "ratelimit-policy": `"${rate.name}";q=${rate.rpm};w=60`,
  ratelimit: `"${rate.name}";r=${rate.remaining};t=${rate.resetSeconds}`
})

/** The same headers for a call that the limiter rejected; none for other errors. */
export const rateHeadersOf = (error: unknown) =>
  error instanceof RateLimited ? rateHeaders(stateOfRejection(error)) : {}
