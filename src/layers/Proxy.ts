import { isIP } from "node:net"
import { Redacted } from "effect"
import { inRanges } from "../services/access/Cidr.ts"
import { isLoopback } from "../services/access/loopback.ts"

/** The proxies that calls to other hosts go through. */
export interface ProxySettings {
  readonly https: Redacted.Redacted | null
  readonly http: Redacted.Redacted | null
  /** Hosts that are reached directly: names with all that is below them, addresses, ranges, `*` for all. */
  readonly except: ReadonlyArray<string>
}

export const noProxy: ProxySettings = { https: null, http: null, except: [] }

export interface Proxy {
  /** Without user and password. */
  readonly url: string
  readonly host: string
  readonly credentials: { readonly user: string; readonly password: Redacted.Redacted } | null
}

/** The proxy's address as `http://host:port`; curl's short form without a scheme is one over plain HTTP. */
export const proxyUrl = (text: string): URL | undefined => {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined
  const isProxy =
    url !== undefined && /^https?:$/.test(url.protocol) && url.hostname !== "" && /^\/?$/.test(url.pathname)
  return isProxy && url.search === "" && url.hash === "" && decodes(url) ? url : undefined
}

const decodes = ({ username, password }: URL) => {
  try {
    return decodeURIComponent(username + password) !== undefined
  } catch {
    return false
  }
}

export interface Target {
  readonly scheme: string
  readonly host: string
  readonly port: number
}

/** The proxy that a call to this host goes through; none for this machine's own addresses. */
export const proxyFor = (settings: ProxySettings, target: Target): Proxy | null => {
  const configured = target.scheme === "https" ? settings.https : target.scheme === "http" ? settings.http : null
  if (configured === null || isDirect(settings.except, target)) return null
  const url = proxyUrl(Redacted.value(configured))
  if (url === undefined) return null
  return {
    url: `${url.protocol}//${url.host}`,
    host: url.host,
    credentials:
      url.username === ""
        ? null
        : { user: decodeURIComponent(url.username), password: Redacted.make(decodeURIComponent(url.password)) }
  }
}

const isDirect = (except: ReadonlyArray<string>, { host, port }: Target) => {
  const name = host.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "")
  return isLoopback(host) || name.endsWith(".localhost") || except.some((entry) => covers(entry, name, port))
}

const covers = (entry: string, name: string, port: number): boolean => {
  if (entry === "*") return true
  if (isIP(name) !== 0) return inRanges(name, [entry.replace(/^\[(.*)\]$/, "$1")])
  const [, domain = "", only] = /^\*?\.?([^:]+?)\.?(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
  if (domain === "" || (only !== undefined && Number(only) !== port)) return false
  return name === domain || name.endsWith(`.${domain}`)
}
