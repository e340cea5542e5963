import type { Priority } from "../../../schema/Observation.ts"
import { type Identity, locatedSignature, signaturesOf, withOrdinals } from "../identity/Fingerprint.ts"
import { compareText } from "../text/compareText.ts"
import { baseName } from "../text/paths.ts"
import { ruleOf, type ToolDescription } from "../tool/AuditTool.ts"
import type { Placed } from "./Inspector.ts"
import type { Finding, FindingEvidence } from "./ScanResult.ts"

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

const ruleId = (placed: Placed): string => `${placed.tool}.${placed.rule}`

/**
 * Placed hits of all files to findings: one per cause, capped per rule, in an order that depends on content only. What is
 * in files of the focus, or comes from there, is not hidden by what is elsewhere.
 */
export const assemble = (
  tools: ReadonlyArray<ToolDescription>,
  placed: ReadonlyArray<Placed>,
  focus: ReadonlySet<string> = new Set()
): Assembled => {
  const toolOf = new Map(tools.map((tool) => [tool.id, tool]))
  const { kept, suppressed, rest } = capped(grouped(identified(placed)).sort(byWeight), focus)
  return {
    findings: kept.map((sites) => findingOf(toolOf.get(sites[0].tool)!, sites)),
    suppressed,
    alsoPresent: signaturesIn(rest.slice(0, MAX_ALSO_PRESENT))
  }
}

/** All by which one of them may be known: it may have been renamed or moved since. */
const signaturesIn = (groups: ReadonlyArray<Group>): ReadonlyArray<string> => [
  ...new Set(
    groups.flatMap(([{ identity }]) => {
      const { located, primary, moved } = signaturesOf(identity)
      return [located, primary, moved]
    })
  )
]

interface Site extends Placed {
  readonly identity: Identity
}

/** Places of one cause, the first of which stands for it. */
type Group = [Site, ...Array<Site>]

const identified = (placed: ReadonlyArray<Placed>): ReadonlyArray<Site> => {
  const inOrder = [...placed].sort(
    (a, b) =>
      compareText(a.path, b.path) ||
      a.start - b.start ||
      a.end - b.end ||
      compareText(ruleId(a), ruleId(b)) ||
      compareText(a.message, b.message)
  )
  const identities = withOrdinals(
    inOrder.map((hit) => ({
      rule: ruleId(hit),
      path: hit.path,
      symbol: hit.symbol,
      anchorHash: hit.anchor.hash
    }))
  )
  return inOrder.map((hit, i) => ({ ...hit, identity: identities[i]! }))
}

/** Several places with the same thing to say in one function, or one file outside of functions, are one finding. */
const grouped = (sites: ReadonlyArray<Site>): Array<Group> => {
  const groups = new Map<string, Group>()
  for (const site of sites) {
    const key = [ruleId(site), site.path, site.symbol ?? "", site.title, site.message].join("\u0000")
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [site])
    else group.push(site)
  }
  return [...groups.values()]
}

const byWeight = (a: Group, b: Group): number =>
  compareText(strongest(a), strongest(b)) ||
  b[0].confidence - a[0].confidence ||
  compareText(a[0].path, b[0].path) ||
  a[0].start - b[0].start ||
  compareText(ruleId(a[0]), ruleId(b[0])) ||
  compareText(a[0].message, b[0].message)

const isIn =
  (focus: ReadonlySet<string>) =>
  ([{ path, steps }]: Group): boolean =>
    focus.has(path) || steps.some((step) => focus.has(step.path))

const capped = (groups: ReadonlyArray<Group>, focus: ReadonlySet<string>) => {
  const seen = new Map<string, number>()
  const hidden = new Map<string, number>()
  const kept: Array<Group> = []
  const rest: Array<Group> = []
  const isFocused = isIn(focus)
  for (const group of groups) {
    const rule = ruleId(group[0])
    const focused = focus.size > 0 && isFocused(group)
    const key = focused ? `focus ${rule}` : rule
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    if (count <= (focused ? MAX_FOCUSED_PER_RULE : MAX_FINDINGS_PER_RULE)) kept.push(group)
    else {
      rest.push(group)
      hidden.set(rule, (hidden.get(rule) ?? 0) + 1)
    }
  }
  const suppressed = [...hidden].map(([rule, count]) => ({ rule, count })).sort((a, b) => compareText(a.rule, b.rule))
  return { kept, suppressed, rest }
}

const strongest = (group: Group): Priority =>
  group.reduce<Priority>((best, { priority }) => (priority < best ? priority : best), group[0].priority)

const locationOf = (site: Placed): Finding["locations"][number] => ({
  file_path: site.path,
  symbol: site.symbol,
  line_start: site.lineStart,
  line_end: site.lineEnd
})

const findingOf = (tool: ToolDescription, sites: Group): Finding => {
  const [first, ...others] = sites
  const rule = ruleOf(tool, first.rule)
  const shown = others.slice(0, MAX_LOCATIONS - 1)
  return {
    tool: tool.id,
    tool_version: tool.version,
    rule_id: ruleId(first),
    kind: first.kind,
    priority: strongest(sites),
    category: rule.category ?? tool.category,
    domain: tool.domain,
    confidence: first.confidence,
    effort: rule.effort,
    risk: rule.risk,
    cwe: rule.cwe,
    title: titleOf(first),
    description: descriptionOf(sites, rule.description),
    locations: [locationOf(first), ...shown.map(locationOf)],
    steps: first.steps.map(({ path, line, note }) => ({ file_path: path, line, note })),
    snippet: first.snippet,
    suggested_change: first.suggestedChange,
    identifiers: first.identifiers,
    signatures: {
      ...signaturesOf(first.identity),
      sites: shown.map((site) => locatedSignature(site.identity))
    },
    anchor: first.anchor.text,
    evidence: unchecked
  }
}

const unchecked: FindingEvidence = {
  citation: { checked_at_stage: null, line_in_range: null, missing_identifiers: null, path_resolved: null },
  detection_query: { absence_hint: null, match_count: null, status: null }
}

/** A list of titles is readable when each says where. */
const titleOf = ({ title, symbol, path }: Site): string => {
  const place = symbol ?? baseName(path)
  const full = `${title} in ${place}`
  return full.length <= MAX_TITLE ? full : `${full.slice(0, MAX_TITLE - 3)}...`
}

const descriptionOf = (sites: ReadonlyArray<Site>, why: string): string => {
  const parts = [sites[0]!.message]
  if (sites.length > 1)
    parts.push(`The same applies in ${sites.length - 1} more place${sites.length === 2 ? "" : "s"} here.`)
  parts.push(`Why it matters and how to fix it: ${why}`)
  return parts.join("\n\n")
}
