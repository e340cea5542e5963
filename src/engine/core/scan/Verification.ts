import type { TreeTerms } from "../files/TreeTerms.ts"
import type { TreeSource } from "../source/TreeSource.ts"
import type { Batches } from "./Batches.ts"
import {
  absent,
  type CheckedFile,
  type Citation,
  type CrossFileEvidence,
  citationsByPath,
  type EvidenceCheck
} from "./evidence.ts"
import type { FileInput } from "./Inspector.ts"
import type { Progress } from "./Progress.ts"
import type { ScannedFiles } from "./ScannedFiles.ts"
import type { Finding } from "./ScanResult.ts"

interface VerificationInput {
  readonly source: TreeSource
  readonly files: ScannedFiles
  /** What cross-file passes of the cited tools say of one file. */
  readonly crossFile: (path: string, citations: ReadonlyArray<Citation>) => CrossFileEvidence
  /** Also for files that have not changed. */
  readonly rerunRules: boolean
}

/**
 * Checks the evidence of findings. What they cite was checked when they were located, and rules are pure: running them
 * again over the same bytes can only give the same. So they run again where a file has changed since it was read, and
 * everywhere when the scan is asked to.
 */
export class Verification {
  private readonly input: VerificationInput
  private readonly checks = new Map<string, EvidenceCheck>()
  /** Files that are what they were when they were inspected. */
  private readonly unchanged = new Set<string>()

  constructor(input: VerificationInput) {
    this.input = input
  }

  add(checks: ReadonlyArray<EvidenceCheck>): void {
    for (const check of checks) this.checks.set(check.key, check)
  }

  /** Findings with confirmed evidence. Meanwhile the outcomes of reruns are expected by `add`. */
  async confirmed(
    findings: ReadonlyArray<Finding>,
    batches: Batches,
    terms: TreeTerms,
    progress: Progress
  ): Promise<ReadonlyArray<Finding>> {
    const { source, files, rerunRules } = this.input
    const citations = citationsByPath(findings)
    const paths = [...citations.keys()].sort()
    progress.enter("verify", paths.length)
    if (source.isImmutable && !rerunRules) {
      for (const path of paths) this.unchanged.add(path)
      progress.advance(paths.length)
    } else {
      const entries = paths.flatMap((path) => files.entry(path) ?? [])
      const fileOf = (input: FileInput) => this.toRerun(input, citations.get(input.path) ?? [], progress)
      await batches.runFiles<CheckedFile>(entries, terms, fileOf, (id, files) => ({ type: "rerun", id, files }))
    }
    return findings.flatMap((finding) => this.checkedOf(finding))
  }

  private toRerun(input: FileInput, citations: ReadonlyArray<Citation>, progress: Progress): CheckedFile | null {
    const { files, crossFile, rerunRules } = this.input
    if (rerunRules || input.blob !== files.blob(input.path))
      return { ...input, citations, crossFile: crossFile(input.path, citations) }
    this.unchanged.add(input.path)
    progress.advance(1)
    return null
  }

  private checkedOf(finding: Finding): ReadonlyArray<Finding> {
    if (this.unchanged.has(finding.locations[0].file_path)) {
      return finding.evidence.citation.missing_identifiers?.length === 0 ? [finding] : []
    }
    // A file that vanished, or whose rerun got stuck, has no check.
    const { confirmed, evidence } = this.checks.get(finding.signatures.located) ?? absent(finding.signatures.located)
    return confirmed ? [{ ...finding, evidence: { ...finding.evidence, ...evidence } }] : []
  }
}
