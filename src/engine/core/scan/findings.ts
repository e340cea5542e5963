import type { Location, Priority } from "../../../schema/Observation.ts"
import { type Identity, locatedSignature, signaturesOf, withOrdinals } from "../identity/Fingerprint.ts"
import { compareText } from "../text/compareText.ts"
import { baseName } from "../text/paths.ts"
import { ruleOf, type ToolDescription } from "../tool/AuditTool.ts"
import { isCited, toolOf } from "./evidence.ts"
import { groupKeyOf } from "./groupKey.ts"
import type { LocatedFinding } from "./LocatedFinding.ts"
import type { Finding } from "./ScanResult.ts"

export const MAX_FINDINGS_PER_RULE = 20
/** Of one rule in the files of the focus. */
const MAX_FOCUSED_PER_RULE = 500
const MAX_LOCATIONS = 50
const MAX_ALSO_PRESENT = 10_000
const MAX_TITLE = 200

export interface Assembled {
  readonly findings: ReadonlyArray<Finding>
  readonly suppressed: ReadonlyArray<{ readonly rule: string; readonly count: number }>
  readonly alsoPresent: ReadonlyArray<string>
}

type Numbered = LocatedFinding & Identity

/** Locations of one cause, the main one first. */
type Group = [Numbered, ...Array<Numbered>]

/**
 * Located findings of all files to findings: one per cause, capped per rule, in an order that depends on content only.
 * What is in files of the focus, or comes from there, is not hidden by what is elsewhere.
 */
export const assemble = (
  tools: ReadonlyArray<ToolDescription>,
  located: ReadonlyArray<LocatedFinding>,
  focus: ReadonlySet<string> = new Set()
): Assembled => {
  const toolsById = new Map(tools.map((tool) => [tool.id, tool]))
  const { kept, suppressed, rest } = capped(grouped(numbered(located)).sort(byWeight), focus)
  const countOf = matchCounts(located, kept)
  return {
    findings: kept.map((group) => findingOf(toolsById.get(group[0].tool)!, group, countOf(group[0]))),
    suppressed,
    alsoPresent: signaturesIn(rest.slice(0, MAX_ALSO_PRESENT))
  }
}

/** All by which one of them may be re-identified: it may have been renamed or moved since. */
const signaturesIn = (groups: ReadonlyArray<Group>): ReadonlyArray<string> => [
  ...new Set(
    groups.flatMap(([main]) => {
      const { located, primary, moved } = signaturesOf(main)
      return [located, primary, moved]
    })
  )
]

const numbered = (located: ReadonlyArray<LocatedFinding>): ReadonlyArray<Numbered> =>
  withOrdinals(
    [...located].sort(
      (a, b) =>
        compareText(a.file_path, b.file_path) ||
        a.start - b.start ||
        a.end - b.end ||
        compareText(a.rule_id, b.rule_id) ||
        compareText(a.message, b.message)
    )
  )

const grouped = (findings: ReadonlyArray<Numbered>): Array<Group> => {
  const groups = new Map<string, Group>()
  for (const finding of findings) {
    const key = groupKeyOf(finding)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [finding])
    else group.push(finding)
  }
  return [...groups.values()]
}

const byWeight = (a: Group, b: Group): number =>
  compareText(strongest(a), strongest(b)) ||
  b[0].confidence - a[0].confidence ||
  compareText(a[0].file_path, b[0].file_path) ||
  a[0].start - b[0].start ||
  compareText(a[0].rule_id, b[0].rule_id) ||
  compareText(a[0].message, b[0].message)

const isIn =
  (focus: ReadonlySet<string>) =>
  ([{ file_path, steps }]: Group): boolean =>
    focus.has(file_path) || steps.some((step) => focus.has(step.file_path))

