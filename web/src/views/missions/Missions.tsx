import { useInfiniteQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { type MissionStatus, type MissionSummary, missionsQuery } from "../../api/missions.ts"
import { useMay } from "../../api/session.ts"
import { MissionState, missionStatusWords } from "../../parts/badges/mission.tsx"
import { Button } from "../../parts/button/Button.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { MoreButton } from "../../parts/layout/MoreButton.tsx"
import { Page } from "../../parts/layout/Page.tsx"
import { type Column, Table } from "../../parts/layout/Table.tsx"
import { Tabs } from "../../parts/tabs/Tabs.tsx"
import { dollars } from "../../parts/text/Money.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { NewMission } from "./NewMission.tsx"

const route = getRouteApi("/shell/missions")

const statuses: ReadonlyArray<MissionStatus> = [
  "awaiting_approval",
  "waiting_on_person",
  "running",
  "paused",
  "completed",
  "failed",
  "cancelled"
]

const stepsOf = ({ step_counts: { pending, running, completed, failed, skipped } }: MissionSummary) =>
  `${completed + skipped} of ${pending + running + completed + failed + skipped}`

const columns: ReadonlyArray<Column<MissionSummary>> = [
  {
    name: "Mission",
    cell: ({ ref, title }) => (
      <Link to="/missions/$ref" params={{ ref }}>
        {title}
      </Link>
    )
  },
  { name: "Reference", cell: ({ ref }) => ref },
  { name: "State", cell: ({ status }) => <MissionState status={status} /> },
  { name: "Repository", cell: ({ repo_name }) => repo_name },
  { name: "Steps", figure: true, cell: stepsOf },
  {
    name: "Spent",
    figure: true,
    cell: ({ spent_usd, budget_usd }) => `${dollars(spent_usd)} of ${dollars(budget_usd)}`
  },
  { name: "Updated", figure: true, cell: ({ updated_at }) => <Time at={updated_at} /> }
]

/** The missions of the repositories that the caller may see, newest first. */
export const Missions = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const status = statuses.find((one) => one === search.status)
  const missions = useInfiniteQuery(missionsQuery({ status, repo: search.repo }))
  const may = useMay("submit_program_jobs")
  const rows = missions.data?.pages.flatMap(({ data }) => data) ?? []
  const open = () => navigate({ search: (before) => ({ ...before, new: "yes" }) })
  return (
    <Page
      title="Missions"
      actions={
        may ? (
          <Button look="primary" icon="plus" onPress={open}>
            Plan a mission…
          </Button>
        ) : null
      }
    >
      <Tabs
        label="States"
        tabs={[
          { label: "All", to: "/missions", search: { repo: search.repo }, isCurrent: status === undefined },
          ...statuses.map((one) => ({
            label: missionStatusWords(one),
            to: "/missions" as const,
            search: { repo: search.repo, status: one },
            isCurrent: status === one
          }))
        ]}
      />
      {missions.error !== null ? (
        <Problem error={missions.error} onRetry={() => missions.refetch()} />
      ) : missions.data === undefined ? (
        <Bones what="missions" />
      ) : rows.length === 0 ? (
        <Empty
          icon="mission"
          why="No mission here."
          next="A mission fixes many observations on one branch, step by step, after a person approved its plan."
        />
      ) : (
        <Table label="Missions" columns={columns} rows={rows} keyOf={({ ref }) => ref} />
      )}
      <MoreButton query={missions} />
      <NewMission
        isOpen={search.new !== undefined}
        refs={search.new === "yes" ? "" : (search.new ?? "")}
        onClose={() => navigate({ search: ({ new: _new, ...rest }) => rest })}
      />
    </Page>
  )
}
