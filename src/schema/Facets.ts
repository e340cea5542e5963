import { Schema } from "effect"
import { closed, record } from "./closed.ts"
import { observationFilters, observationFlags } from "./Observation.ts"
import { booleanQuery, Count, field, InstantInput, optional, someOf } from "./Text.ts"

export const facetNames = ["kind", "status", "priority", "category", "domain", "tool", "repo", "rule"] as const
export type FacetName = (typeof facetNames)[number]

/** When an observation was first seen: today, in the last 7 or 30 days, or before. */
export const ages = ["today", "week", "month", "older"] as const
export type Age = (typeof ages)[number]
/** Days before today that an age reaches back. */
export const ageDays = { week: 6, month: 29 } as const

/** How many values of a facet are counted. */
export const maxFacetValues = 20

export const FacetsQuery = closed({
  ...observationFilters,
  ...observationFlags(booleanQuery),
  facets: optional(
    someOf([...facetNames, "age"]),
    "The facets to count, separated by commas; without it all but `age`. The others are empty."
  ),
  today: optional(InstantInput, "When today began for the reader, for `age`; without it, today in UTC.")
})
export type FacetsQuery = typeof FacetsQuery.Type

const FacetValue = record("FacetValue", {
  value: field(Schema.String, "The value, as the filter of the same name takes it."),
  count: field(Count, "How many observations have it and match all other filters.")
})

const values = (noun: string) =>
  field(
    Schema.Array(FacetValue),
    `The most frequent ${noun}, at most ${maxFacetValues}; equally frequent ones by name.`
  )

export const ObservationFacets = record(
  "ObservationFacets",
  {
    kind: values("kinds"),
    status: values("states; what has an open fix pull request is in none"),
    priority: values("priorities"),
    category: values("categories"),
    domain: values("domains"),
    tool: values("tools"),
    repo: values("repositories"),
    rule: values("rules"),
    age: field(
      Schema.Array(FacetValue),
      "With `facets=age`: how many were first seen `today`, in the last 7 days (`week`), in the last 30 days (`month`) and before (`older`), with all filters but `first_seen_since` and `first_seen_until`. Empty otherwise."
    )
  } satisfies Record<FacetName | "age", unknown>,
  {
    kind: [{ value: "finding", count: 12 }],
    status: [{ value: "new", count: 12 }],
    priority: [
      { value: "P1", count: 8 },
      { value: "P0", count: 4 }
    ],
    category: [{ value: "security", count: 12 }],
    domain: [{ value: "security", count: 12 }],
    tool: [{ value: "sql_injection", count: 12 }],
    repo: [{ value: "shop@main", count: 12 }],
    rule: [{ value: "sql_injection.query_built_from_request", count: 12 }],
    age: []
  }
)
