import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { Option } from "effect"

const algorithm = "aes-256-gcm"
const ivBytes = 12
const tagBytes = 16

/**
 * Text that only processes with the key of 32 bytes can read, and no one else can change. It opens with the same
 * `associated` text only.
 */
export const seal = (key: Buffer, text: string, associated = ""): string => {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(associated))
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url")
}

/** The sealed text; null for anything that was not sealed with this key and for this. */
export const unseal = (key: Buffer, sealed: string, associated = ""): string | null => {
  const bytes = Buffer.from(sealed, "base64url")
  if (bytes.length < ivBytes + tagBytes) return null
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(associated)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  return Option.liftThrowable(() =>
    Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8")
  )().pipe(Option.getOrNull)
}
