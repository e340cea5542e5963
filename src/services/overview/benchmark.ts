import { Record as EffectRecord } from "effect"
import type { Domain, Priority } from "../../schema/Observation.ts"
import type { BenchmarkScore } from "../../schema/Overview.ts"

export const domains = ["security", "code_quality", "reliability", "data_apis", "testing", "devops", "ux"] as const

/** Open observations of one rule and priority in one domain, taken together. */
export interface OpenGroup {
  readonly domain: Domain
  readonly priority: Priority
  readonly tool: string
  readonly count: number
  /** Sum of their confidences. */
  readonly confidence: number
  /** The most severe of them. */
  readonly ref: string
  readonly title: string
}

/** What the score of a domain depends on. */
type Weight = Pick<OpenGroup, "priority" | "confidence">

/** The score of each domain; null while no tool of it has run. */
export type DomainScores = Readonly<Record<Domain, number | null>>

const emptyScores: DomainScores = {
  security: null,
  code_quality: null,
  reliability: null,
  data_apis: null,
  testing: null,
  devops: null,
  ux: null
}

/** What audits have looked at. */
export interface Coverage {
  readonly lines: number
  readonly tools: Readonly<Partial<Record<Domain, ReadonlyArray<string>>>>
}

/** Of several audits, which tools of each domain have run in any of them. */
export const coverageOf = (lines: number | null, audits: ReadonlyArray<Coverage["tools"]>): Coverage => ({
  lines: lines ?? 0,
  tools: Object.fromEntries(
    domains.map((domain) => [domain, [...new Set(audits.flatMap((audit) => audit[domain] ?? []))].sort()])
  )
})

export const scoresOf = (
  groups: ReadonlyArray<Weight & Pick<OpenGroup, "domain">>,
  { lines, tools }: Coverage
): DomainScores =>
  EffectRecord.map(emptyScores, (_, domain) =>
    (tools[domain] ?? []).length === 0
      ? null
      : scoreOf(
          groups.filter((group) => group.domain === domain),
          lines
        )
  )

/** Points that a score has gained; null where one of the two is unknown. */
export const changeOf = (score: number | null, previous: number | null | undefined): number | null =>
  score === null || previous === null || previous === undefined ? null : score - previous

const weights: Readonly<Record<Priority, number>> = { P0: 10, P1: 4, P2: 1.5, P3: 0.5 }

// What is grave is not made up for by a great many lines.
const caps: Readonly<Partial<Record<Priority, number>>> = { P0: 50, P1: 80 }

const shown = 5

/**
 * 100 / (1 + load / 10), at most 50 with an open P0 and 80 with an open P1; the load is what open findings and advisories
 * weigh (P0 10, P1 4, P2 1.5, P3 0.5, each times its confidence) for every 1,000 lines, small repositories counting as
 * 1,000. One more open observation never raises a score.
 */
export const scoreOf = (groups: ReadonlyArray<Weight>, lines: number): number => {
  const cap = groups.reduce((lowest, { priority }) => Math.min(lowest, caps[priority] ?? 100), 100)
  return Math.floor(Math.min(cap, 100 / (1 + loadOf(groups, lines) / 10)))
}

const loadOf = (groups: ReadonlyArray<Weight>, lines: number): number =>
  (groups.reduce((sum, { priority, confidence }) => sum + weights[priority] * confidence, 0) * 1000) /
  Math.max(lines, 1000)

const plural = (n: number, one: string) => `${n.toLocaleString("en-US")} ${n === 1 ? one : `${one}s`}`

const countsOf = (groups: ReadonlyArray<OpenGroup>): string =>
  (["P0", "P1", "P2", "P3"] as const)
    .map((priority) => {
      const n = groups.reduce((sum, group) => sum + (group.priority === priority ? group.count : 0), 0)
      return n === 0 ? null : `${n} ${priority}`
    })
    .filter((part) => part !== null)
    .join(", ")

const byWeight = (a: OpenGroup, b: OpenGroup) =>
  a.priority === b.priority ? b.confidence - a.confidence : a.priority < b.priority ? -1 : 1

const scored = (
  domain: Domain,
  groups: ReadonlyArray<OpenGroup>,
  { lines, tools }: Coverage,
  previous: DomainScores | null
): BenchmarkScore => {
  const ran = tools[domain] ?? []
  if (ran.length === 0) {
    return {
      domain,
      score: null,
      change: null,
      justification: "No audit has run a tool of this domain yet.",
      top_issue: null,
      top_strength: null,
      strengths: [],
      weaknesses: []
    }
  }
  const heaviest = [...groups].sort(byWeight)
  const score = scoreOf(groups, lines)
  const guilty = new Set(groups.map(({ tool }) => tool))
  const strengths = ran
    .filter((tool) => !guilty.has(tool))
    .map((tool) => `${tool} has nothing open.`)
    .slice(0, shown)
  const weaknesses = heaviest.slice(0, shown).map(({ priority, count, title, ref }) => {
    const more = count === 1 ? "" : `, and ${plural(count - 1, "more")} of the rule`.replace(/mores/, "more")
    return `${ref} (${priority}): ${title}${more}`
  })
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  const load = loadOf(groups, lines)
  return {
    domain,
    score,
    change: changeOf(score, previous?.[domain]),
    justification:
      total === 0
        ? `Nothing is open after ${plural(ran.length, "tool")} looked at ${plural(lines, "line")}.`
        : `${total} open (${countsOf(groups)}) in ${plural(lines, "line")} weigh ${load.toFixed(2)} per 1,000 lines.`,
    top_issue: weaknesses[0] ?? null,
    top_strength: strengths[0] ?? null,
    strengths,
    weaknesses
  }
}

/** One score a domain, with its change since the previous scores. */
export const benchmarkOf = (
  groups: ReadonlyArray<OpenGroup>,
  coverage: Coverage,
  previous: DomainScores | null = null
): ReadonlyArray<BenchmarkScore> =>
  domains.map((domain) =>
    scored(
      domain,
      groups.filter((group) => group.domain === domain),
      coverage,
      previous
    )
  )
