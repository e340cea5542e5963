import type { Category } from "../../../schema/Observation.ts"
import { meansRule } from "../settings/ruleNames.ts"

/** What a rule reports, as far as other tools have words for it. */
export interface Reported {
  readonly ruleId: string
  readonly cwe: ReadonlyArray<number>
  readonly category: Category
}

/** What a rule of another tool is about, in our terms: weaknesses, or rules and tools of ours. */
export interface Concern {
  readonly cwe?: ReadonlyArray<number>
  readonly rules?: ReadonlyArray<string>
  readonly category?: Category
}

export const isAbout = ({ cwe, rules, category }: Concern, reported: Reported): boolean =>
  (cwe?.some((id) => reported.cwe.includes(id)) ?? false) ||
  (rules?.some((name) => meansRule(name, reported.ruleId)) ?? false) ||
  category === reported.category

/** Ids of rules of other tools, by their beginning: the longest that fits counts. */
export type Concerns = Readonly<Record<string, Concern>>

/** The concern of the longest beginning that fits; null for a rule that none of ours is about. */
export const concernOf = (concerns: Concerns, id: string): Concern | null => {
  const key = Object.keys(concerns)
    .filter((beginning) => id.startsWith(beginning))
    .reduce<string | null>((longest, one) => (longest === null || one.length > longest.length ? one : longest), null)
  return key === null ? null : concerns[key]!
}
