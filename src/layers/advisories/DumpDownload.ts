import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { setTimeout } from "node:timers/promises"
import { type OpenedStream, type OpenStream, OutboundFailure } from "../OutboundHttp.ts"

/** A dump as its server describes it: what a later call is made conditional on. */
export interface DumpVersion {
  readonly url: string
  readonly etag: string | null
  readonly last_modified: string | null
}

export interface DownloadRequest {
  readonly open: OpenStream
  readonly url: URL
  /** Folder of unfinished downloads, and the name of this one in it. */
  readonly folder: string
  readonly name: string
  /** The version that is imported already. */
  readonly previous: DumpVersion | null
  readonly maxBytes: number
  /** How long to wait, in milliseconds, before each further attempt after the connection broke. */
  readonly pauses: ReadonlyArray<number>
  readonly signal: AbortSignal
}

/** Null when the server still has the previous version. */
export type Downloaded = { readonly path: string; readonly version: DumpVersion } | null

/** What is wrong with a dump or its server, for a person. */
export class DownloadFailed extends Error {
  override readonly name: string = "DownloadFailed"
}

/** The connection broke: what came so far is kept. */
class Interrupted extends DownloadFailed {
  override readonly name = "Interrupted"
}

/** The address without what may be secret. */
export const shown = ({ protocol, host, pathname }: URL): string =>
  protocol === "file:" ? decodeURIComponent(pathname) : `${host}${pathname}`

/** Fetches a dump to a file, from where an earlier attempt ended if it is still the same one. */
export const download = async (request: DownloadRequest): Promise<Downloaded> => {
  await mkdir(request.folder, { recursive: true, mode: 0o700 })
  for (const pause of [...request.pauses, null]) {
    try {
      return await attempt(request)
    } catch (error) {
      if (!(error instanceof Interrupted) || pause === null) throw error
      await setTimeout(pause, undefined, { signal: request.signal })
    }
  }
  return null
}

/** Removes what was fetched: it is imported, or unusable. */
export const discardDownload = async ({ folder, name }: Pick<DownloadRequest, "folder" | "name">): Promise<void> => {
  await rm(join(folder, `${name}.json`), { force: true })
  await rm(join(folder, `${name}.zip`), { force: true })
}

interface Partial {
  readonly version: DumpVersion
  readonly total: number | null
  readonly size: number
}

const pathOf = ({ folder, name }: DownloadRequest): string => join(folder, `${name}.zip`)

/** What an earlier attempt left, if it can be continued: its server must be able to say whether it is the same dump. */
const partialOf = async (request: DownloadRequest): Promise<Partial | null> => {
  try {
    const { version, total } = JSON.parse(await readFile(join(request.folder, `${request.name}.json`), "utf8"))
    const { size } = await stat(pathOf(request))
    return version.url === request.url.href && validatorOf(version) !== null && size > 0
      ? { version, total, size }
      : null
  } catch {
    return null
  }
}

/** A weak tag does not promise equal bytes. */
const validatorOf = ({ etag, last_modified }: DumpVersion): string | null =>
  etag !== null && !etag.startsWith("W/") ? etag : last_modified

const conditionsOf = ({ etag, last_modified }: DumpVersion): Record<string, string> =>
  etag !== null ? { "if-none-match": etag } : last_modified !== null ? { "if-modified-since": last_modified } : {}

const isComplete = ({ total, size }: Partial): boolean => total === size

const headersFor = (request: DownloadRequest, partial: Partial | null): Record<string, string> => {
  if (partial === null) return request.previous?.url === request.url.href ? conditionsOf(request.previous) : {}
  return isComplete(partial)
    ? conditionsOf(partial.version)
    : { range: `bytes=${partial.size}-`, "if-range": validatorOf(partial.version) ?? "" }
}

const attempt = async (request: DownloadRequest): Promise<Downloaded> => {
  const partial = await partialOf(request)
  const response = await opened(request, request.url, headersFor(request, partial))
  const end = await outcomeOf(request, partial, response)
  if (end === "again") {
    await discardDownload(request)
    return attempt(request)
  }
  return end
}

const opened = async (
  { open: openStream, signal }: DownloadRequest,
  url: URL,
  headers: Record<string, string>
): Promise<OpenedStream> => {
  try {
    return await openStream(url.href, { headers, signal })
  } catch (error) {
    signal.throwIfAborted()
    throw reachable(error, url)
  }
}

const reachable = (error: unknown, url: URL): DownloadFailed => {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof OutboundFailure)) return new DownloadFailed(`${shown(url)} could not be fetched.`)
  const isPassing = cause.reason === "unreachable" || cause.reason === "timeout"
  const hint =
    cause.reason === "address_refused"
      ? " Set ASSAY_ALLOW_PRIVATE_NETWORK=true to reach it, or ASSAY_ADVISORIES_URL."
      : ""
  return new (isPassing ? Interrupted : DownloadFailed)(`${cause.message}${hint}`)
}

