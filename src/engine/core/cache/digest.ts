import { hash } from "node:crypto"

export const digestOf = (text: string | Buffer): string => hash("sha1", text, "base64")
