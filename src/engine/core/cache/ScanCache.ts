import { Buffer } from "node:buffer"
import { join } from "node:path"
import type { FileOutcome } from "../scan/Inspector.ts"
import type { LocatedFinding } from "../scan/LocatedFinding.ts"
import type { CommitStore } from "../source/TreeSource.ts"
import { type CommitsEntry, KeptCommits } from "./KeptCommits.ts"
import { RecordReader, RecordWriter, type Slice } from "./RecordFile.ts"

const MAX_BYTES = 256 * 1024 * 1024
/** Most that the index says of a file besides its path and its key, and of where each of its texts is. */
const INDEX_BYTES = 64
const INDEX_BYTES_OF_TEXT = 24
/** What it says besides files. */
const INDEX_HEAD_BYTES = 10_000

/** Something kept with the digest of all it was made from. */
type Kept = readonly [digest: string, slice: Slice]

interface FileEntry {
  readonly path: string
  readonly blob: string
  /** All of it but the facts. */
  readonly outcome: Slice
  /** Tools (their index in the list of the index), offset and length, in threes. */
  readonly facts: ReadonlyArray<number>
  readonly located: Kept | null
}

export interface CacheLimits {
  readonly maxBytes?: number
  /** Of more than fits the first files are kept, instead of none: reading that much has to leave memory for the rest. */
  readonly keepsPart?: boolean
}

interface Index {
  readonly key: string
  readonly commits: CommitsEntry | null
  readonly tools: ReadonlyArray<string>
  /** Tools that apply to a file: most files share a few such lists, which are longer than all else that is known of a file. */
  readonly applied: ReadonlyArray<ReadonlyArray<string>>
  readonly files: ReadonlyArray<FileEntry>
}

/** As it is written: facts are texts of their own, and of the tools that apply the number of their list. */
type KeptOutcome = Omit<FileOutcome, "facts" | "ran"> & { readonly ran: number }

/** What the running scan has found out about a file and another one may use again. */
interface Draft {
  readonly blob: string
  readonly outcome: Slice
  readonly facts: ReadonlyArray<number>
  located: Kept | null
}

/**
 * What the scan before this one found out, by file and content, and what this one leaves for the next. Whatever cannot
 * be read, was made by other rules or belongs to something else is as good as absent. It holds what a scan reports and
 * facts about code, both without the texts of secrets.
 */
export class ScanCache {
  private readonly path: string
  private readonly key: string
  private readonly maxBytes: number
  private readonly keepsPart: boolean
  private reader: RecordReader | null
  private readonly known = new Map<string, FileEntry>()
  private writer: RecordWriter | null = null
  private readonly drafts = new Map<string, Draft>()
  private knownTools: ReadonlyArray<ReadonlyArray<string>> = []
  private knownCommits: CommitsEntry | null = null
  private commits: KeptCommits | null = null
  private readonly tools = new Map<string, number>()
  private readonly applied: Array<ReadonlyArray<string>> = []
  private readonly appliedNumbers = new Map<string, number>()
  private secrets: ReadonlyArray<string> = []
  /** Most that the index takes. */
  private indexBytes = INDEX_HEAD_BYTES

  /** `name` separates what different settings leave in one folder. */
  constructor(
    folder: string,
    name: string,
    key: string,
    { maxBytes = MAX_BYTES, keepsPart = false }: CacheLimits = {}
  ) {
    this.path = join(folder, `${name}.scan`)
    this.key = key
    this.maxBytes = maxBytes
    this.keepsPart = keepsPart
    const reader = RecordReader.open(this.path, maxBytes)
    const index = reader === null ? null : indexOf(reader)
    this.reader = index?.key === key ? reader : null
    if (this.reader === null || index === null) return
    this.knownTools = index.tools.map((tools) => tools.split(" "))
    this.knownCommits = index.commits
    // Outcomes that are kept as they were written go on to mean the same lists.
    for (const tools of index.applied) this.appliedNumber(tools)
    for (const file of index.files) this.known.set(file.path, file)
  }

  /** Whether a scan by these rules left something here. */
  get isOfUse(): boolean {
    return this.reader !== null
  }

  /**
   * Begins what the next scan will find; what holds one of the secrets is not kept. A folder that cannot be written
   * costs the next scan time, this one nothing.
   */
  begin(secrets: ReadonlyArray<string>): void {
    this.secrets = secrets
    try {
      this.writer = new RecordWriter(this.path, this.maxBytes)
    } catch {
      this.writer = null
    }
  }

  outcome(path: string, blob: string): FileOutcome | null {
    const entry = this.entry(path, blob)
    if (entry === null) return null
    const facts: Array<FileOutcome["facts"][number]> = []
    for (const [tools, slice] of factsIn(entry)) {
      facts.push({ tools: this.knownTools[tools]!, json: this.reader!.raw(slice) })
    }
    const { ran, ...outcome } = JSON.parse(this.reader!.text(entry.outcome)) as KeptOutcome
    return { ...outcome, ran: this.applied[ran]!, facts }
  }

  /** What cross-file passes matched in this file, located in it. */
  located(path: string, blob: string, digest: string): ReadonlyArray<LocatedFinding> | null {
    const kept = this.entry(path, blob)?.located
    return kept?.[0] === digest ? (JSON.parse(this.reader!.text(kept[1])) as ReadonlyArray<LocatedFinding>) : null
  }

