import type { Location, Priority } from "../../../schema/Observation.ts"
import { type Identity, locatedSignature, namedAnchor, signaturesOf, withOrdinals } from "../identity/Fingerprint.ts"
import { compareText } from "../text/compareText.ts"
import { ruleOf, type ToolDescription } from "../tool/AuditTool.ts"
import { costOf } from "./editCost.ts"
import { isCited } from "./evidence.ts"
import { groupKeyOf } from "./groupKey.ts"
import type { LocatedFinding } from "./LocatedFinding.ts"
import type { Finding } from "./ScanResult.ts"

/** Of one rule that are reported one by one; the others are one finding with a count. */
const MAX_SINGLE_PER_RULE = 20
/** Of one rule about security or correctness, or in the files of the focus: as many as a review can ever take in. */
const MAX_SINGLE_OF_DEFECTS = 2_000
const MAX_LOCATIONS = 50
/** Of the finding that stands for all that are not reported one by one. */
const MAX_GROUPED_LOCATIONS = 500
const MAX_ALSO_PRESENT = 10_000
const MAX_TITLE = 200

export interface Assembled {
  readonly findings: ReadonlyArray<Finding>
  /** How many of a rule are reported together by one finding. */
  readonly suppressed: ReadonlyArray<{ readonly rule: string; readonly count: number }>
  readonly alsoPresent: ReadonlyArray<string>
}

type Numbered = LocatedFinding & Identity

/** Locations of one cause, the main one first. */
type Group = [Numbered, ...Array<Numbered>]

/**
 * Located findings of all files to findings: one per cause, in an order that depends on content only. Beyond a number per
 * rule, the rest of the rule is one finding that counts them and lists where they are, so that nothing is lost and a rule
 * that matches everywhere does not hide the others. What is in files of the focus, or comes from there, stays single.
 */
export const assemble = (
  tools: ReadonlyArray<ToolDescription>,
  located: ReadonlyArray<LocatedFinding>,
  focus: ReadonlySet<string> = new Set()
): Assembled => {
  const toolsById = new Map(tools.map((tool) => [tool.id, tool]))
  // Numbered with those that are silenced: what is beside them stays what it is.
  const reportable = numbered(located).filter(({ silence }) => silence === undefined)
  const groups = grouped(reportable).sort(byWeight)
  const { single, rest } = divided(groups, limitsOf(toolsById, focus))
  const all = [...single, ...[...rest.values()].map(([first]) => first!)]
  const countOf = matchCounts(located, all)
  const reported = single.map((group) => findingOf(toolsById.get(group[0].tool)!, group, countOf(group[0])))
  const together = [...rest].map(([rule, groups]) =>
    restOf(toolsById.get(groups[0]![0].tool)!, rule, groups, countOf(groups[0]![0]))
  )
  return {
    findings: [...reported, ...together],
    suppressed: [...rest]
      .map(([rule, groups]) => ({ rule, count: groups.length }))
      .sort((a, b) => compareText(a.rule, b.rule)),
    alsoPresent: signaturesIn([...rest.values()].flat().slice(0, MAX_ALSO_PRESENT))
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

/** How many groups of a rule, and of it in the focus, are reported one by one. */
type Limits = (group: Group) => { readonly key: string; readonly limit: number }

const limitsOf = (tools: ReadonlyMap<string, ToolDescription>, focus: ReadonlySet<string>): Limits => {
  const isFocused = isIn(focus)
  return (group) => {
    const [{ tool, rule_id }] = group
    if (focus.size > 0 && isFocused(group)) return { key: `focus ${rule_id}`, limit: MAX_SINGLE_OF_DEFECTS }
    const { category } = categorised(tools.get(tool)!, rule_id)
    const isDefect = category === "security" || category === "correctness"
    return { key: rule_id, limit: isDefect ? MAX_SINGLE_OF_DEFECTS : MAX_SINGLE_PER_RULE }
  }
}

const categorised = (tool: ToolDescription, ruleId: string) => {
  const rule = ruleOf(tool, ruleId.slice(tool.id.length + 1))
  return { rule, category: rule.category ?? tool.category }
}

const divided = (groups: ReadonlyArray<Group>, limits: Limits) => {
  const seen = new Map<string, number>()
  const single: Array<Group> = []
  const rest = new Map<string, Array<Group>>()
  for (const group of groups) {
    const { key, limit } = limits(group)
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    if (count <= limit) single.push(group)
    else addTo(rest, group)
  }
  return { single, rest }
}

const addTo = (rest: Map<string, Array<Group>>, group: Group): void => {
  const known = rest.get(group[0].rule_id)
  if (known === undefined) rest.set(group[0].rule_id, [group])
  else known.push(group)
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
  const { rule, category } = categorised(tool, main.rule_id)
  const shown = others.slice(0, MAX_LOCATIONS - 1)
  return {
    tool: tool.id,
    tool_version: tool.version,
    rule_id: main.rule_id,
    kind: main.kind,
    priority: strongest(group),
    category,
    domain: tool.domain,
    confidence: main.confidence,
    ...costOf(main, rule),
    cwe: rule.cwe,
    title: titleOf(main),
    description: descriptionOf(group, rule.description),
    locations: [locationOf(main), ...shown.map(locationOf)],
    steps: main.steps,
    snippet: main.snippet,
    region: main.region,
    suggested_change: main.suggested_change ?? main.suggested_diff,
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
      detection_query: { absence_hint: false, match_count: matchCount, status: "confirmed" },
      checks: main.checks,
      priority_reason: main.priority_reason
    }
  }
}

/** All further groups of a rule as one finding: its identity is the rule's, so that its count may change. */
const restOf = (tool: ToolDescription, ruleId: string, groups: ReadonlyArray<Group>, matchCount: number): Finding => {
  const first = groups[0]!
  const { rule } = categorised(tool, ruleId)
  const all = groups.flat()
  const one = findingOf(tool, first, matchCount)
  const named = namedAnchor(`further ${ruleId}`)
  const identity = { rule_id: ruleId, file_path: "", symbol: null, anchor: named, ordinal: 0 }
  const files = new Set(all.map(({ file_path }) => file_path)).size
  const count = `${groups.length} more place${groups.length === 1 ? "" : "s"}`
  const where = `in ${files} file${files === 1 ? "" : "s"}`
  return {
    ...one,
    title: `${rule.title}: ${count} ${where}`,
    description: [
      `The same rule matches at ${count} ${where}; the weightiest are observations of their own.` +
        (all.length > MAX_GROUPED_LOCATIONS ? ` The first ${MAX_GROUPED_LOCATIONS} are listed.` : ""),
      `Why it matters and how to fix it: ${rule.description}`
    ].join("\n\n"),
    locations: [locationOf(first[0]), ...all.slice(1, MAX_GROUPED_LOCATIONS).map(locationOf)],
    effort: "large",
    steps: [],
    suggested_change: null,
    suggested_diff: null,
    signatures: { ...signaturesOf(identity), sites: [] }
  }
}

/** Titles of one rule differ by the thing that they are about, or else by where it is. */
const titleOf = ({ title, noun, symbol, file_path, subject }: LocatedFinding): string => {
  const named = noun !== null && !title.includes(noun)
  const full = named ? `${title}: \`${noun}\`` : subject === undefined ? `${title} in ${symbol ?? file_path}` : title
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
