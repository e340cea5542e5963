import type { LookupFunction } from "node:net"
import type { Readable } from "node:stream"
import { Context, Effect, Either, Layer, Redacted } from "effect"
import { Agent, type Dispatcher, ProxyAgent, request as send } from "undici"
import { isLoopback } from "../services/access/loopback.ts"
import { type AddressGate, type AddressRejected, makeAddressGate } from "./AddressGate.ts"
import { authoritiesOf } from "./certificates.ts"
import { type Proxy, type ProxySettings, proxyFor } from "./Proxy.ts"

export interface OutboundHttpOptions {
  /** Lets calls reach private and loopback addresses. */
  readonly allowPrivateNetwork: boolean
  /** Further authorities, as PEM. */
  readonly extraAuthorities: string | null
  readonly proxies: ProxySettings
  /** Every address of a host name. The system's resolver unless given. */
  readonly resolve?: (host: string) => Promise<ReadonlyArray<string>>
  readonly maxBytes?: number
  readonly timeoutMillis?: number
}

/** As the global `fetch`, so that libraries take it. Rejects with a `TypeError` whose cause says what was wrong. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** An answer whose body is read piece by piece: for what is too large to hold. No piece takes longer than the limit of time. */
export interface OpenedStream {
  readonly status: number
  readonly headers: Headers
  readonly body: Readable
}

/** Rejects as `Fetch` does. The body has no limit of size: who reads it counts. */
export type OpenStream = (
  url: string,
  init: {
    readonly method?: "GET" | "POST"
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
    readonly signal: AbortSignal
  }
) => Promise<OpenedStream>

/**
 * How our own code calls other hosts over HTTP: through the proxy and with the authorities of the operator, to addresses that
 * were checked, without redirects, within limits of size and time. The whole answer is read before it is returned, unless a stream is opened.
 */
export class OutboundHttp extends Context.Tag("OutboundHttp")<
  OutboundHttp,
  {
    /** For addresses that people give, or that another host does. */
    readonly fetch: Fetch
    /** For addresses that the operator's environment names: these may be on the operator's own network. */
    readonly fetchConfigured: Fetch
    readonly open: OpenStream
    readonly openConfigured: OpenStream
    /** Rejects with an `OutboundFailure` where a call to the address of a person would be refused now. Connects to nothing. */
    readonly check: (url: string) => Promise<void>
  }
>() {}

/** Why a call was not made, or its answer not used. The message names the host and nothing that may be secret. */
export class OutboundFailure extends Error {
  readonly reason: "address_refused" | "unreachable" | "redirect" | "too_large" | "timeout" | "protocol_refused"

  constructor(reason: OutboundFailure["reason"], message: string) {
    super(message)
    this.name = "OutboundFailure"
    this.reason = reason
  }
}

const defaultMaxBytes = 16 * 1024 * 1024
const defaultTimeoutMillis = 30_000

interface Client {
  readonly gate: AddressGate
  readonly direct: Dispatcher
  readonly through: (proxy: Proxy) => Dispatcher
  readonly proxies: ProxySettings
  readonly maxBytes: number
  readonly timeoutMillis: number
}

/** A connection goes to the addresses that were checked: the name is resolved here and nowhere else. */
const checkedLookup =
  (gate: AddressGate): LookupFunction =>
  (host, options, done) => {
    Effect.runPromise(Effect.either(gate.admit(host))).then((admitted) => {
      if (Either.isLeft(admitted)) return done(failureOf(admitted.left), "", 4)
      const found = admitted.right.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
      return options.all === true ? done(null, found) : done(null, admitted.right[0], found[0]?.family ?? 4)
    })
  }

const failureOf = ({ reason, message }: AddressRejected) =>
  new OutboundFailure(reason === "unknown_host" ? "unreachable" : "address_refused", message)

const makeClient = (options: OutboundHttpOptions): Client => {
  const gate = makeAddressGate(options)
  const tls = { ...authoritiesOf(options.extraAuthorities), timeout: 10_000 }
  const known = new Map<string, Dispatcher>()
  return {
    gate,
    direct: new Agent({ connect: { ...tls, lookup: checkedLookup(gate) } }),
    through: (proxy) => {
      const dispatcher = known.get(proxy.url) ?? throughProxy(proxy, tls)
      known.set(proxy.url, dispatcher)
      return dispatcher
    },
    proxies: options.proxies,
    maxBytes: options.maxBytes ?? defaultMaxBytes,
    timeoutMillis: options.timeoutMillis ?? defaultTimeoutMillis
  }
}

const throughProxy = ({ url, credentials }: Proxy, tls: { readonly ca?: ReadonlyArray<string> }) => {
  const { ca } = tls
  const settings = ca === undefined ? {} : { ca: [...ca] }
  return new ProxyAgent({
    uri: url,
    requestTls: settings,
    proxyTls: settings,
    ...(credentials === null ? {} : { token: basicOf(credentials.user, Redacted.value(credentials.password)) })
  })
}

