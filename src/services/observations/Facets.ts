import { Effect } from "effect"
import { type FacetName, type FacetsQuery, facetNames } from "../../schema/Facets.ts"
import { FacetsRepo } from "./FacetsRepo.ts"
import { ObservationQueries } from "./ObservationQueries.ts"

/** What the filters of observations can be set to, and how many match then. */
export class Facets extends Effect.Service<Facets>()("Facets", {
  effect: Effect.gen(function* () {
    const repo = yield* FacetsRepo
    const queries = yield* ObservationQueries

    const read = Effect.fn("Facets.read")(function* (query: FacetsQuery) {
      const rows = yield* repo.facets(yield* queries.narrowed(query))
      const valuesOf = (name: FacetName) =>
        rows.filter(({ facet }) => facet === name).map(({ value, count }) => ({ value, count }))
      return Object.fromEntries(facetNames.map((name) => [name, valuesOf(name)])) as Record<
        FacetName,
        ReturnType<typeof valuesOf>
      >
    })

    return { read }
  })
}) {}
