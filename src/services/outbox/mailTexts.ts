import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"

// What texts of e-mails are made of.

/** A name that someone chose, as it can stand in a line of an e-mail. */
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim()

/** Stands for the link in a text, which a reader of the outbox must not be able to use. */
export const linkPlaceholder = "[one-time link]"

const cipher = "aes-256-gcm"
const nonceBytes = 12
const tagBytes = 16

/** The link as it waits in the outbox: a dump of that table does not show it. */
export const sealLink = (key: Buffer, link: string): Buffer => {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce)
  const body = Buffer.concat([sealing.update(link, "utf8"), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), body])
}

export const openLink = (key: Buffer, sealed: Buffer): string => {
  const opening = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes))
  opening.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([opening.update(sealed.subarray(nonceBytes + tagBytes)), opening.final()]).toString("utf8")
}