const basicOf = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`

/** Where the call goes, once that is allowed. A proxy resolves names itself: only addresses can be checked here. */
const dispatcherFor = async (client: Client, url: URL): Promise<Dispatcher> => {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const scheme = url.protocol.slice(0, -1)
  if (scheme !== "https" && !(scheme === "http" && isLoopback(url.hostname))) {
    throw new OutboundFailure("protocol_refused", `${url.host} is called over https only.`)
  }
  // A literal address is never looked up when it is connected to.
  const admitted = await Effect.runPromise(Effect.either(client.gate.admitLiteral(host)))
  if (Either.isLeft(admitted)) throw failureOf(admitted.left)
  const port = Number(url.port) || (scheme === "https" ? 443 : 80)
  const proxy = proxyFor(client.proxies, { scheme, host, port })
  return proxy === null ? client.direct : client.through(proxy)
}

const checkOf =
  (client: Client) =>
  async (address: string): Promise<void> => {
    const url = new URL(address)
    const dispatcher = await dispatcherFor(client, url)
    if (dispatcher !== client.direct) return
    const admitted = await Effect.runPromise(Effect.either(client.gate.admit(url.hostname)))
    if (Either.isLeft(admitted)) throw failureOf(admitted.left)
  }

/** The whole body, unless it is too large. */
const readBody = async (body: Readable, host: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new OutboundFailure("too_large", `${host} sends more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

const headersOf = (headers: Dispatcher.ResponseData["headers"]) =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one]))
  )

const withoutBody: ReadonlyArray<number> = [204, 205, 304]

const sent = async (
  client: Client,
  request: Request,
  limits: Pick<Dispatcher.RequestOptions, "signal" | "headersTimeout" | "bodyTimeout">
) => {
  const url = new URL(request.url)
  const dispatcher = await dispatcherFor(client, url)
  const content = request.body === null ? null : Buffer.from(await request.arrayBuffer())
  const response = await send(url, {
    dispatcher,
    method: request.method as Dispatcher.HttpMethod,
    headers: { ...Object.fromEntries(request.headers), "accept-encoding": "identity" },
    body: content,
    ...limits
  })
  const { statusCode, body } = response
  if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) {
    await body.dump()
    throw new OutboundFailure("redirect", `${url.host} answers with a redirect. Give the address it points to.`)
  }
  return { ...response, url }
}

const call = async (client: Client, request: Request): Promise<Response> => {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(client.timeoutMillis)])
  const { statusCode, headers, body, url } = await sent(client, request, { signal })
  const bytes = await readBody(body, url.host, client.maxBytes)
  const response = new Response(withoutBody.includes(statusCode) ? null : bytes, {
    status: statusCode,
    headers: headersOf(headers)
  })
  // A response that was made here has no address; libraries read it to find the next page.
  return Object.defineProperty(response, "url", { value: url.href })
}

/** What libraries know a failed `fetch` by; one that the caller ended stays as it is. */
const asFetchFailure = (error: unknown, request: Request, host: string): unknown => {
  if (request.signal.aborted) return request.signal.reason
  const isTimeout = error instanceof Error && /Timeout/.test(error.name)
  const cause =
    error instanceof OutboundFailure
      ? error
      : isTimeout
        ? new OutboundFailure("timeout", `${host} did not answer in time.`)
        : new OutboundFailure("unreachable", `${host} could not be reached (${codeOf(error)}).`)
  return new TypeError("fetch failed", { cause })
}

/** The error's own code: its text may hold what a server or a proxy was sent. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown error"
  return "code" in error && typeof error.code === "string" ? error.code : error.name
}

const fetchOf =
  (client: Client): Fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    try {
      return await call(client, request)
    } catch (error) {
      throw asFetchFailure(error, request, new URL(request.url).host)
    }
  }

const openOf =
  (client: Client): OpenStream =>
  async (url, init) => {
    const request = new Request(url, init)
    const { signal } = init
    const { timeoutMillis: headersTimeout, timeoutMillis: bodyTimeout } = client
    try {
      const { statusCode, headers, body } = await sent(client, request, { signal, headersTimeout, bodyTimeout })
      return { status: statusCode, headers: headersOf(headers), body }
    } catch (error) {
      throw asFetchFailure(error, request, new URL(url).host)
    }
  }

export const make = (options: OutboundHttpOptions): typeof OutboundHttp.Service => {
  const client = makeClient(options)
  const configured = makeClient({ ...options, allowPrivateNetwork: true })
  return {
    fetch: fetchOf(client),
    fetchConfigured: fetchOf(configured),
    open: openOf(client),
    openConfigured: openOf(configured),
    check: checkOf(client)
  }
}

export const layer = (options: OutboundHttpOptions): Layer.Layer<OutboundHttp> =>
  Layer.sync(OutboundHttp, () => make(options))
