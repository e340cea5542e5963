import type { ReactNode } from "react"
import { placeOf, type Repository } from "../../api/repositories.ts"
import { Badge } from "../../parts/badges/Badge.tsx"
import { Page, PageHead } from "../../parts/layout/Page.tsx"
import { Tabs } from "../../parts/tabs/Tabs.tsx"
import { tabNames } from "./tabs.ts"

const tabs = Object.entries(tabNames)

/** What every page of a repository has: its name, its visibility, the ways to the other pages. */
export const RepositoryFrame = ({
  repository,
  actions,
  children
}: {
  readonly repository: Repository
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => {
  const { repo_name, display_name, description, visibility, access_mode } = repository
  const params = placeOf(repository)
  const title = display_name ?? repo_name
  return (
    <Page title={title} crumbs={[{ label: "Repositories", href: "/repos" }]}>
      <PageHead
        title={title}
        actions={actions}
        facts={
          <>
            <Badge icon="eye">{visibility === "workspace" ? "Visible to the workspace" : "Restricted"}</Badge>
            {display_name === null ? null : <span>{repo_name}</span>}
            <span>{access_mode === "anonymous" ? "cloned without credentials" : repository.clone_url}</span>
          </>
        }
      />
      {description === null ? null : <p className="prose">{description}</p>}
      <Tabs
        label="Pages of the repository"
        underlined
        tabs={[
          { label: "Overview", to: "/repos/$org/$repo/$branch", params },
          ...tabs.map(([tab, label]) => ({
            label,
            to: "/repos/$org/$repo/$branch/$tab" as const,
            params: { ...params, tab }
          }))
        ]}
      />
      {children}
    </Page>
  )
}
