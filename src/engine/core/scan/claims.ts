import type { FileInput, ToolHit } from "./Inspector.ts"
import type { Finding, FindingEvidence } from "./ScanResult.ts"

/** What was said about one file, to be checked against it. Plain data: it comes from a scan or from stored rows. */
export interface Claim {
  readonly key: string
  /** `tool.rule` */
  readonly rule: string
  readonly symbol: string | null
  readonly anchor: string
  readonly lineStart: number
  readonly lineEnd: number
  readonly identifiers: ReadonlyArray<string>
}

export interface Verdict {
  readonly key: string
  readonly evidence: FindingEvidence
  readonly stands: boolean
}

export type CheckedStage = "verify" | "revalidate"

/** The path is not there (any more). */
export const pathGone = (claim: Claim, stage: CheckedStage): Verdict => ({
  key: claim.key,
  stands: false,
  evidence: {
    citation: { checked_at_stage: stage, line_in_range: false, missing_identifiers: null, path_resolved: false },
    detection_query: { absence_hint: null, match_count: null, status: "inconclusive" }
  }
})

/**
 * What rules over all files said about one of them, and on what grounds. Such a rule cannot be asked about one file: its
 * word stands as long as the file says of itself what it said when the rule concluded.
 */
export interface Concluded {
  /** Rules of these tools came to an end. */
  readonly tools: ReadonlyArray<string>
  readonly hits: ReadonlyArray<ToolHit>
  /** Digests of the file's facts, by tool. */
  readonly facts: Readonly<Record<string, string>>
}

export interface FileCheck extends FileInput {
  readonly claims: ReadonlyArray<Claim>
  readonly concluded: Concluded | null
}

export const claimOf = (finding: Finding): Claim => ({
  key: finding.signatures.located,
  rule: finding.rule_id,
  symbol: finding.locations[0].symbol,
  anchor: finding.anchor,
  lineStart: finding.locations[0].line_start,
  lineEnd: finding.locations[0].line_end,
  identifiers: finding.identifiers
})

export const claimsByPath = (findings: ReadonlyArray<Finding>): ReadonlyMap<string, ReadonlyArray<Claim>> => {
  const claims = new Map<string, Array<Claim>>()
  for (const finding of findings) {
    const path = finding.locations[0].file_path
    const known = claims.get(path)
    if (known === undefined) claims.set(path, [claimOf(finding)])
    else known.push(claimOf(finding))
  }
  return claims
}
