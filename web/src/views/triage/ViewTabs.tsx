import { useQueries, useQuery } from "@tanstack/react-query"
import { countOf, facetsQuery } from "../../api/observations.ts"
import { viewsQuery } from "../../api/views.ts"
import { parseSearch } from "../../app/search.ts"
import { Tabs } from "../../parts/tabs/Tabs.tsx"
import { requestOf, type TriageSearch, triageSearch } from "./address.ts"
import { SaveView } from "./SaveView.tsx"
import { ViewMenu } from "./ViewMenu.tsx"
import { isSameView, viewSearch } from "./viewSearch.ts"

const builtIn: ReadonlyArray<{ readonly name: string; readonly search: TriageSearch }> = [
  { name: "All new", search: {} },
  { name: "P0 and P1", search: { priority: "P0,P1", group: "priority" } },
  { name: "Closed", search: { status: "closed" } }
]

/** Counts are read for the first ones only: each is a request. */
const countedViews = 8

const useCounts = (searches: ReadonlyArray<TriageSearch>) =>
  useQueries({
    queries: searches.slice(0, countedViews).map((search) => {
      const { filter, q } = requestOf(search)
      return {
        ...facetsQuery(filter),
        enabled: q === undefined,
        placeholderData: undefined,
        select: (facets: Parameters<typeof countOf>[0]) => countOf(facets, filter)
      }
    })
  }).map(({ data }) => data)

/** Views of the queue: those of the app, and those that people saved. */
export const ViewTabs = ({ search, total }: { readonly search: TriageSearch; readonly total: number | undefined }) => {
  const { data: saved = [] } = useQuery(viewsQuery)
  const views = [
    ...builtIn.map((view) => ({ ...view, id: undefined })),
    ...saved.map(({ id, name, query }) => ({ id, name, search: viewSearch(triageSearch(parseSearch(query))) }))
  ]
  const counts = useCounts(views.map((view) => view.search))
  const current = views.findIndex((view) => isSameView(view.search, search))
  const own = saved.find(({ id }) => id === views[current]?.id)
  return (
    <>
      <Tabs
        label="Views"
        tabs={views.map((view, index) => ({
          label: view.name,
          to: "/triage",
          search: view.search,
          count: index === current ? (total ?? counts[index]) : counts[index],
          isCurrent: index === current
        }))}
      />
      {own === undefined ? null : <ViewMenu view={own} search={search} />}
      {current >= 0 ? null : <SaveView search={search} views={saved} />}
    </>
  )
}
