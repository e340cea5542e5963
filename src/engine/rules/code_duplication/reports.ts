import type { EmitAt } from "../../core/tool/AuditTool.ts"
import { type CloneClass, type CloneLimits, type CloneRange, clonesIn } from "../../structure/clones/clonesIn.ts"
import type { RuleId } from "./rules.ts"

export interface ComparedFile {
  readonly path: string
  /** Digest of the code of all its functions; "" for a small file. */
  readonly digest: string
  readonly tokens: number
  readonly lines: number
  /** The first line of code. */
  readonly start: number
  readonly end: number
  readonly prints: string
}

const limits: CloneLimits = { minTokens: 100, minDecisions: 2, maxRanges: 16, maxRangesInFile: 4 }
const MIN_LINES = 8
/** With this share of a file in another one, the whole file was copied. */
const MIN_SHARE_OF_FILE = 0.8
const MAX_REPORTED = 200
const MAX_RANGES_SHOWN = 12

/** Folders such as `v1`, `hibernate4` and `hibernate5`: versions that are kept beside each other on purpose. */
const versionless = (path: string): string => {
  const slash = path.lastIndexOf("/")
  return path.slice(0, slash + 1).replace(/[\d._]+/g, "") + path.slice(slash + 1)
}

const areVersions = (a: string, b: string): boolean => a !== b && versionless(a) === versionless(b)

/** Returns the files that are compared further: of copies only the first. */
export const reportCopies = (files: ReadonlyArray<ComparedFile>, emit: EmitAt<RuleId>): ReadonlyArray<ComparedFile> => {
  const copies = new Map<string, Array<ComparedFile>>()
  const kept: Array<ComparedFile> = []
  for (const file of files) {
    const known = file.digest === "" ? undefined : copies.get(file.digest)
    if (known !== undefined) known.push(file)
    else {
      if (file.digest !== "") copies.set(file.digest, [file])
      kept.push(file)
    }
  }
  for (const [first, ...others] of copies.values()) {
    const reported = others.filter(({ path }) => !areVersions(path, first!.path))
    if (reported.length === 0) continue
    emit(first!.path, {
      rule: "copied_file",
      start: first!.start,
      end: first!.end,
      message: `All the code of \`${first!.path}\` (${first!.lines} lines) is also in ${listed(reported.map(({ path }) => path))}.`,
      steps: reported
        .slice(0, MAX_RANGES_SHOWN)
        .map(({ path }) => ({ path, start: 0, end: 0, note: "This file has the same code." }))
    })
  }
  return kept
}

const listed = (paths: ReadonlyArray<string>): string => {
  const shown = paths.slice(0, 3).map((path) => `\`${path}\``)
  return paths.length > 3 ? `${shown.join(", ")} and ${paths.length - 3} more` : shown.join(" and ")
}

const rangeNote = ({ lineStart, lineEnd }: CloneRange): string => `The clone covers lines ${lineStart} to ${lineEnd}.`

const isLongEnough = ({ ranges }: CloneClass): boolean =>
  ranges.every(({ lineStart, lineEnd }) => lineEnd - lineStart + 1 >= MIN_LINES)

/** Files most of which is in another one: pairs by number, with the tokens they share. */
const nearCopies = (files: ReadonlyArray<ComparedFile>, classes: ReadonlyArray<CloneClass>) => {
  const shared = new Map<string, number>()
  for (const { ranges, tokens } of classes) {
    for (const a of ranges)
      for (const b of ranges) {
        if (a.file >= b.file) continue
        const key = `${a.file} ${b.file}`
        shared.set(key, (shared.get(key) ?? 0) + tokens)
      }
  }
  return new Map(
    [...shared].filter(([key, tokens]) => {
      const [a, b] = key.split(" ").map((index) => files[Number(index)]!) as [ComparedFile, ComparedFile]
      const most = Math.max(a.tokens, b.tokens)
      return most >= 300 && tokens >= MIN_SHARE_OF_FILE * most
    })
  )
}

export const reportClones = (files: ReadonlyArray<ComparedFile>, emit: EmitAt<RuleId>): void => {
  const classes = clonesIn(files, limits, (a, b) => areVersions(files[a]!.path, files[b]!.path)).filter(isLongEnough)
  const near = nearCopies(files, classes)
  for (const [key, tokens] of near) {
    const [a, b] = key.split(" ").map((index) => files[Number(index)]!) as [ComparedFile, ComparedFile]
    const share = Math.min(99, Math.floor((tokens / Math.max(a.tokens, b.tokens)) * 100))
    emit(a.path, {
      rule: "copied_file",
      start: a.start,
      end: a.end,
      message: `${share} % of the code of \`${a.path}\` and of \`${b.path}\` is the same.`,
      steps: [{ path: b.path, start: 0, end: 0, note: "This file has nearly the same code." }]
    })
  }
  let reported = 0
  for (const clone of classes) {
    if (reported >= MAX_REPORTED) return
    const isInNearCopy =
      clone.ranges.length === 2 &&
      near.has(
        clone.ranges
          .map(({ file }) => file)
          .sort((a, b) => a - b)
          .join(" ")
      )
    if (isInNearCopy) continue
    reported++
    reportClone(files, clone, emit)
  }
}

const reportClone = (
  files: ReadonlyArray<ComparedFile>,
  { ranges, isExact, tokens }: CloneClass,
  emit: EmitAt<RuleId>
): void => {
  const inOrder = [...ranges].sort((a, b) => a.file - b.file || a.start - b.start)
  const [first, ...others] = inOrder as [CloneRange, ...Array<CloneRange>]
  const here = files[first.file]!.path
  const lines = first.lineEnd - first.lineStart + 1
  const paths = [...new Set(others.map(({ file }) => files[file]!.path))]
  const where = paths.length === 1 && paths[0] === here ? "further down in this file" : `in ${listed(paths)}`
  emit(here, {
    rule: isExact ? "exact_clone" : "renamed_clone",
    start: first.start,
    end: first.end,
    message:
      `${lines} lines (${tokens} tokens) are ${isExact ? "the same" : "the same but for names and constants"} ${where}` +
      `${others.length > 1 ? `, ${ranges.length} locations in total` : ""}.`,
    steps: inOrder.slice(0, MAX_RANGES_SHOWN).map((range) => ({
      path: files[range.file]!.path,
      start: range.start,
      end: range.end,
      note: rangeNote(range)
    }))
  })
}
