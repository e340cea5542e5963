import type { Buffer } from "node:buffer"
import type { ChangeCommit, ChangeHistory } from "../tool/ChangeHistory.ts"
import { pathText } from "./gitPath.ts"
import { type GitLocation, gitLine, gitRecords } from "./readGit.ts"

const MAX_COMMITS = 2_000
const MAX_AGE_S = 365 * 24 * 3600
/** A commit of more files is a move, a format or an import: it says nothing about any one of them. */
const MAX_FILES_OF_COMMIT = 60
const MAX_CHANGES = 200_000

const machines =
  /\[bot\]|\b(?:dependabot|renovate|greenkeeper|pre-commit-ci|weblate|transifex|github-actions)\b|(?:^|[._-])(?:ro)?bot@/i

const logOf = (commit: string, newest: number, isPart: boolean): ReadonlyArray<string> => [
  "log",
  "--no-merges",
  "--numstat",
  "-z",
  "-M",
  "-l400",
  `-n${MAX_COMMITS}`,
  // Counted from the commit itself: the same commit has the same history on every day.
  `--since=${Math.max(0, newest - MAX_AGE_S)}`,
  "--no-textconv",
  "--no-ext-diff",
  "--no-show-signature",
  isPart ? "--relative" : "--no-relative",
  "--format=%x01%ae",
  commit,
  "--"
]

/** The history of a commit; null where git does not have the whole of it. `isPart`: only below the folder git runs in. */
export const gitHistory = async (
  location: GitLocation,
  commit: string,
  isPart = false
): Promise<ChangeHistory | null> => {
  if ((await gitLine(location, ["rev-parse", "--is-shallow-repository"])) !== "false") return null
  const newest = Number(await gitLine(location, ["log", "-1", "--no-show-signature", "--format=%ct", commit, "--"]))
  if (!Number.isSafeInteger(newest) || newest <= 0) return null
  const reader = new HistoryReader()
  try {
    for await (const record of gitRecords(location, logOf(commit, newest, isPart))) {
      reader.take(record)
      if (reader.isFull) break
    }
  } catch {
    // Objects that were never fetched, for example: files can be audited all the same.
    return null
  }
  return reader.history()
}

/** Reads `log --numstat -z`: "\x01<e-mail>", then "<added>\t<removed>\t<path>", or the same without path and two paths. */
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

  take(record: Buffer): void {
    if (this.expects === "old") {
      this.oldPath = record
      this.expects = "new"
    } else if (this.expects === "new") {
      this.expects = "record"
      this.note(pathText(record).path)
      // Commits come newest first: what had the old name before has today's name of the new one.
      this.renamed.set(pathText(this.oldPath!).path, this.nameNow(pathText(record).path))
    } else if (record[0] === 1) {
      this.end()
      const email = record.toString("utf8", 1).trim().toLowerCase()
      this.author = machines.test(email) ? null : this.numberOf(email)
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
