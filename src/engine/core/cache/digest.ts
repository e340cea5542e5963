import { createHash } from "node:crypto"

export const digestOf = (text: string | Buffer): string => createHash("sha1").update(text).digest("base64")
