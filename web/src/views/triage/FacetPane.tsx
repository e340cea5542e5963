import { type UseQueryResult, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { agesQuery, type Facets as FacetCounts } from "../../api/observations.ts"
import { Facets } from "../../parts/facets/Facets.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { dayStart, requestOf, type TriageSearch } from "./address.ts"
import { facetsOf, toggled } from "./facetsOf.tsx"

interface FacetPaneProps {
  readonly search: TriageSearch
  readonly facets: Pick<UseQueryResult<FacetCounts>, "data" | "error" | "refetch">
  readonly className?: string
}

/** Facets of the queue; what is chosen is in the address. */
export const FacetPane = ({ search, facets, className }: FacetPaneProps) => {
  const navigate = useNavigate({ from: "/triage" })
  const { filter, q } = requestOf(search)
  const ages = useQuery({ ...agesQuery(filter, dayStart()), enabled: facets.data !== undefined && q === undefined })
  return (
    <aside className={className} aria-label="Facets">
      {facets.error === null ? null : <Problem error={facets.error} onRetry={() => facets.refetch()} />}
      <Facets
        facets={facetsOf(search, facets.data, ages.data)}
        onToggle={(name, value) => navigate({ search: (all) => toggled(all, name, value) })}
      />
    </aside>
  )
}
