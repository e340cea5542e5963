import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { DateTime, Effect } from "effect"
import { Advisories } from "../../engine/index.ts"
import type { OpenStream } from "../OutboundHttp.ts"
import {
  type Downloaded,
  DownloadFailed,
  type DumpVersion,
  digestIn,
  digestOf,
  discardDownload,
  download,
  shown
} from "./DumpDownload.ts"
import { withFolderLock } from "./FolderLock.ts"
import { dumpUrl } from "./mirror.ts"
import { readUpdateRecord, type UpdateRecord, writeUpdateRecord } from "./UpdateRecord.ts"

export interface UpdateOptions {
  /** Base address of the mirror; `<ecosystem>/all.zip` is below it. */
  readonly base: URL
  readonly ecosystems: ReadonlyArray<string>
  /** Folder of the advisories. */
  readonly folder: string
  readonly open: OpenStream
  readonly maxBytes?: number
  readonly pauses?: ReadonlyArray<number>
}

/** What became of one ecosystem. */
export type Updated =
  | { readonly ecosystem: string; readonly status: "updated"; readonly source: Advisories.AdvisorySource }
  | { readonly ecosystem: string; readonly status: "unchanged" }
  | { readonly ecosystem: string; readonly status: "failed"; readonly message: string }

/** The largest dump has some two hundred million bytes. */
const defaultMaxBytes = 4 * 1024 ** 3
const defaultPauses = [1_000, 5_000, 20_000]

/** Brings the advisories up to date with a mirror, one ecosystem after the other; what fails stays as it was. */
export const updateAdvisories = (options: UpdateOptions) =>
  withFolderLock(
    options.folder,
    Effect.gen(function* () {
      const outcomes = yield* Effect.forEach(options.ecosystems, (ecosystem) => updateOne(options, ecosystem))
      const ended_at = DateTime.formatIso(yield* DateTime.now)
      yield* Effect.sync(() => {
        const record = readUpdateRecord(options.folder)
        const failed = outcomes.flatMap((one) => (one.status === "failed" ? [[one.ecosystem, one.message]] : []))
        const others = Object.entries(record.failures).filter(([ecosystem]) => !options.ecosystems.includes(ecosystem))
        writeUpdateRecord(options.folder, { ...record, ended_at, failures: Object.fromEntries([...others, ...failed]) })
      })
      return outcomes
    })
  )

const updateOne = (options: UpdateOptions, ecosystem: string): Effect.Effect<Updated> =>
  Effect.gen(function* () {
    const at = DateTime.formatIso(yield* DateTime.now)
    return yield* Effect.tryPromise({
      try: (signal) => update(options, ecosystem, at, signal),
      catch: (error) => (error instanceof Error ? error.message : String(error))
    })
  }).pipe(Effect.catchAll((message) => Effect.succeed<Updated>({ ecosystem, status: "failed", message })))

const update = async (options: UpdateOptions, ecosystem: string, at: string, signal: AbortSignal): Promise<Updated> => {
  const { folder } = options
  const url = dumpUrl(options.base, ecosystem)
  const previous = importedVersion(folder, ecosystem)
  const request = {
    open: options.open,
    url,
    folder: join(folder, "downloads"),
    name: ecosystem,
    previous,
    maxBytes: options.maxBytes ?? defaultMaxBytes,
    pauses: options.pauses ?? defaultPauses,
    signal
  }
  const found = url.protocol === "file:" ? await localDump(url, previous, request.maxBytes) : await download(request)
  if (found === null) {
    note(folder, ecosystem, (dump) => (dump === undefined ? undefined : { ...dump, checked_at: at }))
    return { ecosystem, status: "unchanged" }
  }
  const source = await imported(options, ecosystem, found, at).finally(() => discardDownload(request))
  note(folder, ecosystem, () => ({
    ...found.version,
    imported_at: at,
    checked_at: at,
    reader: Advisories.OSV_READER
  }))
  return { ecosystem, status: "updated", source }
}

const imported = async (
  { base, folder }: UpdateOptions,
  ecosystem: string,
  { path }: NonNullable<Downloaded>,
  importedAt: string
) => {
  const source = shown(dumpUrl(base, ecosystem))
  const known = Advisories.ecosystems.find((one) => one === ecosystem)
  if (known === undefined) throw new DownloadFailed(`${ecosystem} is none of ${Advisories.ecosystems.join(", ")}.`)
  try {
    const whole = { ecosystem: known, source }
    const report = await Advisories.importOsv({ paths: [path], folder, add: false, importedAt, whole })
    return report.written[0]!
  } catch (error) {
    throw new DownloadFailed(`${source} is not a whole dump: ${error instanceof Error ? error.message : error}`)
  }
}

type ImportedDump = UpdateRecord["dumps"][string]

const note = (
  folder: string,
  ecosystem: string,
  change: (dump: ImportedDump | undefined) => ImportedDump | undefined
) => {
  const record = readUpdateRecord(folder)
  const dump = change(record.dumps[ecosystem])
  if (dump !== undefined) writeUpdateRecord(folder, { ...record, dumps: { ...record.dumps, [ecosystem]: dump } })
}

/** The version that is in force; null where the file is another one by now, or an older reader made it. */
const importedVersion = (folder: string, ecosystem: string): DumpVersion | null => {
  const dump = readUpdateRecord(folder).dumps[ecosystem]
  const known = Advisories.ecosystems.find((one) => one === ecosystem)
  if (dump === undefined || known === undefined || dump.reader !== Advisories.OSV_READER) return null
  return Advisories.openAdvisoryFile(folder, known)?.source.imported_at === dump.imported_at ? dump : null
}

/** A dump on this machine, read where it is. */
const localDump = async (url: URL, previous: DumpVersion | null, maxBytes: number): Promise<Downloaded> => {
  const path = fileURLToPath(url)
  const found = await stat(path).catch(() => null)
  if (found === null || !found.isFile()) throw new DownloadFailed(`${path} does not exist.`)
  if (found.size > maxBytes) {
    throw new DownloadFailed(`${path} has more than ${maxBytes} bytes, which no dump of advisories has.`)
  }
  const version = { url: url.href, etag: `${found.size}-${found.mtimeMs}`, last_modified: null }
  if (previous?.url === version.url && previous.etag === version.etag) return null
  await checkLocalDigest(path)
  return { path, version }
}

const checkLocalDigest = async (path: string): Promise<void> => {
  const text = await readFile(`${path}.sha256`, "utf8").catch(() => null)
  if (text !== null && digestIn(text) !== (await digestOf(path))) {
    throw new DownloadFailed(`${path} does not have the digest that ${path}.sha256 states.`)
  }
}
