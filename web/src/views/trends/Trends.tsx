import { useQuery } from "@tanstack/react-query"
import { getRouteApi, useNavigate } from "@tanstack/react-router"
import { trendsQuery } from "../../api/trends.ts"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Page } from "../../parts/layout/Page.tsx"
import { useShortcuts } from "../../parts/shortcuts/useShortcuts.ts"
import { CsvButton } from "./CsvButton.tsx"
import { Filters } from "./Filters.tsx"
import { filterOf } from "./filter.ts"
import { Graphs } from "./Graphs.tsx"

const route = getRouteApi("/shell/trends")

/** How the workspace develops: what opens and closes, what is noise, what it costs. */
export const Trends = () => {
  const search = route.useSearch()
  const navigate = useNavigate()
  const filter = filterOf(search)
  const { data, error, refetch } = useQuery(trendsQuery(filter))
  const isTable = search.as === "table"
  const change = (changed: Partial<typeof search>) =>
    navigate({ to: "/trends", search: { ...search, ...changed }, replace: true })
  useShortcuts([
    {
      keys: "v",
      label: "Show all charts as tables, or as charts again",
      group: "Trends",
      run: () => change({ as: isTable ? undefined : "table" })
    }
  ])
  return (
    <Page title="Trends" actions={<CsvButton filter={filter} />}>
      <Filters filter={filter} onChange={change} />
      {error === null ? null : <Problem error={error} onRetry={() => refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Bones what="the trends" />
        ) : null
      ) : (
        <Graphs trends={data} filter={filter} asTable={isTable} />
      )}
    </Page>
  )
}
