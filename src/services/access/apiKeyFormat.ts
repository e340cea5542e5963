import { crc32 } from "node:zlib"
import { randomBase62, toBase62 } from "../support/ids.ts"

const shape = /^asy_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/
const checksum = (body: string): string => toBase62(crc32(body), 6)

/** `asy_`, 32 random characters, and 6 of a CRC-32 over what precedes. */
export const newApiKey = (): string => {
  const body = `asy_${randomBase62(32)}`
  return body + checksum(body)
}

/** Whether a string can be a key at all; what fails never reaches the database. */
export const isWellFormedKey = (key: string): boolean => shape.test(key) && checksum(key.slice(0, -6)) === key.slice(-6)

export const keyPrefix = (key: string): string => key.slice(0, 12)
