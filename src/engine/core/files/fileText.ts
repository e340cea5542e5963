/** Bytes beyond which a file is not read at all. */
export const MAX_FILE_BYTES = 512 * 1024

const BINARY_HEAD = 8_192

const decoder = new TextDecoder("utf-8")

export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, BINARY_HEAD).includes(0)

/** Text as tools see it. Bytes that are not UTF-8 become U+FFFD; a byte order mark is dropped. */
export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes)
