import { createHash, createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto"
import { Either } from "effect"
import { mpint, Reader, string } from "./sshWire.ts"

/** A private key as SSH uses it. */
export interface SshKey {
  readonly key: KeyObject
  /** The public key as SSH writes it. */
  readonly publicKey: Buffer
}

const unreadable = "is not a private key. Paste the whole file, from its BEGIN line to its END line"
const withPassphrase =
  "is protected by a passphrase, which no one could enter here. Create a key of its own for Assay without one: " +
  "ssh-keygen -t ed25519 -N ''"
const unsupported = "is of a kind that is not supported. Use ed25519, RSA of 2048 bits or more, or ECDSA"

/** Rejects a key with words for its sender. */
class Rejected extends Error {}

const openSsh = /-----BEGIN OPENSSH PRIVATE KEY-----\s*([A-Za-z0-9+/=\s]+?)\s*-----END OPENSSH PRIVATE KEY-----/
const pem = /-----BEGIN (?:(?:RSA|EC) )?PRIVATE KEY-----\s[\s\S]+?\s-----END (?:(?:RSA|EC) )?PRIVATE KEY-----/

/** Reads a key of ssh-keygen or openssl; what it cannot use is rejected in words that follow the field's name. */
export const parsePrivateKey = (text: string): Either.Either<SshKey, string> => {
  const given = text.trim().replaceAll("\r\n", "\n")
  if (/^PuTTY-User-Key-File/.test(given)) {
    return Either.left("is in PuTTY's own form. Export it as an OpenSSH key: puttygen -O private-openssh")
  }
  if (/^(?:ssh-|ecdsa-|sk-)|-----BEGIN PUBLIC KEY-----/.test(given)) {
    return Either.left("is a public key. The private one is in the file without .pub")
  }
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(given)) return Either.left(withPassphrase)
  try {
    const [, body] = openSsh.exec(given) ?? []
    const key = body === undefined ? ofPem(given) : ofOpenSsh(Buffer.from(body, "base64"))
    return Either.right(key)
  } catch (error) {
    return Either.left(error instanceof Rejected ? error.message : unreadable)
  }
}

const ofPem = (text: string): SshKey => {
  const [whole] = pem.exec(text) ?? []
  if (whole === undefined) throw new Rejected(unreadable)
  return usable(createPrivateKey(whole))
}

const magic = "openssh-key-v1\0"

/** The form that ssh-keygen writes; Node reads the others only. */
const ofOpenSsh = (bytes: Buffer): SshKey => {
  const reader = new Reader(bytes)
  if (reader.bytes(magic.length).toString("latin1") !== magic) throw new Rejected(unreadable)
  if (reader.text() !== "none") throw new Rejected(withPassphrase)
  reader.string()
  reader.string()
  if (reader.uint32() !== 1) throw new Rejected("holds several keys. Give one")
  const publicKey = reader.string()
  const content = new Reader(reader.string())
  const check = content.uint32()
  if (content.uint32() !== check) throw new Rejected(unreadable)
  const found = usable(createPrivateKey({ key: jwkOf(content.text(), content), format: "jwk" }))
  if (!found.publicKey.equals(publicKey)) throw new Rejected("is damaged: its public part is of another key")
  return found
}

const curves: Readonly<Record<string, { readonly name: string; readonly bytes: number }>> = {
  nistp256: { name: "P-256", bytes: 32 },
  nistp384: { name: "P-384", bytes: 48 },
  nistp521: { name: "P-521", bytes: 66 }
}

const jwkOf = (type: string, reader: Reader): JsonWebKey => {
  if (type === "ssh-ed25519") {
    const x = reader.string()
    return { kty: "OKP", crv: "Ed25519", x: x.toString("base64url"), d: base64url(reader.string().subarray(0, 32)) }
  }
  if (type === "ssh-rsa") return rsaOf(reader)
  const curve = curves[type.replace(/^ecdsa-sha2-/, "")]
  if (curve === undefined) throw new Rejected(type.startsWith("sk-") ? ofHardware : unsupported)
  reader.string()
  const point = reader.string().subarray(1)
  return {
    kty: "EC",
    crv: curve.name,
    x: base64url(point.subarray(0, curve.bytes)),
    y: base64url(point.subarray(curve.bytes)),
    d: base64url(padded(reader.string(), curve.bytes))
  }
}

const ofHardware = "is kept in a security key, which is not here. Create one without: ssh-keygen -t ed25519 -N ''"

const rsaOf = (reader: Reader): JsonWebKey => {
  const [n, e, d, qi, p, q] = [1, 2, 3, 4, 5, 6].map(() => reader.string())
  const exponent = numberOf(d)
  return {
    kty: "RSA",
    n: positive(n),
    e: positive(e),
    d: positive(d),
    p: positive(p),
    q: positive(q),
    qi: positive(qi),
    dp: positive(bytesOf(exponent % (numberOf(p) - 1n))),
    dq: positive(bytesOf(exponent % (numberOf(q) - 1n)))
  }
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url")
const withoutZeros = (bytes: Buffer) =>
  bytes.subarray(
    Math.max(
      0,
      bytes.findIndex((byte) => byte !== 0)
    )
  )
const positive = (bytes: Buffer = Buffer.alloc(1)) => base64url(withoutZeros(bytes))
const numberOf = (bytes: Buffer = Buffer.alloc(0)) => BigInt(`0x0${bytes.toString("hex")}`)
const bytesOf = (value: bigint) => {
  const digits = value.toString(16)
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex")
}
const padded = (bytes: Buffer, length: number) => {
  const digits = withoutZeros(bytes)
  return Buffer.concat([Buffer.alloc(Math.max(0, length - digits.length)), digits])
}

const usable = (key: KeyObject): SshKey => ({ key, publicKey: publicKeyOf(key) })

const publicKeyOf = (key: KeyObject): Buffer => {
  const { kty, crv, n = "", e = "", x = "", y = "" } = createPublicKey(key).export({ format: "jwk" })
  const bytes = (text: string) => Buffer.from(text, "base64url")
  if (kty === "OKP" && crv === "Ed25519") return Buffer.concat([string("ssh-ed25519"), string(bytes(x))])
  if (kty === "RSA") {
    if (bytes(n).length < 256) throw new Rejected("is an RSA key of less than 2048 bits. Create an ed25519 key")
    return Buffer.concat([string("ssh-rsa"), mpint(bytes(e)), mpint(bytes(n))])
  }
  const [name] = Object.entries(curves).find(([, curve]) => curve.name === crv) ?? []
  if (kty !== "EC" || name === undefined) throw new Rejected(unsupported)
  const point = Buffer.concat([Buffer.from([4]), bytes(x), bytes(y)])
  return Buffer.concat([string(`ecdsa-sha2-${name}`), string(name), string(point)])
}

/** As `ssh-keygen -l` prints it. */
export const fingerprintOf = ({ publicKey }: SshKey): string =>
  `SHA256:${createHash("sha256").update(publicKey).digest("base64").replace(/=+$/, "")}`

/** The line of an authorized_keys or .pub file. */
export const publicLineOf = ({ publicKey }: SshKey): string =>
  `${new Reader(publicKey).text()} ${publicKey.toString("base64")}`
