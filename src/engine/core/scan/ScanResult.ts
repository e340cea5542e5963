import { Schema } from "effect"
import {
  Category,
  CitationCheck,
  DetectionQueryCheck,
  Domain,
  Effort,
  EvidenceItem,
  Kind,
  Location,
  Priority,
  Risk,
  Step
} from "../../../schema/Observation.ts"

/** What a scan says, as it crosses from the scanning process. Field names are those of the wire and the database. */

export const FindingSignatures = Schema.Struct({
  version: Schema.Int,
  primary: Schema.String,
  located: Schema.String,
  moved: Schema.String,
  sites: Schema.Array(Schema.String)
})

export const FindingEvidence = Schema.Struct({
  citation: CitationCheck,
  detection_query: DetectionQueryCheck,
  checks: Schema.optionalWith(Schema.Array(EvidenceItem), { exact: true }),
  priority_reason: Schema.optionalWith(Schema.String, { exact: true })
})
export type FindingEvidence = typeof FindingEvidence.Type

/** Columns count UTF-16 units from 1; the last one is not included. */
export const Region = Schema.Struct({
  column_start: Schema.Int,
  column_end: Schema.Int,
  /** Line of the file with which the snippet begins. */
  snippet_line: Schema.Int
})
export type Region = typeof Region.Type

export const Finding = Schema.Struct({
  tool: Schema.String,
  tool_version: Schema.Int,
  /** `tool.rule` */
  rule_id: Schema.String,
  kind: Kind,
  priority: Priority,
  category: Category,
  domain: Domain,
  confidence: Schema.Number,
  effort: Effort,
  risk: Risk,
  cwe: Schema.Array(Schema.Int),
  title: Schema.String,
  /** Markdown: what is wrong, why it matters and how to fix it. */
  description: Schema.String,
  locations: Schema.NonEmptyArray(Location),
  /** From the source to the sink, which is the first location; empty where one location shows it. */
  steps: Schema.Array(Step),
  snippet: Schema.String,
  /** Where the first location stands in its lines; absent in a scan of a version before. */
  region: Schema.optionalWith(Region, { exact: true }),
  suggested_change: Schema.NullOr(Schema.String),
  /** What the rule's fixer would change, as a unified diff with secrets redacted. */
  suggested_diff: Schema.NullOr(Schema.String),
  identifiers: Schema.Array(Schema.String),
  signatures: FindingSignatures,
  /** Tokens of the flagged code, for comparison with edited code; secrets are not in it. */
  anchor: Schema.String,
  evidence: FindingEvidence
})
export type Finding = typeof Finding.Type

export const ToolOutcome = Schema.Struct({
  id: Schema.String,
  version: Schema.Int,
  domain: Schema.optionalWith(Domain, { exact: true }),
  /** "degraded": it failed on some files and finished the others. */
  status: Schema.Literal("completed", "degraded", "failed"),
  error: Schema.optionalWith(Schema.String, { exact: true })
})
export type ToolOutcome = typeof ToolOutcome.Type

export const LanguageShare = Schema.Struct({
  language: Schema.String,
  files: Schema.Int,
  lines: Schema.Int,
  bytes: Schema.Int
})

/** What dependencies were compared with: an audit without advisories for them has found nothing out about them. */
export const AdvisoryUse = Schema.Struct({
  sources: Schema.Array(
    Schema.Struct({
      source: Schema.String,
      ecosystem: Schema.NullOr(Schema.String),
      imported_at: Schema.NullOr(Schema.String),
      newest: Schema.String,
      advisories: Schema.Int
    })
  ),
  packages: Schema.Int,
  without_data: Schema.Array(Schema.String)
})

/** Files that were left out, in whole or in part, for one reason. */
export const LeftOutKind = Schema.Struct({
  reason: Schema.String,
  explanation: Schema.String,
  files: Schema.Int,
  examples: Schema.Array(Schema.String)
})

/** A finding that is not reported, and who decided so. */
export const SilencedFinding = Schema.Struct({
  rule: Schema.String,
  path: Schema.String,
  line: Schema.Int,
  by: Schema.Literal("comment", "foreign_mark", "configuration", "workspace", "baseline"),
  reason: Schema.String
})

export const ScanResult = Schema.Struct({
  findings: Schema.Array(Finding),
  inventory: Schema.Struct({
    files: Schema.Int,
    lines: Schema.Int,
    bytes: Schema.Int,
    languages: Schema.Array(LanguageShare)
  }),
  /** Files not inspected, or by text rules only; a sample when there are very many. */
  skipped: Schema.Array(Schema.Struct({ path: Schema.String, reason: Schema.String })),
  skipped_counts: Schema.Record({ key: Schema.String, value: Schema.Int }),
  /** By reason, with what was done instead and the first files. */
  left_out: Schema.Array(LeftOutKind),
  tools: Schema.Array(ToolOutcome),
  tool_failures: Schema.Array(Schema.Struct({ tool: Schema.String, path: Schema.String, message: Schema.String })),
  /** Findings of a rule that one finding reports together, by rule. */
  suppressed: Schema.Array(Schema.Struct({ rule: Schema.String, count: Schema.Int })),
  /** Findings that are not reported because a person decided so; the first thousand by path. */
  silenced: Schema.Array(SilencedFinding),
  /** How many there are, by who decided. */
  silenced_counts: Schema.Record({ key: Schema.String, value: Schema.Int }),
  /** Ignore comments that match nothing any more. */
  stale_ignores: Schema.Array(
    Schema.Struct({ path: Schema.String, line: Schema.Int, rules: Schema.Array(Schema.String), reason: Schema.String })
  ),
  /** What is wrong with the configuration and with ignore comments. */
  warnings: Schema.Array(
    Schema.Struct({ path: Schema.String, line: Schema.NullOr(Schema.Int), message: Schema.String })
  ),
  /** Languages of programs in the tree that no rule about defects knows. */
  languages_without_rules: Schema.Array(
    Schema.Struct({ language: Schema.String, files: Schema.Int, lines: Schema.Int })
  ),
  /** Signatures of what one finding reports together with others: known observations with one of these are not gone. */
  also_present: Schema.Array(Schema.String),
  /** What became of the files that the request asked to watch. "skipped": there, but not inspected as a whole. */
  watched: Schema.Record({ key: Schema.String, value: Schema.Literal("inspected", "skipped", "absent") }),
  /** Findings whose evidence was not confirmed. */
  dropped_by_verification: Schema.Int,
  /** Absent when no tool that ran reads lock files. */
  advisories: Schema.optionalWith(AdvisoryUse, { exact: true }),
  /** Whether suggestions were asked for: what is not asked for is not gone. */
  suggestions: Schema.Boolean,
  /** Files known from the scan before, which were not analysed again. */
  reused_files: Schema.Int,
  cpu_seconds: Schema.Number,
  wall_ms: Schema.Number,
  peak_rss_bytes: Schema.Number
})
export type ScanResult = typeof ScanResult.Type
