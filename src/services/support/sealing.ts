import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { Option } from "effect"

const algorithm = "aes-256-gcm"
const ivBytes = 12
const tagBytes = 16

/** Text that only processes with the key of 32 bytes can read, and no one else can change. */
export const seal = (key: Buffer, text: string): string => {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes })
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url")
}

/** The sealed text; null for anything that was not sealed with this key. */
export const unseal = (key: Buffer, sealed: string): string | null => {
  const bytes = Buffer.from(sealed, "base64url")
  if (bytes.length < ivBytes + tagBytes) return null
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  return Option.liftThrowable(() =>
    Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8")
  )().pipe(Option.getOrNull)
}
