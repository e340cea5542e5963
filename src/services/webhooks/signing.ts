import { createHmac, randomBytes } from "node:crypto"

const prefix = "whsec_"

/** 32 random bytes, as Standard Webhooks writes a secret. */
export const newSecret = (): string => prefix + randomBytes(32).toString("base64")

interface Message {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

const signatureWith = (secret: string, { id, timestamp, body }: Message): string => {
  const key = Buffer.from(secret.slice(prefix.length), "base64")
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`
}

/** Headers of Standard Webhooks: signed with each secret, so that a receiver may hold any of them. */
export const signedHeaders = (secrets: ReadonlyArray<string>, message: Message): Readonly<Record<string, string>> => ({
  "webhook-id": message.id,
  "webhook-timestamp": String(message.timestamp),
  "webhook-signature": secrets.map((secret) => signatureWith(secret, message)).join(" ")
})

/** Whose secret it is. */
export const ownerOfSecret = (endpoint: { readonly workspace_id: string; readonly id: string }): string =>
  `webhooks/${endpoint.workspace_id}/${endpoint.id}/secret`
