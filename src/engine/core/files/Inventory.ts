import type { FileOutcome } from "../scan/Inspector.ts"
import type { ScanResult } from "../scan/ScanResult.ts"
import { compareText } from "../text/compareText.ts"

const MAX_LISTED_SKIPS = 1_000
const MAX_EXAMPLES = 3

interface Share {
  files: number
  lines: number
  bytes: number
}

export interface LeftOutKind {
  readonly reason: string
  /** The reason in words, and what was done instead. */
  readonly explanation: string
  readonly files: number
  readonly examples: ReadonlyArray<string>
}

const explanations: Readonly<Record<string, string>> = {
  binary: "Not text: a zero byte at its beginning, or the name of a binary format. Not read.",
  compiled: "Written by a compiler or a bundler from other sources: rules about security alone read it.",
  configuration: "Excluded by .assay.yaml: inspected for credentials only.",
  crashed: "A parser crashed on it; the audit went on without it.",
  generated: "Generated: rules about hand-written code pass over it, rules about secrets do not.",
  match_limit: "One tool matched more than 1,000 times in it: the first 1,000 matches count.",
  memory_budget: "Its inspection needed more memory than a thread may use; the audit went on without it.",
  minified: "Minified: rules about hand-written code pass over it, rules about secrets do not.",
  missing: "Its content is not in the repository's objects. Not read.",
  not_parsed: "Its lines are too long, or parsing it takes too much work: only rules that read text saw it.",
  special_file: "Not a regular file. Not read.",
  submodule: "A submodule, which is a repository of its own. Not read.",
  symlink: "A symbolic link, which is never followed. Not read.",
  time_budget: "A rule did not return from it within its processor time; the audit went on without the file.",
  too_large: "Larger than 512 KB (a lock file: larger than its own limit). Not read.",
  unreadable: "The operating system did not let it be read.",
  unsafe_name: "Its name could lead out of the repository. Not read.",
  vendored: "Other people's code, checked in: read for secrets at most. Its packages are checked by lock files."
}

/** Counts files by the reason for which they were left out. Examples are the first by path, in whichever order they come. */
class LeftOut {
  private readonly kinds = new Map<string, { files: number; examples: Array<string> }>()

  add(path: string, reason: string): void {
    const kind = this.kinds.get(reason) ?? { files: 0, examples: [] }
    this.kinds.set(reason, kind)
    kind.files++
    if (kind.examples.length === MAX_EXAMPLES && compareText(path, kind.examples[MAX_EXAMPLES - 1]!) > 0) return
    kind.examples = [...kind.examples, path].sort(compareText).slice(0, MAX_EXAMPLES)
  }

  summary(): ReadonlyArray<LeftOutKind> {
    return [...this.kinds]
      .map(([reason, { files, examples }]) => ({
        reason,
        explanation: explanations[reason] ?? "Not read.",
        files,
        examples
      }))
      .sort((a, b) => b.files - a.files || compareText(a.reason, b.reason))
  }
}

/** What the repository consists of, and what was left out of the scan. */
export class Inventory {
  lines = 0
  private readonly shares = new Map<string, Share>()
  private readonly skips: Array<{ readonly path: string; readonly reason: string }> = []
  private readonly leftOut = new LeftOut()

  count({
    path,
    language,
    role,
    lines,
    bytes
  }: Pick<FileOutcome, "path" | "language" | "role" | "lines" | "bytes">): void {
    if (role === "generated" || role === "minified" || role === "vendored") this.leftOut.add(path, role)
    const share = this.shares.get(language) ?? { files: 0, lines: 0, bytes: 0 }
    share.files++
    share.lines += lines
    share.bytes += bytes
    this.lines += lines
    this.shares.set(language, share)
  }

  skip(path: string, reason: string): void {
    this.skips.push({ path, reason })
    this.leftOut.add(path, reason)
  }

  summary(): ScanResult["inventory"] {
    const languages = [...this.shares]
      .map(([language, share]) => ({ language, ...share }))
      .sort((a, b) => b.bytes - a.bytes || compareText(a.language, b.language))
    const sum = (key: keyof Share) => languages.reduce((total, share) => total + share[key], 0)
    return { files: sum("files"), lines: sum("lines"), bytes: sum("bytes"), languages }
  }

  /** Status of each of the files: one that is neither read nor left out is not in the tree. */
  statusesOf(paths: ReadonlyArray<string>, read: ReadonlySet<string>): ScanResult["watched"] {
    const skipped = new Set(this.skips.map(({ path }) => path))
    const statusOf = (path: string) => (skipped.has(path) ? "skipped" : read.has(path) ? "inspected" : "absent")
    return Object.fromEntries([...paths].sort().map((path) => [path, statusOf(path)]))
  }

  skippedPaths(): ReadonlyArray<string> {
    return this.skips.map(({ path }) => path)
  }

  skippedFiles(): ScanResult["skipped"] {
    return [...this.skips].sort((a, b) => compareText(a.path, b.path)).slice(0, MAX_LISTED_SKIPS)
  }

  skippedCounts(): ScanResult["skipped_counts"] {
    const counts = new Map<string, number>()
    for (const { reason } of this.skips) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    return Object.fromEntries([...counts].sort(([a], [b]) => compareText(a, b)))
  }

  /** What was left out, in whole or in part: by reason, most files first. */
  summaryOfLeftOut(): ReadonlyArray<LeftOutKind> {
    return this.leftOut.summary()
  }
}
