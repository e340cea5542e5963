import { createHash } from "node:crypto"

// Among a million known paths, one that is not there is taken for known with a probability of one in ten million millions.
const digestBytes = 8

export const buckets = 256

/** The form in which a path is asked for and stored: from the root, without a leading `./` or `/`. */
export const pathFromRoot = (path: string): string => path.replace(/^(?:\.?\/)+/, "")

const digestOf = (path: string): Buffer => createHash("sha256").update(path).digest().subarray(0, digestBytes)

export const bucketOf = (path: string): number => digestOf(path)[0] ?? 0

/** The digests of all paths, one buffer for each bucket. */
export const digestsOf = (paths: Iterable<string>): ReadonlyArray<Buffer> => {
  const parts: ReadonlyArray<Array<Buffer>> = Array.from({ length: buckets }, () => [])
  for (const path of paths) {
    const digest = digestOf(path)
    parts[digest[0] ?? 0]?.push(digest)
  }
  return parts.map((digests) => Buffer.concat(digests))
}

/** Whether a bucket's digests have that of the path. */
export const hasDigest = (digests: Uint8Array, path: string): boolean => {
  const sought = digestOf(path)
  for (let at = 0; at < digests.length; at += digestBytes) {
    if (sought.equals(digests.subarray(at, at + digestBytes))) return true
  }
  return false
}
