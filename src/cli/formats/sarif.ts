import { type AuditTool, type Finding, type Rule, Rules, type ScanResult, Sources } from "../../engine/index.ts"
import type { Location, Priority, Step } from "../../schema/Observation.ts"
import { type Notice, noticesOf } from "./notices.ts"

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

const linesOf = ({ line_start, line_end }: Location) => ({
  startLine: Math.max(1, line_start),
  endLine: Math.max(1, line_start, line_end)
})

const artifact = (path: string) => ({ uri: uriOf(path), uriBaseId: "SRCROOT" })

const location = (place: Location) => ({
  physicalLocation: { artifactLocation: artifact(place.file_path), region: linesOf(place) }
})

/** The first location, with its columns and the code around it. */
const mainLocation = ({ locations: [place], region, snippet }: Finding) => {
  if (region === undefined || snippet === "") return location(place)
  const { column_start, column_end, snippet_line } = region
  return {
    physicalLocation: {
      artifactLocation: artifact(place.file_path),
      region: { ...linesOf(place), startColumn: column_start, endColumn: column_end },
      contextRegion: {
        startLine: snippet_line,
        endLine: snippet_line + snippet.split("\n").length - 1,
        snippet: { text: snippet }
      }
    }
  }
}

/** A step of which only the file is known has no region. */
const flowLocation = ({ file_path, line, note }: Step) => ({
  location: {
    physicalLocation: {
      artifactLocation: artifact(file_path),
      ...(line === null ? {} : { region: { startLine: Math.max(1, line) } })
    },
    message: { text: note }
  }
})

/** Where the weakness is described for everybody: the catalogue of weaknesses, which outlives any page of ours. */
const helpUriOf = ({ cwe: [first] }: Rule) =>
  first === undefined ? {} : { helpUri: `https://cwe.mitre.org/data/definitions/${first}.html` }

const descriptor = (tool: AuditTool, id: string, rule: Rule) => {
  const category = rule.category ?? tool.category
  const { priority, confidence } = Rules.reportedAs(tool, id)
  return {
    id: `${tool.id}.${id}`,
    name: rule.title,
    ...helpUriOf(rule),
    shortDescription: { text: rule.title },
    fullDescription: { text: rule.description.slice(0, 1000) },
    help: { text: rule.description, markdown: rule.description },
    defaultConfiguration: { level: levels[priority] },
    properties: {
      tags: [category, ...rule.cwe.map((id) => `external/cwe/cwe-${String(id).padStart(3, "0")}`)].slice(0, maxTags),
      precision: confidence >= 0.9 ? "very-high" : confidence >= 0.8 ? "high" : "medium",
      ...(category === "security" ? { "security-severity": severities[priority] } : {})
    }
  }
}

export interface SarifInput {
  readonly version: string
  readonly tools: ReadonlyArray<AuditTool>
  readonly scan: Pick<ScanResult, "findings" | "tools"> & Parameters<typeof noticesOf>[0]
  readonly commit: string | null
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
              artifactLocation: artifact(path),
              ...(line === null || line === undefined ? {} : { region: { startLine: Math.max(1, line) } })
            }
          }
        ]
      })
})

/** A SARIF 2.1.0 log that code hosts accept: one run, the rules of its results, each re-identified by our fingerprint. */
export const toSarif = ({ version, tools, scan, commit }: SarifInput) => {
  const { findings } = scan
  const used = new Set(findings.map(({ rule_id }) => rule_id))
  const rules = tools
    .flatMap((tool) => Object.entries(tool.rules).map(([id, rule]) => descriptor(tool, id, rule)))
    .filter(({ id }) => used.has(id))
  const indexes = new Map(rules.map((rule, index) => [rule.id, index]))
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Assay", semanticVersion: version, rules } },
        automationDetails: { id: "assay/audit/" },
        invocations: [
          {
            executionSuccessful: scan.tools.every(({ status }) => status === "completed"),
            toolExecutionNotifications: noticesOf(scan).map(notification)
          }
        ],
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { SRCROOT: { description: { text: "The root of the repository." } } },
        ...(commit === null ? {} : { properties: { commit } }),
        results: findings.slice(0, maxResults).map((finding) => ({
          ruleId: finding.rule_id,
          ruleIndex: indexes.get(finding.rule_id) ?? -1,
          level: levelOf(finding),
          message: { text: `${finding.title}\n\n${finding.description}` },
          locations: [mainLocation(finding)],
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
