import type { ListRequest, ObservationFilter } from "../../api/observations.ts"
import { parseSearch, pick, stringifySearch } from "../../app/search.ts"

const filterNames = [
  "kind",
  "priority",
  "category",
  "domain",
  "tool",
  "rule",
  "repo",
  "since",
  "first_seen_since",
  "first_seen_until"
] as const

const names = [
  ...filterNames,
  "status",
  "close_reason",
  "age",
  "easy_wins",
  "needs_review",
  "has_fix_pr",
  "order",
  "q",
  "group",
  "open"
] as const

/** The query of the view's address; `status` is `new` where it is left out, and `any` lists both. */
export type TriageSearch = { readonly [Name in (typeof names)[number]]?: string }

export const triageSearch = (search: Record<string, unknown>): TriageSearch => pick(search, names)

export const groupings = ["priority", "rule", "file", "domain", "repository"] as const
export type Grouping = (typeof groupings)[number]

export const groupingOf = ({ group }: TriageSearch): Grouping | null => groupings.find((name) => name === group) ?? null

export const ages = ["today", "week", "month", "older"] as const

/** Days before today. */
const daysOf: Readonly<
  Record<(typeof ages)[number], { readonly since: number | null; readonly until: number | null }>
> = {
  today: { since: 0, until: null },
  week: { since: 6, until: null },
  month: { since: 29, until: null },
  older: { since: null, until: 29 }
}

const dayMillis = 86_400_000

/** When today began where the reader is, or so many days of 24 hours earlier, as the API counts ages. */
export const dayStart = (daysBack = 0, now = new Date()): string =>
  new Date(new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime() - daysBack * dayMillis).toISOString()

const boundsOf = ({ age }: TriageSearch, now: Date): ObservationFilter => {
  const days = ages.find((name) => name === age)
  if (days === undefined) return {}
  const { since, until } = daysOf[days]
  return {
    ...(since === null ? {} : { first_seen_since: dayStart(since, now) }),
    ...(until === null ? {} : { first_seen_until: dayStart(until, now) })
  }
}

const closeReasons = ["fixed", "dismissed", "completed", "expired"] as const
const orders = ["recency", "display_rank", "resolved"] as const
const switches = ["easy_wins", "needs_review", "has_fix_pr"] as const

const statusOf = ({ status, close_reason }: TriageSearch): "new" | "closed" | null => {
  if (status === "any") return null
  return status === "closed" || close_reason !== undefined ? "closed" : "new"
}

/** The filter of the API that an address stands for. Without a kind the queue holds what is or may be a defect. */
export const filterOf = (search: TriageSearch, now = new Date()): ObservationFilter => {
  const status = statusOf(search)
  const reason = closeReasons.find((name) => name === search.close_reason)
  return {
    kind: "finding,advisory",
    ...pick(search, filterNames),
    ...boundsOf(search, now),
    ...(status === null ? {} : { status }),
    ...(reason === undefined ? {} : { close_reason: reason }),
    ...Object.fromEntries(
      switches.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name] === "true"]]))
    )
  }
}

/** What is most severe comes first in the queue, what was closed last among the closed ones. */
export const requestOf = (search: TriageSearch): ListRequest => {
  const filter = filterOf(search)
  const order = orders.find((name) => name === search.order)
  return {
    filter,
    order: order ?? (filter.status === "closed" ? "resolved" : "display_rank"),
    ...(search.q === undefined ? {} : { q: search.q })
  }
}

/** The list that someone came from, as the address of another view names it; never empty, because it names the status. */
export const listText = ({ open: _, ...search }: TriageSearch): string =>
  stringifySearch({
    ...search,
    status: search.status ?? (search.close_reason === undefined ? "new" : undefined)
  }).slice(1)

/** The address of the list that `listText` names. */
export const listSearch = (text: string): TriageSearch => {
  const { status, ...search } = triageSearch(parseSearch(text))
  return status === "new" ? search : { ...search, status }
}
