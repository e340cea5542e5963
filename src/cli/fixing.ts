import { Effect } from "effect"
import {
  type Finding,
  type FixesInProcess,
  fixAllInProcess,
  fixableRules,
  type SourceRequest,
  Sources,
  unifiedDiff
} from "../engine/index.ts"
import { asFailure, failed } from "./failures.ts"
import { readOwnFile, replaceFile } from "./replaceFile.ts"
import { printable } from "./terminal.ts"

export interface FixFlags {
  readonly fix: boolean
  readonly dryRun: boolean
  readonly force: boolean
}

/** Reported in JSON, and in words for what was not fixed. */
export interface FixReport {
  readonly rule_id: string
  readonly file_path: string
  readonly line: number
  readonly status: "fixed" | "declined" | "absent"
  readonly detail: string
}

const checkCommitted = (root: string) =>
  Effect.tryPromise({ try: () => Sources.hasUncommittedChanges(root), catch: asFailure }).pipe(
    Effect.flatMap((isDirty) =>
      isDirty
        ? failed(
            `--fix changes nothing while ${printable(root)} has uncommitted changes: commit or stash them, or add --force.`
          )
        : Effect.void
    )
  )

/** The folder to fix; null where nothing is to be. Without committed files to return to, nothing is changed. */
export const folderToFix = (source: SourceRequest, { fix, dryRun, force }: FixFlags) =>
  Effect.gen(function* () {
    if (!fix && (dryRun || force)) return yield* failed(`${dryRun ? "--dry-run" : "--force"} is for --fix; add it.`)
    if (!fix) return null
    if (source.kind !== "worktree")
      return yield* failed("--fix changes files of a working copy; name the folder of one.")
    if (!dryRun && !force) yield* checkCommitted(source.root)
    return source.root
  })

/** What the fixers make of the findings, one after the other. */
export const fixesOf = (root: string, findings: ReadonlyArray<Finding>, advisories: string) =>
  Effect.gen(function* () {
    const fixable = findings.filter(({ rule_id }) => fixableRules.has(rule_id))
    const targets = fixable.map(({ rule_id, signatures, locations }) => ({
      rule_id,
      finding: { signatures, locations }
    }))
    const source = { kind: "worktree", root } as const
    const made = yield* fixAllInProcess({ source, targets, advisories }).pipe(
      Effect.mapError(({ message }) => failed(message))
    )
    const { outcomes, files } = made
    return {
      files: [...files].sort((a, b) => (a.path < b.path ? -1 : 1)),
      reports: fixable.map((finding, i) => reportOf(finding, outcomes[i]))
    }
  })

const reportOf = (
  { rule_id, locations: [{ file_path, line_start: line }] }: Finding,
  outcome: FixesInProcess["outcomes"][number] | undefined
): FixReport => {
  const at = { rule_id, file_path, line }
  if (outcome?.status === "proposed") return { ...at, status: "fixed", detail: outcome.summary }
  if (outcome?.status === "declined") return { ...at, status: "declined", detail: outcome.reason }
  return { ...at, status: "absent", detail: "It was not found again; an earlier fix may have removed it." }
}

type Files = FixesInProcess["files"]

const bytesOf = ({ content }: Files[number]): Buffer => Buffer.from(content ?? "", "base64")

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** One patch of all files, as `git apply` reads it. */
export const patchOf = (root: string, files: Files) =>
  Effect.tryPromise({
    try: async () => {
      const parts: Array<string> = []
      for (const file of files) {
        const before = await readOwnFile(root, file.path)
        parts.push(unifiedDiff(file.path, decoder.decode(before), decoder.decode(bytesOf(file))))
      }
      return parts.join("")
    },
    catch: asFailure
  })

export const writeFiles = (root: string, files: Files) =>
  Effect.tryPromise({
    try: async () => {
      for (const file of files) await replaceFile(root, file.path, bytesOf(file))
    },
    catch: asFailure
  })

/** What was fixed in a count, and what was not with its reason. */
export const fixSummary = (reports: ReadonlyArray<FixReport>, files: number, others: number): string => {
  const fixed = reports.filter(({ status }) => status === "fixed")
  const lines = [`Fixed ${fixed.length} of ${reports.length + others} in ${files} file${files === 1 ? "" : "s"}.`]
  if (others > 0) lines.push(`${others} ${others === 1 ? "has" : "have"} a rule without a fixer.`)
  const rest = reports.filter(({ status }) => status !== "fixed")
  if (rest.length > 0) lines.push("Not fixed:")
  for (const { rule_id, file_path, line, detail } of rest) {
    lines.push(`  ${printable(file_path)}:${line}  ${rule_id}: ${printable(detail)}`)
  }
  return `${lines.join("\n")}\n`
}
