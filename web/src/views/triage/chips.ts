import { listOf } from "../../app/search.ts"
import { kindWords } from "../../parts/badges/observation.tsx"
import type { TriageSearch } from "./address.ts"
import { ageWords, categoryWords, domainWords, statusWords } from "./facetWords.ts"

type Name = keyof TriageSearch

export interface Chip {
  readonly name: Name
  readonly label: string
  readonly words: string
  /** It stands there without being chosen. */
  readonly isDefault: boolean
}

const words: Partial<Readonly<Record<Name, Readonly<Record<string, string>>>>> = {
  status: { ...statusWords, any: "any" },
  kind: kindWords,
  domain: domainWords,
  category: categoryWords,
  age: ageWords
}

const labels: ReadonlyArray<readonly [Name, string]> = [
  ["status", "Status"],
  ["close_reason", "Closed as"],
  ["priority", "Priority"],
  ["kind", "Kind"],
  ["domain", "Domain"],
  ["category", "Category"],
  ["repo", "Repository"],
  ["tool", "Tool"],
  ["rule", "Rule"],
  ["age", "Age"],
  ["since", "Changed since"],
  ["first_seen_since", "First seen since"],
  ["first_seen_until", "First seen before"],
  ["easy_wins", "Easy wins"],
  ["needs_review", "Fix attempts used up"],
  ["has_fix_pr", "Fix pull request"],
  ["q", "Search"]
]

const wordsOf = (name: Name, value: string): string =>
  listOf(value)
    .map((one) => words[name]?.[one] ?? one)
    .join(", ")

/** What narrows the list, in words. */
export const chipsOf = (search: TriageSearch): ReadonlyArray<Chip> =>
  labels.flatMap(([name, label]) => {
    const value = search[name] ?? (name === "status" && search.close_reason === undefined ? "new" : undefined)
    if (value === undefined) return []
    return [{ name, label, words: wordsOf(name, value), isDefault: search[name] === undefined }]
  })
