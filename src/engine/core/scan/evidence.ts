import type { Location } from "../../../schema/Observation.ts"
import { REDACTED } from "../../secrets/redact.ts"
import type { FileInput } from "./Inspector.ts"
import type { LocatedFinding, ToolMatch } from "./LocatedFinding.ts"
import type { Finding, FindingEvidence } from "./ScanResult.ts"

/** What a finding cites in its file, to be checked against that file. */
export interface Citation extends Location, Pick<Finding, "rule_id" | "anchor" | "identifiers"> {
  /** The finding's `located` signature. */
  readonly key: string
}

export interface EvidenceCheck {
  readonly key: string
  readonly evidence: Pick<FindingEvidence, "citation" | "detection_query">
  readonly confirmed: boolean
}

/** The file is binary, or no longer there. */
export const absent = (key: string): EvidenceCheck => ({
  key,
  confirmed: false,
  evidence: {
    citation: { checked_at_stage: "verify", line_in_range: false, missing_identifiers: null, path_resolved: false },
    detection_query: { absence_hint: null, match_count: null, status: "inconclusive" }
  }
})

/**
 * What cross-file passes matched in one file, and from which facts. Such a pass cannot be run for one file: its matches
 * hold as long as the file leaves the facts that it left when the pass ran.
 */
export interface CrossFileEvidence {
  /** Tools whose cross-file pass finished. */
  readonly finished: ReadonlyArray<string>
  readonly matches: ReadonlyArray<ToolMatch>
  /** Digests of the file's facts, by tool. */
  readonly facts: Readonly<Record<string, string>>
}

/** A file whose rules are to run again. */
export interface CheckedFile extends FileInput {
  readonly citations: ReadonlyArray<Citation>
  readonly crossFile: CrossFileEvidence
}

export const citationOf = ({ signatures, rule_id, anchor, identifiers, locations }: Finding): Citation => ({
  key: signatures.located,
  rule_id,
  anchor,
  identifiers,
  ...locations[0]
})

export const citationsByPath = (findings: ReadonlyArray<Finding>): ReadonlyMap<string, ReadonlyArray<Citation>> => {
  const byPath = new Map<string, Array<Citation>>()
  for (const citation of findings.map(citationOf)) {
    const known = byPath.get(citation.file_path)
    if (known === undefined) byPath.set(citation.file_path, [citation])
    else known.push(citation)
  }
  return byPath
}

export const toolOf = ({ rule_id }: Pick<Finding, "rule_id">): string => rule_id.slice(0, rule_id.indexOf("."))

/** Which texts are redacted depends on the tools that ran, so an anchor with a redaction is compared by its rule alone. */
export const isCited = (citation: Pick<Citation, "rule_id" | "symbol" | "anchor">, found: LocatedFinding): boolean => {
  if (found.rule_id !== citation.rule_id) return false
  const isRedacted = citation.anchor.includes(REDACTED) || citation.symbol?.includes(REDACTED) === true
  return isRedacted || (found.symbol === citation.symbol && found.anchor.text === citation.anchor)
}
