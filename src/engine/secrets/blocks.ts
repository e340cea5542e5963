import type { Secret } from "./Secret.ts"
import { isPlaceholder, looksChosen, looksRandom } from "./shape.ts"

const begin = /-----BEGIN ((?:[A-Z0-9]{2,12} ){0,3})PRIVATE KEY(?: BLOCK)?-----/g
const MAX_KEY = 20_000
const MIN_KEY_BODY = 80

/** Private keys in PEM armour, also inside strings with `\n` in them or put together line by line. */
export const privateKeys = (text: string): ReadonlyArray<Secret> => {
  const found: Array<Secret> = []
  begin.lastIndex = 0
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const start = match.index
    const bodyStart = start + match[0].length
    const closing = text.indexOf("-----END ", bodyStart)
    const isClosed = closing >= 0 && closing - start < MAX_KEY
    const bodyEnd = isClosed ? closing : unclosedEnd(text, bodyStart)
    const isEncrypted =
      match[1] === "ENCRYPTED " || /Proc-Type: 4,ENCRYPTED/.test(text.slice(bodyStart, bodyStart + 100))
    const isKey = holdsKey(text.slice(bodyStart, bodyEnd))
    const lineEnd = isClosed ? endOfArmour(text, closing) : bodyEnd
    found.push({
      rule: "private-key",
      noun: isEncrypted ? "an encrypted private key" : `${article(match[1]!.trim())}private key`,
      start,
      end: Math.max(lineEnd, bodyStart),
      kind: "provider",
      confidence: isEncrypted ? 0.6 : 0.95,
      label: null,
      harmless: !isKey || !isClosed
    })
    begin.lastIndex = Math.max(lineEnd, bodyStart)
  }
  return found
}

/** Code that puts a key together has the armour, too, but no run of the key's own characters. */
const holdsKey = (body: string): boolean => {
  const flat = body.replace(/\\[nr]/g, "\n")
  const run = /[A-Za-z0-9+/]{40,}/.exec(flat)?.[0]
  if (run === undefined || !/\d/.test(run) || !/[A-Z]/.test(run) || isPlaceholder(run.slice(0, 64))) return false
  return flat.replace(/[^A-Za-z0-9+/=]/g, "").length >= MIN_KEY_BODY
}

const article = (algorithm: string): string =>
  algorithm === ""
    ? "a "
    : algorithm === "RSA" || algorithm === "EC" || algorithm === "OPENSSH"
      ? `an ${algorithm} `
      : `a ${algorithm} `

const endOfArmour = (text: string, closing: number): number => {
  const match = /^-----END [A-Z0-9 ]{1,60}-----/.exec(text.slice(closing, closing + 90))
  return closing + (match === null ? 8 : match[0].length)
}

const unclosedEnd = (text: string, from: number): number =>
  from + /^[A-Za-z0-9+/=\s\\"',:-]*/.exec(text.slice(from, from + MAX_KEY))![0].length

const schemeBefore = /(?<![\w+.-])(?:jdbc:)?([a-z][a-z0-9+.-]{1,24})$/i
const userInfo = /:\/\/([^\s:/?#@"'`<>\\()[\]|]{0,64}):([^\s/@"'`<>|]{1,200})@([^\s/?#"'`<>,;)\\]{1,200})/y
const stores =
  /^(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|couchdb|cassandra|neo4j|bolt|nats|kafka|smtps?|ldaps?|ftps?|sftp|ssh|(?:postgresql|mysql|mssql|oracle)\+\w+)$/i
const localHost =
  /^(?:localhost|127\.|0\.0\.0\.0|\[?::1|host\.docker|example|[\w.-]*\.(?:example|test|local|localhost|invalid)(?:[:.]|$)|[\w.-]*example\.(?:com|org|net)|host(?:name)?\b|server\b|domain\b|my-?host|your)/i

/** `postgres://user:password@host/db` and the like. */
export const urlPasswords = (text: string): ReadonlyArray<Secret> => {
  const found: Array<Secret> = []
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    userInfo.lastIndex = at
    const match = userInfo.exec(text)
    if (match === null) continue
    const scheme = schemeBefore.exec(text.slice(Math.max(0, at - 32), at))?.[1]
    if (scheme === undefined) continue
    const [, user = "", password = "", host = ""] = match
    const start = at + 3 + user.length + 1
    found.push({
      rule: "url-password",
      noun: stores.test(scheme) ? `a ${scheme} password in a URL` : "a password in a URL",
      start,
      end: start + password.length,
      kind: "provider",
      confidence: stores.test(scheme) ? 0.85 : 0.75,
      label: null,
      harmless: !isLivePassword(scheme, user, password, host)
    })
  }
  return found
}

/** Where programs send their errors: the address is made to be part of them. */
const errorTracker = /(?:^|\.)(?:get)?sentry\.|(?:^|\.)ingest\.|(?:^|\.)glitchtip\./i

/** A password that is hard to guess, or an ordinary one of an account on a named host. */
const isLivePassword = (scheme: string, user: string, password: string, host: string): boolean => {
  const decoded = /%[0-9a-f]{2}/i.test(password)
    ? password.replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : password
  if (/[${}<>*()+]/.test(user) || /[${}<>()*%]/.test(host.slice(0, 60)) || /[${}]|^%|^:|^[A-Z_]+$/.test(decoded))
    return false
  if (isPlaceholder(decoded) || decoded === user || decoded.length < 5 || localHost.test(host)) return false
  if (errorTracker.test(host) && /^[0-9a-f]{32}$/.test(user)) return false
  if (looksRandom(decoded, 12)) return true
  return stores.test(scheme) && host.includes(".") && /[A-Za-z]/.test(decoded) && /[\d!#$%^&*?]/.test(decoded)
}

const keyed = /\b(?:password|pwd)\s?=\s?([^;"'\s\\]{5,100})(?=[;"'\s])/gi
const otherKeys =
  /\b(?:server|data source|host|user ?id|uid|username|database|initial catalog|accountendpoint)\s?=[^;"'\n]{1,120};/i
const CONNECTION_REACH = 250

/** `Server=…;User Id=…;Password=…;` */
export const connectionPasswords = (text: string): ReadonlyArray<Secret> => {
  const found: Array<Secret> = []
  keyed.lastIndex = 0
  for (let match = keyed.exec(text); match !== null; match = keyed.exec(text)) {
    const end = match.index + match[0].length
    const before = text
      .slice(Math.max(0, match.index - CONNECTION_REACH), match.index)
      .split(/["'\n]/)
      .at(-1)!
    const after = text.slice(end, end + CONNECTION_REACH).split(/["'\n]/, 1)[0]!
    if (!otherKeys.test(`${before};${after};`) || !/;/.test(before + after)) continue
    const value = match[1]!
    found.push({
      rule: "connection-string-password",
      noun: "a password in a connection string",
      start: end - value.length,
      end,
      kind: "provider",
      confidence: 0.82,
      label: null,
      harmless: !looksChosen(value) && !looksRandom(value, 12)
    })
  }
  return found
}
