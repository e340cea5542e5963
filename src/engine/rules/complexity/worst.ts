import type { EmitAt, FileSummary, Match, Project } from "../../core/tool/AuditTool.ts"
import type { ChangeHistory } from "../../core/tool/ChangeHistory.ts"
import type { RuleId } from "./rules.ts"

/** A function above one of the limits. */
export interface Excess {
  readonly rule: RuleId
  /** What is measured, by which the worst are chosen. */
  readonly score: number
  /** How the score is read: "cognitive complexity 88". */
  readonly measure: string
  readonly name: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly identifiers: ReadonlyArray<string>
}

type Located = Excess & { readonly path: string }

/** Mature code has many long functions; those worth the time of a team are few. */
const WORST = 10
/** Functions that the message names, of those it lists the locations of. */
const NAMED = 3

const whole = new Intl.NumberFormat("en")

const byScore = (a: Located, b: Located): number =>
  b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.start - b.start)

/** How often the files changed lately, and how often in as many commits before: null without a history. */
const trendOf = (paths: ReadonlySet<string>, history: ChangeHistory | null): string | null => {
  const half = Math.floor((history?.commits.length ?? 0) / 2)
  if (history === null || half < 5) return null
  const indexes = new Set(history.paths.flatMap((path, index) => (paths.has(path) ? [index] : [])))
  const touched = history.commits.map(({ changes }) => changes.some(([path]) => indexes.has(path)))
  const count = (from: number): number => touched.slice(from, from + half).filter((isTouched) => isTouched).length
  return `Their files changed in ${count(0)} of the newest ${half} commits, and in ${count(half)} of the ${half} before.`
}

const messageOf = (worst: ReadonlyArray<Located>, all: number, history: ChangeHistory | null): string => {
  const named = worst.slice(0, NAMED).map(({ name, measure, path, line }) => `${name} (${measure}, ${path}:${line})`)
  const others = worst.length - named.length
  const list = others > 0 ? `${named.join(", ")} and ${others} more` : named.join(", ")
  const rest = all > worst.length ? ` ${whole.format(all)} functions are above the limit in all.` : ""
  const trend = trendOf(new Set(worst.map(({ path }) => path)), history)
  return `The worst of this repository: ${list}.${rest}${trend === null ? "" : ` ${trend}`}`
}

/** One finding per rule, with the worst functions of the repository as its locations. */
export const reportWorst = (
  summaries: ReadonlyArray<FileSummary<ReadonlyArray<Excess>>>,
  project: Project,
  emit: EmitAt<RuleId>
): void => {
  const byRule = new Map<RuleId, Array<Located>>()
  for (const { path, facts } of summaries) {
    for (const excess of facts) {
      const listed = byRule.get(excess.rule)
      if (listed === undefined) byRule.set(excess.rule, [{ ...excess, path }])
      else listed.push({ ...excess, path })
    }
  }
  for (const [rule, listed] of byRule) {
    const worst = listed.sort(byScore).slice(0, WORST)
    const message = messageOf(worst, listed.length, project.history)
    for (const { path, start, end, identifiers } of worst) {
      const match: Match<RuleId> = { rule, start, end, message, identifiers, subject: rule }
      emit(path, match)
    }
  }
}