const capped = (groups: ReadonlyArray<Group>, focus: ReadonlySet<string>) => {
  const seen = new Map<string, number>()
  const suppressed = new Map<string, number>()
  const kept: Array<Group> = []
  const rest: Array<Group> = []
  const isFocused = isIn(focus)
  for (const group of groups) {
    const rule = group[0].rule_id
    const focused = focus.size > 0 && isFocused(group)
    const key = focused ? `focus ${rule}` : rule
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    if (count <= (focused ? MAX_FOCUSED_PER_RULE : MAX_FINDINGS_PER_RULE)) kept.push(group)
    else {
      rest.push(group)
      suppressed.set(rule, (suppressed.get(rule) ?? 0) + 1)
    }
  }
  const counts = [...suppressed].map(([rule, count]) => ({ rule, count }))
  return { kept, rest, suppressed: counts.sort((a, b) => compareText(a.rule, b.rule)) }
}

const ruleAndFile = ({ rule_id, file_path }: LocatedFinding): string => `${rule_id} ${file_path}`

/** How often the code of a finding is matched by its rule in its file. */
const matchCounts = (located: ReadonlyArray<LocatedFinding>, kept: ReadonlyArray<Group>) => {
  const candidates = new Map(kept.map(([main]): [string, Array<LocatedFinding>] => [ruleAndFile(main), []]))
  for (const finding of located) candidates.get(ruleAndFile(finding))?.push(finding)
  return (main: LocatedFinding): number => {
    const citation = { rule_id: main.rule_id, symbol: main.symbol, anchor: main.anchor.text }
    return (candidates.get(ruleAndFile(main)) ?? []).filter((found) => isCited(citation, found)).length
  }
}

const strongest = (group: Group): Priority =>
  group.reduce<Priority>((best, { priority }) => (priority < best ? priority : best), group[0].priority)

const locationOf = ({ file_path, symbol, line_start, line_end }: Location): Location => ({
  file_path,
  symbol,
  line_start,
  line_end
})

const findingOf = (tool: ToolDescription, group: Group, matchCount: number): Finding => {
  const [main, ...others] = group
  const rule = ruleOf(tool, main.rule_id.slice(toolOf(main).length + 1))
  const shown = others.slice(0, MAX_LOCATIONS - 1)
  return {
    tool: tool.id,
    tool_version: tool.version,
    rule_id: main.rule_id,
    kind: main.kind,
    priority: strongest(group),
    category: rule.category ?? tool.category,
    domain: tool.domain,
    confidence: main.confidence,
    effort: rule.effort,
    risk: rule.risk,
    cwe: rule.cwe,
    title: titleOf(main),
    description: descriptionOf(group, rule.description),
    locations: [locationOf(main), ...shown.map(locationOf)],
    steps: main.steps,
    snippet: main.snippet,
    suggested_change: main.suggested_change,
    suggested_diff: main.suggested_diff,
    identifiers: main.identifiers,
    signatures: { ...signaturesOf(main), sites: shown.map(locatedSignature) },
    anchor: main.anchor.text,
    // The rule matched the text that these lines and identifiers were checked against.
    evidence: {
      citation: {
        checked_at_stage: "verify",
        line_in_range: true,
        missing_identifiers: main.missing_identifiers,
        path_resolved: true
      },
      detection_query: { absence_hint: false, match_count: matchCount, status: "confirmed" }
    }
  }
}

/** A list of titles is readable when each names its location. */
const titleOf = ({ title, symbol, file_path, subject }: LocatedFinding): string => {
  const full = subject === undefined ? `${title} in ${symbol ?? baseName(file_path)}` : title
  return full.length <= MAX_TITLE ? full : `${full.slice(0, MAX_TITLE - 3)}...`
}

const descriptionOf = (group: Group, why: string): string => {
  // A message about a subject has the count of its locations.
  const others = group[0].subject === undefined ? group.length - 1 : 0
  return [
    group[0].message,
    ...(others === 0 ? [] : [`The same applies in ${others} more location${others === 1 ? "" : "s"} here.`]),
    `Why it matters and how to fix it: ${why}`
  ].join("\n\n")
}
