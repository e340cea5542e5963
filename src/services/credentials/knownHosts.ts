import { createHmac, timingSafeEqual } from "node:crypto"
import { Either } from "effect"
import { Reader } from "./sshWire.ts"

const keyTypes =
  /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com)$/

interface Entry {
  readonly marker: string | undefined
  readonly hosts: string
  readonly type: string
  readonly key: string
}

/** `host`, or `[host]:port`, as ssh writes it. */
export const hostKeyName = (host: string, port: number): string => (port === 22 ? host : `[${host}]:${port}`)

/**
 * The lines of a known_hosts file, without comments; rejected, in words that follow the field's name, unless one of them has
 * a key of the host.
 */
export const parseKnownHosts = (text: string, name: string): Either.Either<string, string> => {
  const entries: Array<Entry> = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const content = line.trim()
    if (content === "" || content.startsWith("#")) continue
    const entry = entryOf(content)
    if (entry === undefined) {
      return Either.left(`has no host key in line ${index + 1}. Paste what ssh-keyscan prints`)
    }
    entries.push(entry)
  }
  const isKnown = entries.some(({ marker, hosts }) => marker !== "@revoked" && isNamed(hosts, name))
  if (!isKnown) {
    return Either.left(
      `has no key of ${name}. Run ssh-keyscan on the host and compare the fingerprints with those its operator publishes`
    )
  }
  return Either.right(`${entries.map(lineOf).join("\n")}\n`)
}

const lineOf = ({ marker, hosts, type, key }: Entry) =>
  [marker, hosts, type, key].filter((part) => part !== undefined).join(" ")

const entryOf = (line: string): Entry | undefined => {
  const [, marker, hosts = "", type = "", key = ""] =
    /^(?:(@cert-authority|@revoked)\s+)?(\S+)\s+(\S+)\s+([A-Za-z0-9+/]+={0,2})(?:\s|$)/.exec(line) ?? []
  return keyTypes.test(type) && typeOf(key) === type ? { marker, hosts, type, key } : undefined
}

/** The kind of key that the key itself names. */
const typeOf = (key: string): string | undefined => {
  try {
    return new Reader(Buffer.from(key, "base64")).text()
  } catch {
    return undefined
  }
}

const isNamed = (hosts: string, name: string): boolean => {
  if (hosts.startsWith("|")) return isHashOf(hosts, name)
  const patterns = hosts.toLowerCase().split(",")
  return (
    patterns.some((pattern) => !pattern.startsWith("!") && matches(pattern, name)) &&
    !patterns.some((pattern) => pattern.startsWith("!") && matches(pattern.slice(1), name))
  )
}

/** `|1|salt|hash`: what HashKnownHosts makes of a name. */
const isHashOf = (hashed: string, name: string): boolean => {
  const [, version, salt = "", hash = ""] = hashed.split("|")
  if (version !== "1") return false
  const expected = createHmac("sha1", Buffer.from(salt, "base64")).update(name).digest()
  const given = Buffer.from(hash, "base64")
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Compares from both ends of each star, so that no pattern takes long. */
const matches = (pattern: string, name: string): boolean => {
  const pieces = pattern.split(/\*+/)
  if (pieces.length === 1) return fits(pattern, name, 0) && pattern.length === name.length
  const [first = "", last = ""] = [pieces[0], pieces.at(-1)]
  const end = name.length - last.length
  if (end < first.length || !fits(first, name, 0) || !fits(last, name, end)) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    while (at + piece.length <= end && !fits(piece, name, at)) at++
    if (at + piece.length > end) return false
    at += piece.length
  }
  return true
}

const fits = (piece: string, name: string, at: number) =>
  [...piece].every(
    (character, index) => at + index < name.length && (character === "?" || character === name[at + index])
  )