const outcomeOf = async (
  request: DownloadRequest,
  partial: Partial | null,
  { status, headers, body }: OpenedStream
): Promise<Downloaded | "again"> => {
  if (status === 200) return received(request, null, headers, body)
  if (status === 206 && partial !== null && continues(partial, headers)) {
    return received(request, partial, headers, body)
  }
  // Errors of a body that is not read any more are no one's concern.
  body.on("error", () => {}).destroy()
  if (status === 304 && partial !== null && isComplete(partial)) return checked(request, partial.version, null)
  if (status === 304 && partial === null && request.previous !== null) return null
  if (partial !== null && (status === 206 || status === 416)) return "again"
  const Failure = status >= 500 || status === 429 ? Interrupted : DownloadFailed
  throw new Failure(`${shown(request.url)} answers with status ${status}.`)
}

const continues = ({ version, size }: Partial, headers: Headers): boolean => {
  const [, from] = /^bytes (\d+)-/.exec(headers.get("content-range") ?? "") ?? []
  return Number(from) === size && (headers.get("etag") ?? version.etag) === version.etag
}

const received = async (
  request: DownloadRequest,
  partial: Partial | null,
  headers: Headers,
  body: Readable
): Promise<Downloaded> => {
  const version = partial?.version ?? {
    url: request.url.href,
    etag: headers.get("etag"),
    last_modified: headers.get("last-modified")
  }
  const length = headers.get("content-length")
  const total = length === null ? null : Number(length) + (partial?.size ?? 0)
  if (total !== null && total > request.maxBytes) {
    body.on("error", () => {}).destroy()
    throw tooLarge(request)
  }
  await writeFile(join(request.folder, `${request.name}.json`), JSON.stringify({ version, total }), { mode: 0o600 })
  const size = await append(request, partial?.size ?? 0, body)
  if (total !== null && size !== total) throw broken(request, size)
  return checked(request, version, headers.get("content-type"))
}

const checked = async (request: DownloadRequest, version: DumpVersion, contentType: string | null) => {
  await checkZip(request, contentType)
  await checkDigest(request)
  return { path: pathOf(request), version }
}

const tooLarge = ({ url, maxBytes }: DownloadRequest) =>
  new DownloadFailed(`${shown(url)} has more than ${maxBytes} bytes, which no dump of advisories has.`)

const broken = ({ url }: DownloadRequest, size: number) =>
  new Interrupted(`${shown(url)} broke off after ${size} bytes. The next update goes on from there.`)

/** Appends the body to the file, and returns its size then. */
const append = async (request: DownloadRequest, from: number, body: Readable): Promise<number> => {
  const file = await open(pathOf(request), from === 0 ? "w" : "a", 0o600)
  let size = from
  try {
    const chunks = body[Symbol.asyncIterator]()
    for (;;) {
      const next = await chunks.next().catch(() => null)
      request.signal.throwIfAborted()
      if (next === null) throw broken(request, size)
      if (next.done === true) return size
      const chunk: Buffer = next.value
      size += chunk.length
      if (size > request.maxBytes) {
        await discardDownload(request)
        throw tooLarge(request)
      }
      await write(file, chunk)
    }
  } finally {
    body.on("error", () => {}).destroy()
    await file.close()
  }
}

const write = async (file: FileHandle, chunk: Buffer): Promise<void> => {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, done)
    done += bytesWritten
  }
}

const checkZip = async (request: DownloadRequest, contentType: string | null): Promise<void> => {
  const file = await open(pathOf(request), "r")
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0).finally(() => file.close())
  if (buffer.toString("latin1") === "PK") return
  await discardDownload(request)
  const kind = contentType === null ? "" : `, but ${contentType.split(";", 1)[0]}`
  throw new DownloadFailed(`${shown(request.url)} is no zip file${kind}.`)
}

/** Servers that publish no digest answer in one of these ways. */
const without: ReadonlyArray<number> = [403, 404, 410]
const MAX_DIGEST_BYTES = 4_096

/** Compares the file with the SHA-256 digest beside it, where the mirror has one. */
const checkDigest = async (request: DownloadRequest): Promise<void> => {
  const url = new URL(`${request.url.href}.sha256`)
  const { status, body } = await opened(request, url, {})
  const text = status === 200 ? await shortText(body) : ""
  body.on("error", () => {}).destroy()
  if (without.includes(status)) return
  if (status !== 200) throw new Interrupted(`${shown(url)} answers with status ${status}.`)
  if (digestIn(text) === (await digestOf(pathOf(request)))) return
  await discardDownload(request)
  throw new DownloadFailed(`${shown(request.url)} does not have the digest that ${shown(url)} states. Try again later.`)
}

const shortText = async (body: Readable): Promise<string> => {
  let text = ""
  for await (const chunk of body) {
    text += String(chunk)
    if (text.length > MAX_DIGEST_BYTES) return ""
  }
  return text
}

export const digestIn = (text: string): string | null =>
  /^\s*\\?([0-9a-f]{64})\b/i.exec(text)?.[1]?.toLowerCase() ?? null

export const digestOf = async (path: string): Promise<string> => {
  const hash = createHash("sha256")
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest("hex")
}
