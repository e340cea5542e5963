import type { Facets, Observation } from "../../api/observations.ts"
import { listOf } from "../../app/search.ts"
import { Kind, Priority } from "../../parts/badges/observation.tsx"
import type { Facet } from "../../parts/facets/Facets.tsx"
import { ages, type TriageSearch } from "./address.ts"
import { ageWords, categoryWords, domainWords, statusWords } from "./facetWords.ts"

type Name = "priority" | "status" | "kind" | "domain" | "category" | "repo" | "tool" | "rule"

const priorities: ReadonlyArray<Observation["priority"]> = ["P0", "P1", "P2", "P3"]
const kinds: ReadonlyArray<Observation["kind"]> = ["finding", "advisory", "suggestion"]

/** Facets whose values are always listed, also those that no row has. */
const fixed: Partial<Readonly<Record<Name, ReadonlyArray<string>>>> = {
  priority: priorities,
  status: ["new", "closed"],
  kind: kinds
}

const labels: ReadonlyArray<readonly [Name, string]> = [
  ["priority", "Priority"],
  ["kind", "Kind"],
  ["domain", "Domain"],
  ["repo", "Repository"],
  ["tool", "Tool"],
  ["category", "Category"],
  ["rule", "Rule"],
  ["status", "Status"]
]

const viewOf = (name: Name, value: string) => {
  const priority = priorities.find((one) => name === "priority" && one === value)
  if (priority !== undefined) return <Priority priority={priority} />
  const kind = kinds.find((one) => name === "kind" && one === value)
  if (kind !== undefined) return <Kind kind={kind} />
  const words = { domain: domainWords, category: categoryWords, status: statusWords }
  return (name in words ? words[name as keyof typeof words][value] : undefined) ?? value
}

/** Values that are chosen by an address; the status is `new` where it is left out. */
const chosen = (search: TriageSearch, name: Name | "age"): ReadonlyArray<string> => {
  if (name !== "status") return listOf(search[name])
  if (search.status === "any") return ["new", "closed"]
  return [search.status ?? (search.close_reason === undefined ? "new" : "closed")]
}

/** The facets of the queue; their counts may come later than the list, and are not known for search words. */
export const facetsOf = (
  search: TriageSearch,
  facets: Facets | undefined,
  ageCounts: Facets["age"] | undefined
): ReadonlyArray<Facet> => {
  const facetOf = (name: Name, label: string): Facet => {
    const counts = new Map(facets?.[name].map(({ value, count }) => [value, count]))
    const selected = chosen(search, name)
    const values = [...new Set([...(fixed[name] ?? counts.keys()), ...selected])]
    return {
      name,
      label,
      values: values.map((value) => ({
        value,
        label: viewOf(name, value),
        count: facets === undefined || search.q !== undefined ? undefined : (counts.get(value) ?? 0),
        isSelected: selected.includes(value)
      }))
    }
  }
  const selectedAges = chosen(search, "age")
  const age: Facet = {
    name: "age",
    label: "Age",
    values: ages.map((value) => ({
      value,
      label: ageWords[value] ?? value,
      count: search.q === undefined ? ageCounts?.find((one) => one.value === value)?.count : undefined,
      isSelected: selectedAges.includes(value)
    }))
  }
  return [...labels.map(([name, label]) => facetOf(name, label)), age].filter(({ values }) => values.length > 0)
}

/** Of these the API takes one value: another one takes its place. */
const single = new Set(["repo", "age"])

const statusAfter = (selected: ReadonlyArray<string>): string | undefined => {
  if (selected.length === 2) return "any"
  return selected[0] === "closed" ? "closed" : undefined
}

/** The address after a value was ticked or unticked. */
export const toggled = (search: TriageSearch, name: string, value: string): TriageSearch => {
  const key = name as Name | "age"
  const before = chosen(search, key)
  const without = before.filter((one) => one !== value)
  const after = without.length < before.length ? without : single.has(name) ? [value] : [...before, value]
  const rest = { ...search, open: undefined }
  if (key === "status") return { ...rest, status: statusAfter(after), close_reason: undefined }
  return { ...rest, [key]: after.length === 0 ? undefined : after.join(",") }
}
