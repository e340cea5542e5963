import { isIP } from "node:net"
import { Config, ConfigError, Either, LogLevel, Redacted } from "effect"
import { isLoopback } from "../services/access/loopback.ts"
import { proxyUrl } from "./Proxy.ts"

/** One environment variable: what the README's table says and how it is read. */
export interface Setting<A> {
  readonly variable: string
  readonly fallback: string
  readonly description: string
  readonly config: Config.Config<A>
}

export const setting = <A>(
  variable: string,
  fallback: string,
  description: string,
  config: (name: string) => Config.Config<A>
): Setting<A> => ({ variable, fallback, description, config: config(variable) })

export const invalid = (name: string, message: string) => Either.left(ConfigError.InvalidData([name], message))

/** The variable's text; null where it is not set or empty, as container files leave what they do not use. */
export const raw = (name: string): Config.Config<string | null> =>
  Config.map(Config.withDefault(Config.string(name), ""), (text) => (text.trim() === "" ? null : text.trim()))

/** Reads the text with `read`, which returns undefined for what is not allowed. */
export const parsed =
  <A, B>(fallback: A, read: (text: string) => B | undefined, allowed: string) =>
  (name: string): Config.Config<A | B> =>
    Config.mapOrFail(raw(name), (text): Either.Either<A | B, ConfigError.ConfigError> => {
      const value = text === null ? fallback : read(text)
      return value === undefined ? invalid(name, `must be ${allowed}`) : Either.right(value)
    })

const between = (min: number, max: number, isAllowed: RegExp) => (text: string) =>
  isAllowed.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined

const whole = /^\d{1,9}$/
const decimal = /^\d{1,9}(\.\d{1,12})?$/

const highestPort = 65_535
export const port = (fallback: number) => parsed(fallback, between(0, highestPort, whole), "a port, 0 to 65535")

export const wholeNumber = (fallback: number, min: number) =>
  parsed(fallback, between(min, 1_000_000, whole), `a whole number of at least ${min}`)

/** How long something is kept; null is for ever. */
export const days = (fallback: number | null, min: number) =>
  parsed<number | null, number | null>(
    fallback,
    (text) => (text.toLowerCase() === "keep" ? null : between(min, 36_500, whole)(text)),
    `a whole number of days of at least ${min}, or keep`
  )

export const amount = (fallback: number) => parsed(fallback, between(0, 1_000_000, decimal), "a number of at least 0")

export const listOf = (text: string, separator: string) =>
  text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== "")

export const everyItem = (isAllowed: (item: string) => boolean, allowed: string) =>
  parsed<ReadonlyArray<string>, ReadonlyArray<string>>(
    [],
    (text) => {
      const items = listOf(text, ",")
      return items.every(isAllowed) ? items : undefined
    },
    allowed
  )

export const secret = (name: string, isAllowed: (text: string) => boolean, allowed: string) =>
  parsed(null, (text) => (isAllowed(text) ? Redacted.make(text) : undefined), allowed)(name)

/** Programs differ in the case of the names of proxies' variables; curl, and so git, knows both. */
export const eitherCase = (name: string) =>
  Config.map(Config.all([raw(name.toLowerCase()), raw(name)]), ([lower, upper]) => lower ?? upper)

export const proxySetting = (variable: string, description: string) =>
  setting(variable, "none", description, (name) =>
    Config.mapOrFail(eitherCase(name), (text) => {
      if (text === null) return Either.right(null)
      return proxyUrl(text) === undefined
        ? invalid(name, "must be http://host:port or https://host:port, with user:password@ if needed")
        : Either.right(Redacted.make(text))
    })
  )

export const switches: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, on: true, 1: true },
  ...{ false: false, no: false, off: false, 0: false }
}

export const levels: Readonly<Record<string, LogLevel.LogLevel>> = {
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warn: LogLevel.Warning,
  error: LogLevel.Error,
  off: LogLevel.None
}

export const isMailServer = (url: string) =>
  URL.canParse(url) && /^smtps?:$/.test(new URL(url).protocol) && new URL(url).hostname !== ""

/** A host may also be a socket's folder: `postgres:///name?host=/run/postgresql`. */
export const isDatabase = (url: string) => {
  if (!/^postgres(?:ql)?:\/\//.test(url)) return false
  const onSocket = /^postgres(?:ql)?:\/\/\/[^/]/.test(url) && /[?&]host=[^&]/.test(url)
  return onSocket || (URL.canParse(url) && (new URL(url).hostname !== "" || new URL(url).searchParams.has("host")))
}

const isHost = (text: string) =>
  isIP(text) !== 0 || /^(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i.test(text)

export const host = (fallback: string) =>
  parsed(fallback, (text) => (isHost(text) ? text : undefined), "an address or the name of a host, without a port")

export const siteOf = (text: string) => {
  if (!/^https?:\/\/[^/]/.test(text) || !URL.canParse(text)) return undefined
  const { search, hash, username } = new URL(text)
  return search === "" && hash === "" && username === "" ? text.replace(/\/+$/, "") : undefined
}

export const address = /^[^\s<>@,;]+@[^\s<>@,;]+$/
export const sender = /^([^<>@\r\n]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/

export const hostAndPort = (text: string) => {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  const isAddress = host !== undefined && isHost(host.replace(/^\[(.*)\]$/, "$1"))
  return isAddress && Number(port) > 0 && Number(port) <= highestPort ? { host, port: Number(port) } : undefined
}

export const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)

/** As providers publish it: nothing is added or taken off. */
export const issuer = (text: string) => {
  if (siteOf(text) === undefined) return undefined
  const { protocol, hostname } = new URL(text)
  return protocol === "https:" || isLoopback(hostname) ? text : undefined
}

export const domain = /^(?=.{1,253}$)[^\s@.,]+(?:\.[^\s@.,]+)+$/u