  keepOutcome(blob: string, { facts, ran, ...outcome }: FileOutcome): void {
    const known = facts.map(({ tools, json }) => [tools.join(" "), json] as const)
    const kept: KeptOutcome = { ...outcome, ran: this.appliedNumber(ran) }
    this.keep(outcome.path, blob, JSON.stringify(kept), known)
  }

  /** Keeps again what was known of a file, as it was written. */
  keepKnown(path: string, blob: string): void {
    const entry = this.entry(path, blob)
    const { reader, writer } = this
    if (entry === null || reader === null) return
    const [from, length] = spanOf(entry)
    const bytes = reader.raw([from, length])
    if (writer?.isOpen !== true || !this.isFit(bytes)) return
    if (this.keepsPart && !this.makesRoom(writer, path + blob, entry.facts.length / 3 + 1, length)) return
    const [at] = writer.put(bytes)
    const facts = [...entry.facts]
    for (let i = 0; i < facts.length; i += 3) {
      facts[i] = this.numberOf(this.knownTools[facts[i]!]!.join(" "))
      facts[i + 1]! += at - from
    }
    this.drafts.set(path, { blob, outcome: [at, entry.outcome[1]], facts, located: null })
  }

  /** What commits changed, under a key for all that it depends on besides them. */
  commitStore(key: string): CommitStore {
    this.commits = new KeptCommits(key, this.knownCommits, this.reader, this.writer)
    return this.commits
  }

  /** Nothing more is asked of what was known: its memory is free, unless texts that were read from it are kept. */
  release(): void {
    this.reader = null
    this.known.clear()
  }

  private keep(
    path: string,
    blob: string,
    outcome: Text,
    facts: ReadonlyArray<readonly [tools: string, json: Text]>
  ): void {
    const { writer } = this
    const texts = [outcome, ...facts.map(([, json]) => json)]
    if (writer?.isOpen !== true || !texts.every((text) => this.isFit(text))) return
    const bytes = texts.reduce((sum, text) => sum + bytesOf(text), 0)
    if (this.keepsPart && !this.makesRoom(writer, path + blob, texts.length, bytes)) return
    const slice = writer.put(outcome)
    const slices = facts.flatMap(([tools, json]) => [this.numberOf(tools), ...writer.put(json)])
    this.drafts.set(path, { blob, outcome: slice, facts: slices, located: null })
  }

  keepLocated(path: string, digest: string, located: ReadonlyArray<LocatedFinding>): void {
    const draft = this.drafts.get(path)
    const slice = draft === undefined ? null : this.put(located)
    if (draft !== undefined && slice !== null) draft.located = [digest, slice]
  }

  /** A scan that was not finished leaves what was there before. */
  finish(): void {
    const files = [...this.drafts].map(([path, draft]): FileEntry => ({ path, ...draft }))
    const commits = this.commits?.entry ?? null
    const index: Index = { key: this.key, commits, tools: [...this.tools.keys()], applied: this.applied, files }
    this.writer?.finish(JSON.stringify(index))
    this.writer = null
  }

  abandon(): void {
    this.writer?.abandon()
    this.writer = null
  }

  private numberOf(tools: string): number {
    const known = this.tools.get(tools) ?? this.tools.size
    this.tools.set(tools, known)
    return known
  }

  private appliedNumber(tools: ReadonlyArray<string>): number {
    const text = tools.join(" ")
    const known = this.appliedNumbers.get(text)
    if (known !== undefined) return known
    const number = this.applied.push(tools) - 1
    this.appliedNumbers.set(text, number)
    this.indexBytes += bytesOf(JSON.stringify(tools)) + 1
    return number
  }

  private entry(path: string, blob: string): FileEntry | null {
    const entry = this.known.get(path)
    return entry?.blob === blob ? entry : null
  }

  private put(value: unknown): Slice | null {
    const text = JSON.stringify(value)
    return this.writer?.isOpen === true && this.isFit(text) ? this.writer.put(text) : null
  }

  /** Whether so many texts of a file fit, with what the index says of it and of those before. */
  private makesRoom(writer: RecordWriter, names: string, texts: number, bytes: number): boolean {
    const indexBytes = this.indexBytes + INDEX_BYTES + INDEX_BYTES_OF_TEXT * texts + bytesOf(JSON.stringify(names))
    const isFitting = writer.hasRoom(indexBytes + bytes)
    if (isFitting) this.indexBytes = indexBytes
    return isFitting
  }

  private isFit(text: Text): boolean {
    return this.secrets.every((secret) => !text.includes(secret))
  }
}

type Text = string | Buffer

const bytesOf = (text: Text): number => (typeof text === "string" ? Buffer.byteLength(text) : text.length)

/** What was written of a file when it was inspected: its outcome and its facts, one after the other. */
const spanOf = ({ outcome: [from, length], facts }: FileEntry): Slice =>
  facts.length === 0 ? [from, length] : [from, facts.at(-2)! + facts.at(-1)! - from]

function* factsIn({ facts }: FileEntry): Generator<readonly [tools: number, slice: Slice]> {
  for (let i = 0; i < facts.length; i += 3) yield [facts[i]!, [facts[i + 1]!, facts[i + 2]!]]
}

const indexOf = (reader: RecordReader): Index | null => {
  try {
    return JSON.parse(reader.index) as Index
  } catch {
    return null
  }
}
