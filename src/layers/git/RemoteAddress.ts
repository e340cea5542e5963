import { Either } from "effect"
import type { CodeHostError } from "../../services/ports/CodeHost.ts"
import { codeHostError } from "./failures.ts"

export interface NetworkAddress {
  readonly scheme: "https" | "http" | "ssh"
  readonly host: string
  readonly port: number
  /** `host`, or `host:port` where the port is not the usual one. */
  readonly authority: string
  /** Whether the address names the user of ssh. */
  readonly hasUser: boolean
  /** Without credentials: safe to show, to log and to pass as an argument. */
  readonly url: string
  readonly credentials?: { readonly user: string; readonly password: string }
}

export type RemoteAddress =
  | { readonly kind: "local"; readonly path: string }
  | ({ readonly kind: "network" } & NetworkAddress)

const maxLength = 2048
const scpForm = /^([A-Za-z0-9][\w.-]*)@(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][A-Za-z0-9.-]*):(?!\/\/)([^\s]+)$/
const hostName = /^(?:[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?\.?)+$/
const userName = /^[A-Za-z0-9][\w.-]*$/

/** Reads what a person gives as a repository's address into one of the few forms we pass on to git. */
export const remoteAddress = (text: string): Either.Either<RemoteAddress, CodeHostError> => {
  const given = text.trim()
  if (given === "" || given.length > maxLength || given.startsWith("-") || /[\x00-\x1f\x7f]/.test(given)) {
    return reject("This is not the address of a git repository.")
  }
  if (given.startsWith("/")) return Either.right({ kind: "local", path: given })
  const scp = scpForm.exec(given)
  if (scp !== null) {
    const [, user = "", host = "", path = ""] = scp
    return fromUrl(`ssh://${user}@${host}/${path.replace(/^\//, "")}`, path.startsWith("/"))
  }
  return fromUrl(given, true)
}

const reject = (message: string) => Either.left(codeHostError("protocol_refused", message))

const defaultPorts = { https: 443, http: 80, ssh: 22 } as const

const fromUrl = (text: string, absolute: boolean): Either.Either<RemoteAddress, CodeHostError> => {
  // "ext::sh -c …" and other helper forms parse as URLs with a scheme we do not know, and end below.
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return reject("Give an https or ssh address, or an absolute path.")
  const scheme = url.protocol.slice(0, -1)
  if (scheme === "file") return fileUrl(url)
  if (scheme !== "https" && scheme !== "http" && scheme !== "ssh") {
    return reject(`Addresses that start with ${JSON.stringify(scheme.slice(0, 20) + ":")} are not allowed.`)
  }
  const host = url.hostname.toLowerCase()
  if (!(hostName.test(host) || /^\[[0-9a-f:.]+\]$/.test(host)) || url.search !== "" || url.hash !== "") {
    return reject("This is not the address of a git repository.")
  }
  const port = url.port === "" ? defaultPorts[scheme] : Number(url.port)
  const authority = port === defaultPorts[scheme] ? host : `${host}:${port}`
  if (scheme === "ssh") return sshUrl(url, host, port, authority, absolute)
  const user = decode(url.username)
  const password = decode(url.password)
  if (user === undefined || password === undefined) return reject("This is not the address of a git repository.")
  return Either.right({
    kind: "network",
    scheme,
    host,
    port,
    authority,
    hasUser: false,
    url: `${scheme}://${authority}${url.pathname}`,
    ...(user === "" && password === "" ? {} : { credentials: { user, password } })
  })
}

const sshUrl = (
  url: URL,
  host: string,
  port: number,
  authority: string,
  absolute: boolean
): Either.Either<RemoteAddress, CodeHostError> => {
  const user = decode(url.username) ?? "-"
  if (user !== "" && !userName.test(user)) return reject("This is not the address of a git repository.")
  if (url.password !== "") return reject("A password cannot be given for ssh.")
  // "user@host:path" counts from the home folder there, which a URL writes as /~/.
  const path = absolute || url.pathname.startsWith("/~") ? url.pathname : `/~${url.pathname}`
  const address = `ssh://${user === "" ? "" : `${user}@`}${authority}${path}`
  return Either.right({ kind: "network", scheme: "ssh", host, port, authority, hasUser: user !== "", url: address })
}

const fileUrl = (url: URL): Either.Either<RemoteAddress, CodeHostError> => {
  const path = decode(url.pathname)
  if (path === undefined || path.includes("\0") || !path.startsWith("/") || !["", "localhost"].includes(url.hostname)) {
    return reject("A file address must name an absolute path on this machine.")
  }
  return Either.right({ kind: "local", path })
}

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
