import { Buffer } from "node:buffer"
import type { ChangeCommit, ChangeHistory } from "../tool/ChangeHistory.ts"
import { pathText } from "./gitPath.ts"
import { type GitLocation, gitLine, gitRecords } from "./readGit.ts"
import type { CommitStore } from "./TreeSource.ts"

const MAX_COMMITS = 2_000
const MAX_AGE_S = 365 * 24 * 3600
/** A commit of more files is a move, a format or an import: it says nothing about any one of them. */
const MAX_FILES_OF_COMMIT = 60
const MAX_CHANGES = 200_000

const machines =
  /\[bot\]|\b(?:dependabot|renovate|greenkeeper|pre-commit-ci|weblate|transifex|github-actions)\b|(?:^|[._-])(?:ro)?bot@/i

/** Commits in one question to git: their names are its arguments. */
const COMMITS_AT_ONCE = 500

/** Identifier and e-mail of each commit, newest first. */
const listOf = (commit: string, newest: number): ReadonlyArray<string> => [
  "log",
  "--no-merges",
  "-z",
  `-n${MAX_COMMITS}`,
  // Counted from the commit itself: the same commit has the same history on every day.
  `--since=${Math.max(0, newest - MAX_AGE_S)}`,
  "--no-show-signature",
  "--format=%H %ae",
  commit,
  "--"
]

const changesOf = (commits: ReadonlyArray<string>, isPart: boolean): ReadonlyArray<string> => [
  "log",
  "--no-walk=unsorted",
  "--numstat",
  "-z",
  "-M",
  "-l400",
  "--no-textconv",
  "--no-ext-diff",
  "--no-show-signature",
  isPart ? "--relative" : "--no-relative",
  "--format=%x01%H",
  ...commits,
  "--"
]

const nothingKept: CommitStore = { changes: () => null, keep: () => undefined }

interface HistoryOptions {
  /** Only below the folder git runs in. */
  readonly isPart?: boolean
  readonly store?: CommitStore
}

/** The history of a commit; null where git does not have the whole of it. */
export const gitHistory = async (
  location: GitLocation,
  commit: string,
  { isPart = false, store = nothingKept }: HistoryOptions = {}
): Promise<ChangeHistory | null> => {
  if ((await gitLine(location, ["rev-parse", "--is-shallow-repository"])) !== "false") return null
  const newest = Number(await gitLine(location, ["log", "-1", "--no-show-signature", "--format=%ct", commit, "--"]))
  if (!Number.isSafeInteger(newest) || newest <= 0) return null
  const reader = new HistoryReader()
  try {
    const commits: Array<ListedCommit> = []
    for await (const record of gitRecords(location, listOf(commit, newest))) commits.push(listedCommit(record))
    for (let at = 0; at < commits.length && !reader.isFull; ) {
      const known = store.changes(commits[at]!.id)
      if (known !== null) {
        store.keep(commits[at]!.id, known)
        reader.takeKept(commits[at]!, Buffer.from(known.buffer, known.byteOffset, known.byteLength))
        at++
      } else {
        const next = commits.slice(at, at + COMMITS_AT_ONCE)
        const end = next.findIndex(({ id }) => store.changes(id) !== null)
        const unknown = end < 0 ? next : next.slice(0, end)
        await readChanges(location, unknown, isPart, reader, store)
        at += unknown.length
      }
    }
  } catch {
    // Objects that were never fetched, for example: files can be audited all the same.
    return null
  }
  return reader.history()
}

interface ListedCommit {
  readonly id: string
  readonly email: string
}

const listedCommit = (record: Buffer): ListedCommit => {
  const space = record.indexOf(32)
  return {
    id: record.toString("latin1", 0, space),
    email: record
      .toString("utf8", space + 1)
      .trim()
      .toLowerCase()
  }
}

const NUL = Buffer.of(0)

/** Reads what these commits changed, and keeps what was read of each to its end. */
const readChanges = async (
  location: GitLocation,
  commits: ReadonlyArray<ListedCommit>,
  isPart: boolean,
  reader: HistoryReader,
  store: CommitStore
): Promise<void> => {
  const byId = new Map(commits.map((commit) => [commit.id, commit]))
  const ids = [...byId.keys()]
  let current: string | null = null
  let records: Array<Buffer> = []
  const keepCurrent = () => {
    if (current !== null) store.keep(current, Buffer.concat(records))
    records = []
  }
  for await (const record of gitRecords(location, changesOf(ids, isPart))) {
    if (reader.isHeader(record)) {
      keepCurrent()
      current = record.toString("latin1", 1).trim()
      reader.begin(byId.get(current)!)
    } else {
      records.push(record, NUL)
      reader.take(record)
      if (reader.isFull) return
    }
  }
  keepCurrent()
}

/** Reads `log --numstat -z`: "\x01<commit>", then "<added>\t<removed>\t<path>", or the same without path and two paths. */
class HistoryReader {
  private readonly numbers = new Map<string, number>()
  private readonly renamed = new Map<string, string>()
  private readonly authors = new Map<string, number>()
  private readonly commits: Array<ChangeCommit> = []
  private changes: Array<readonly [path: number, lines: number]> = []
  private author: number | null = null
  private lines = 0
  private oldPath: Buffer | null = null
  private expects: "record" | "old" | "new" = "record"
  private total = 0

  get isFull(): boolean {
    return this.total >= MAX_CHANGES
  }

  /** Whether the next commit begins here: names of files may look like anything. */
  isHeader(record: Buffer): boolean {
    return this.expects === "record" && record[0] === 1
  }

  begin({ email }: ListedCommit): void {
    this.end()
    this.author = machines.test(email) ? null : this.numberOf(email)
  }

  /** A commit as it was kept: its records, each with its end. */
  takeKept(commit: ListedCommit, records: Buffer): void {
    this.begin(commit)
    let start = 0
    for (let end = records.indexOf(0); end !== -1 && !this.isFull; end = records.indexOf(0, start)) {
      this.take(records.subarray(start, end))
      start = end + 1
    }
  }

  take(record: Buffer): void {
    if (this.expects === "old") {
      this.oldPath = record
      this.expects = "new"
    } else if (this.expects === "new") {
      this.expects = "record"
      this.note(pathText(record).path)
      // Commits come newest first: what had the old name before has today's name of the new one.
      this.renamed.set(pathText(this.oldPath!).path, this.nameNow(pathText(record).path))
    } else this.takeChange(record)
  }

  history(): ChangeHistory {
    this.end()
    return { paths: [...this.numbers.keys()], commits: this.commits }
  }

  private takeChange(record: Buffer): void {
    const second = record.indexOf(9, record.indexOf(9) + 1)
    if (second < 0) return
    const [added, removed] = record.toString("latin1", 0, second).trim().split("\t")
    // Binary files have dashes.
    this.lines = (Number(added) || 0) + (Number(removed) || 0)
    if (second === record.length - 1) this.expects = "old"
    else this.note(pathText(record.subarray(second + 1)).path)
  }

  private note(path: string): void {
    const name = this.nameNow(path)
    const number = this.numbers.get(name) ?? this.numbers.size
    this.numbers.set(name, number)
    this.changes.push([number, this.lines])
    this.total++
  }

  private nameNow(path: string): string {
    return this.renamed.get(path) ?? path
  }

  private numberOf(email: string): number {
    const number = this.authors.get(email) ?? this.authors.size
    this.authors.set(email, number)
    return number
  }

  private end(): void {
    const { author, changes } = this
    if (author !== null && changes.length > 0 && changes.length <= MAX_FILES_OF_COMMIT)
      this.commits.push({ author, changes })
    this.changes = []
  }
}
