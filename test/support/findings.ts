import type { Finding } from "../../src/engine/core/scan/ScanResult.ts"

/** A finding as a scan returns it, with what the test is about. */
export const aFinding = (fields: Partial<Finding> = {}): Finding => ({
  tool: "sql_injection",
  tool_version: 1,
  rule_id: "sql_injection.untrusted_sql",
  kind: "finding",
  priority: "P1",
  category: "security",
  domain: "security",
  confidence: 0.85,
  effort: "small",
  risk: "low",
  cwe: [89],
  title: "SQL injection",
  description: "SQL injection.",
  locations: [{ file_path: "a.ts", symbol: "find", line_start: 5, line_end: 5 }],
  steps: [],
  snippet: "",
  suggested_change: null,
  suggested_diff: null,
  identifiers: [],
  signatures: { version: 1, primary: "p", located: "l", moved: "m", sites: [] },
  anchor: "",
  evidence: {
    citation: { checked_at_stage: null, line_in_range: null, missing_identifiers: null, path_resolved: null },
    detection_query: { absence_hint: null, match_count: null, status: null }
  },
  ...fields
})
