import { useSuspenseQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { placeOf, type Repository, repositoriesQuery } from "../../api/repositories.ts"
import { useMay } from "../../api/session.ts"
import { lookOf } from "../../parts/button/look.ts"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { AuditButton } from "../../parts/forecast/AuditButton.tsx"
import { Box, Page } from "../../parts/layout/Page.tsx"
import { type Column, Table } from "../../parts/layout/Table.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { LowestScore } from "./LowestScore.tsx"

const openCount = (priority: keyof Repository["open_observations"]): Column<Repository> => ({
  name: priority,
  figure: true,
  cell: ({ open_observations, repo_name }) =>
    open_observations[priority] === 0 ? (
      <span className="muted">0</span>
    ) : (
      <a href={`/triage?repo=${encodeURIComponent(repo_name)}&priority=${priority}`}>{open_observations[priority]}</a>
    )
})

const columns: ReadonlyArray<Column<Repository>> = [
  {
    name: "Repository",
    cell: (repository) => (
      <Link to="/repos/$org/$repo/$branch" params={placeOf(repository)}>
        {repository.github_org}/{repository.repo_name}
      </Link>
    )
  },
  { name: "Last audit", cell: ({ last_audit_at }) => (last_audit_at === null ? "Never" : <Time at={last_audit_at} />) },
  { name: "Lowest score", cell: (repository) => <LowestScore repository={repository} /> },
  openCount("P0"),
  openCount("P1"),
  openCount("P2"),
  openCount("P3"),
  {
    name: "Audit",
    nameHidden: true,
    cell: (repository) => <AuditButton repository={repository} look="plain" small />
  }
]

const RegisterLink = () => (
  <Link to="/repos/new" className={lookOf({ look: "primary" })}>
    Register a repository
  </Link>
)

/** Every repository that the caller may see. */
export const Repositories = () => {
  const { data } = useSuspenseQuery(repositoriesQuery)
  const may = useMay("register_repo")
  return (
    <Page title="Repositories" actions={may && data.length > 0 ? <RegisterLink /> : undefined}>
      {data.length === 0 ? (
        <Empty
          icon="repo"
          why="No repository yet."
          next="Add a Git URL, or audit the folder mounted on this server."
          action={may ? <RegisterLink /> : undefined}
        />
      ) : (
        <Box padded={false}>
          <Table
            label="Repositories"
            columns={may ? columns : columns.filter(({ name }) => name !== "Audit")}
            rows={data}
            keyOf={({ id }) => id}
          />
        </Box>
      )}
    </Page>
  )
}
