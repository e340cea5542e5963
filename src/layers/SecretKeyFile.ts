import { createHmac, randomBytes, randomUUID } from "node:crypto"
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync
} from "node:fs"
import { dirname, join } from "node:path"
import { Data, Effect, Layer, Redacted } from "effect"
import { SecretKey, SecretUnreadable } from "../services/ports/SecretKey.ts"
import { seal, unseal } from "../services/support/sealing.ts"

export interface SecretKeyOptions {
  readonly dataDir: string
  /** The value of ASSAY_SECRET_KEY; the file in the data folder is used without one. */
  readonly key: Redacted.Redacted | null
}

/** Why the server cannot start; the message is for the operator. */
export class SecretKeyRejected extends Data.TaggedError("SecretKeyRejected")<{ readonly message: string }> {}

const keyBytes = 32
const privateMode = 0o600

/** Where the key is kept when the operator gives none. */
export const secretKeyFile = (dataDir: string) => join(dataDir, "secret.key")

/** The 32 bytes that the text means in hexadecimal or base64. */
export const secretKeyOf = (text: string): Buffer | undefined => {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex")
  if (!/^(?:[A-Za-z0-9+/]{43}=?|[\w-]{43}=?)$/.test(text)) return undefined
  const bytes = Buffer.from(text, "base64url")
  return bytes.length === keyBytes ? bytes : undefined
}

const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

interface KeyOnDisk {
  readonly key: Buffer
  /** Others could read it until now. */
  readonly wasOpen: boolean
}

/** The key in the file, which is its owner's only from now on; undefined when there is no file. */
const readKey = (file: string): KeyOnDisk | undefined => {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined
    throw new SecretKeyRejected({ message: `${file} cannot be read: ${reasonOf(error)}.` })
  }
  try {
    const status = fstatSync(descriptor)
    if (!status.isFile()) throw new SecretKeyRejected({ message: `${file} is not a regular file.` })
    const wasOpen = (status.mode & 0o077) !== 0
    if (wasOpen) makePrivate(descriptor, file)
    const key = secretKeyOf(readFileSync(descriptor, "utf8").trim())
    if (key === undefined) {
      throw new SecretKeyRejected({
        message:
          `${file} does not hold a key of ${keyBytes} bytes. Put the file back from where you keep a copy of it; if there ` +
          "is none, remove it and set the stored credentials again."
      })
    }
    return { key, wasOpen }
  } finally {
    closeSync(descriptor)
  }
}

const makePrivate = (descriptor: number, file: string) => {
  try {
    fchmodSync(descriptor, privateMode)
  } catch {
    throw new SecretKeyRejected({
      message: `${file} may be read by other users of this machine. Run chmod 600 on it as its owner.`
    })
  }
}

/** Makes the file unless another process has just made it: it appears whole, and once. */
const createKey = (file: string) => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const building = `${file}.${randomUUID()}.new`
  try {
    const descriptor = openSync(building, "wx", privateMode)
    try {
      writeSync(descriptor, `${randomBytes(keyBytes).toString("base64")}\n`)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    linkSync(building, file)
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error
  } finally {
    rmSync(building, { force: true })
  }
}

/** Says which key sealed a text, and nothing of the key. */
const nameOf = (key: Buffer) => createHmac("sha256", key).update("assay/secret-key").digest("hex").slice(0, 16)

const warnOpen = (file: string) =>
  Effect.logWarning(
    `${file} could be read by other users of this machine; it is of mode 0600 now. If someone may have read it, remove the file and set the stored credentials again.`
  )

const otherKey = (options: SecretKeyOptions) =>
  new SecretUnreadable({
    message:
      "It was sealed with another key. Set ASSAY_SECRET_KEY to the key of that time, or put " +
      `${options.key === null ? secretKeyFile(options.dataDir) : "its file"} back; if it is lost, delete the secret and ` +
      "set it again."
  })

const make = (options: SecretKeyOptions) =>
  Effect.gen(function* () {
    const file = secretKeyFile(options.dataDir)
    const stored = yield* Effect.try({
      try: () => (options.key === null ? readKey(file) : undefined),
      catch: (error) => (error instanceof SecretKeyRejected ? error : new SecretKeyRejected({ message: String(error) }))
    })
    if (stored?.wasOpen === true) yield* warnOpen(file)
    let known = options.key === null ? stored?.key : secretKeyOf(Redacted.value(options.key))
    // The file is made when first needed: an installation that keeps no secrets has nothing to lose.
    const key = Effect.sync(() => {
      if (known !== undefined) return known
      createKey(file)
      known = readKey(file)?.key
      if (known === undefined) throw new SecretKeyRejected({ message: `${file} could not be created.` })
      return known
    })
    return SecretKey.of({
      seal: (text, associated) => Effect.map(key, (bytes) => `${nameOf(bytes)}.${seal(bytes, text, associated)}`),
      unseal: (sealed, associated) =>
        Effect.flatMap(key, (bytes) => {
          const [name, body = ""] = sealed.split(".")
          if (name !== nameOf(bytes)) return otherKey(options)
          const text = unseal(bytes, body, associated)
          return text === null
            ? new SecretUnreadable({ message: "It was changed in the database. Delete the secret and set it again." })
            : Effect.succeed(text)
        })
    })
  })

/** The key of ASSAY_SECRET_KEY, or of a file in the data folder that all processes on this folder share. */
export const layer = (options: SecretKeyOptions): Layer.Layer<SecretKey, SecretKeyRejected> =>
  Layer.effect(SecretKey, make(options))
