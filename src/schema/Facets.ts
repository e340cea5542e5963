import { Schema } from "effect"
import { closed, record } from "./closed.ts"
import { observationFilters, observationFlags } from "./Observation.ts"
import { booleanQuery, Count, field } from "./Text.ts"

export const facetNames = ["kind", "status", "priority", "category", "domain", "tool", "repo", "rule"] as const
export type FacetName = (typeof facetNames)[number]

/** How many values of a facet are counted. */
export const maxFacetValues = 20

export const FacetsQuery = closed({ ...observationFilters, ...observationFlags(booleanQuery) })
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
    rule: values("rules")
  } satisfies Record<FacetName, unknown>,
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
    rule: [{ value: "sql_injection.query_built_from_request", count: 12 }]
  }
)
