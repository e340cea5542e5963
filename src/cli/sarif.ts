import { type AuditTool, type Finding, type Rule, type ScanResult, Sources } from "../engine/index.ts"
import type { Location, Priority, Step } from "../schema/Observation.ts"

// What GitHub takes of one file; it refuses a rule with more tags.
const maxResults = 25_000
const maxTags = 20

const levels: Record<Priority, "error" | "warning" | "note"> = { P0: "error", P1: "error", P2: "warning", P3: "note" }

// GitHub sorts security alerts by this number: critical from 9, high from 7, medium from 4.
const severities: Record<Priority, string> = { P0: "9.5", P1: "8.0", P2: "5.5", P3: "2.0" }

/** What is less sure than a finding must not fail anybody's build. */
const levelOf = ({ kind, priority }: Pick<Finding, "kind" | "priority">): "error" | "warning" | "note" =>
  kind === "finding" || levels[priority] !== "error" ? levels[priority] : "warning"

/** A relative URI reference of a path as it is on disk: names need not be UTF-8. */
const uriOf = (path: string): string => {
  let uri = ""
  for (const byte of Sources.pathBytes(path)) {
    const character = String.fromCharCode(byte)
    uri += /[A-Za-z0-9._~/-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
  }
  return uri
}

const location = ({ file_path, line_start, line_end }: Location) => ({
  physicalLocation: {
    artifactLocation: { uri: uriOf(file_path), uriBaseId: "SRCROOT" },
    region: { startLine: Math.max(1, line_start), endLine: Math.max(1, line_start, line_end) }
  }
})

/** A step of which only the file is known has no region. */
const flowLocation = ({ file_path, line, note }: Step) => ({
  location: {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file_path), uriBaseId: "SRCROOT" },
      ...(line === null ? {} : { region: { startLine: Math.max(1, line) } })
    },
    message: { text: note }
  }
})

const descriptor = (tool: AuditTool, id: string, rule: Rule) => {
  const category = rule.category ?? tool.category
  const priority = rule.priority ?? tool.priority
  return {
    id: `${tool.id}.${id}`,
    name: rule.title,
    shortDescription: { text: rule.title },
    fullDescription: { text: rule.description.slice(0, 1000) },
    help: { text: rule.description, markdown: rule.description },
    defaultConfiguration: { level: levels[priority] },
    properties: {
      tags: [category, ...rule.cwe.map((id) => `external/cwe/cwe-${String(id).padStart(3, "0")}`)].slice(0, maxTags),
      precision: rule.confidence >= 0.9 ? "very-high" : rule.confidence >= 0.8 ? "high" : "medium",
      ...(category === "security" ? { "security-severity": severities[priority] } : {})
    }
  }
}

export interface SarifInput {
  readonly version: string
  readonly tools: ReadonlyArray<AuditTool>
  readonly findings: ReadonlyArray<Finding>
  readonly commit: string | null
  /** What else a reader should know of the audit. */
  readonly notices: ReadonlyArray<Notice>
}

/** Something about the audit itself, with its place where it has one. */
export interface Notice {
  readonly level: "note" | "warning"
  readonly text: string
  readonly path?: string
  readonly line?: number | null
}

const notification = ({ level, text, path, line }: Notice) => ({
  level,
  message: { text },
  ...(path === undefined
    ? {}
    : {
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: uriOf(path), uriBaseId: "SRCROOT" },
              ...(line === null || line === undefined ? {} : { region: { startLine: Math.max(1, line) } })
            }
          }
        ]
      })
})

type Noted = Pick<ScanResult, "stale_ignores" | "warnings" | "languages_without_rules" | "silenced_counts">

/** What no one looked for, and decisions without effect. */
export const noticesOf = (result: Noted): ReadonlyArray<Notice> => [
  ...result.languages_without_rules.map(
    ({ language, files, lines }): Notice => ({
      level: "warning",
      text: `No rules for ${language}: ${files} files with ${lines} lines were read as text.`
    })
  ),
  ...result.warnings.map(({ path, line, message }): Notice => ({ level: "warning", text: message, path, line })),
  ...result.stale_ignores.map(
    ({ path, line }): Notice => ({ level: "note", text: "This ignore comment matches nothing: remove it.", path, line })
  ),
  ...Object.entries(result.silenced_counts).map(
    ([by, findings]): Notice => ({
      level: "note",
      text: `${findings} findings are silenced by: ${by.replace("_", " ")}.`
    })
  )
]

/** A SARIF 2.1.0 log that code hosts accept: one run, every rule described, results re-identified by our fingerprint. */
export const toSarif = ({ version, tools, findings, commit, notices }: SarifInput) => {
  const rules = tools.flatMap((tool) => Object.entries(tool.rules).map(([id, rule]) => descriptor(tool, id, rule)))
  const indexes = new Map(rules.map((rule, index) => [rule.id, index]))
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Assay", semanticVersion: version, rules } },
        automationDetails: { id: "assay/audit/" },
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: notices.map(notification) }],
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { SRCROOT: { description: { text: "The root of the repository." } } },
        ...(commit === null ? {} : { properties: { commit } }),
        results: findings.slice(0, maxResults).map((finding) => ({
          ruleId: finding.rule_id,
          ruleIndex: indexes.get(finding.rule_id) ?? -1,
          level: levelOf(finding),
          message: { text: `${finding.title}\n\n${finding.description}` },
          locations: [location(finding.locations[0])],
          relatedLocations: finding.locations.slice(1).map((place, id) => ({ id, ...location(place) })),
          ...(finding.steps.length === 0
            ? {}
            : { codeFlows: [{ threadFlows: [{ locations: finding.steps.map(flowLocation) }] }] }),
          partialFingerprints: {
            "assay/v1": finding.signatures.primary,
            "assayLocated/v1": finding.signatures.located
          },
          properties: { priority: finding.priority, kind: finding.kind, confidence: finding.confidence }
        }))
      }
    ]
  }
}
