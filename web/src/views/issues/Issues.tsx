import { useInfiniteQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { issuesQuery } from "../../api/issues.ts"
import { useMay } from "../../api/session.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { MoreButton } from "../../parts/layout/MoreButton.tsx"
import { Page } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Tabs } from "../../parts/tabs/Tabs.tsx"
import { Board } from "./Board.tsx"
import { columns } from "./columns.tsx"
import { FileIssue } from "./FileIssue.tsx"
import { Filters } from "./Filters.tsx"

const route = getRouteApi("/shell/issues")

/** The issues of the projects that the caller may see, as a list or a board. */
export const Issues = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { view, new: opened, ready, ...filter } = search
  const issues = useInfiniteQuery(issuesQuery({ ...filter, ...(ready === "true" ? { ready: true } : {}) }))
  const may = useMay("manage_issues")
  const rows = issues.data?.pages.flatMap(({ data }) => data) ?? []
  const change = (changed: Readonly<Record<string, string | undefined>>) =>
    navigate({ search: (before) => ({ ...before, ...changed }) })
  const isBoard = view === "board"
  return (
    <Page
      title="Issues"
      actions={
        may ? (
          <Button look="primary" icon="plus" onPress={() => change({ new: "yes" })}>
            File an issue…
          </Button>
        ) : null
      }
    >
      <Filters search={search} onChange={change} />
      <Tabs
        label="Form"
        tabs={[
          { label: "List", to: "/issues", search: { ...search, view: undefined }, isCurrent: !isBoard },
          { label: "Board", to: "/issues", search: { ...search, view: "board" }, isCurrent: isBoard }
        ]}
      />
      {issues.error !== null ? (
        <Problem error={issues.error} onRetry={() => issues.refetch()} />
      ) : issues.data === undefined ? (
        <Bones what="issues" />
      ) : rows.length === 0 ? (
        <Empty
          icon="issue"
          why="No issue matches."
          next="Issues are filed here, or from observations in Triage, and people and agents work them off."
        />
      ) : isBoard ? (
        <Board issues={rows} />
      ) : (
        <Table label="Issues" columns={columns} rows={rows} keyOf={({ ref }) => ref} />
      )}
      <MoreButton query={issues} />
      <FileIssue isOpen={opened !== undefined} onClose={() => change({ new: undefined })} />
    </Page>
  )
}
