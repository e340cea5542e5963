import { DateTime, Effect } from "effect"
import { ageDays, ages, type FacetName, type FacetsQuery, facetNames } from "../../schema/Facets.ts"
import { FacetsRepo } from "./FacetsRepo.ts"
import type { Narrowed } from "./ObservationFiltersRepo.ts"
import { ObservationQueries } from "./ObservationQueries.ts"

/** What the filters of observations can be set to, and how many match then. */
export class Facets extends Effect.Service<Facets>()("Facets", {
  effect: Effect.gen(function* () {
    const repo = yield* FacetsRepo
    const queries = yield* ObservationQueries

    /** Ages overlap: what was first seen today was first seen in the last 30 days, too. */
    const countAges = Effect.fnUntraced(function* (narrowed: Narrowed, today: string | undefined) {
      const start = today === undefined ? DateTime.startOf(yield* DateTime.now, "day") : DateTime.unsafeMake(today)
      const since = (days: number) => DateTime.formatIso(DateTime.subtract(start, { hours: 24 * days }))
      const counts = yield* repo.ages(narrowed, {
        today: since(0),
        week: since(ageDays.week),
        month: since(ageDays.month)
      })
      return ages.map((value) => ({ value, count: counts[value] }))
    })

    const read = Effect.fn("Facets.read")(function* ({ facets = facetNames, today, ...query }: FacetsQuery) {
      const narrowed = yield* queries.narrowed(query)
      const names = facetNames.filter((name) => facets.includes(name))
      const rows = names.length === 0 ? [] : yield* repo.facets(narrowed, names)
      const valuesOf = (name: FacetName) =>
        rows.filter(({ facet }) => facet === name).map(({ value, count }) => ({ value, count }))
      const counted = Object.fromEntries(facetNames.map((name) => [name, valuesOf(name)])) as Record<
        FacetName,
        ReturnType<typeof valuesOf>
      >
      return { ...counted, age: facets.includes("age") ? yield* countAges(narrowed, today) : [] }
    })

    return { read }
  })
}) {}
