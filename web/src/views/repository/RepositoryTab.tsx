import { useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { type ComponentType, lazy, Suspense } from "react"
import { addressAt, type Repository, repositoryQuery } from "../../api/repositories.ts"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { RepositoryFrame } from "./RepositoryFrame.tsx"
import { isTab, type TabName } from "./tabs.ts"

const route = getRouteApi("/shell/repos/$org/$repo/$branch/$tab")

export interface TabProps {
  readonly repository: Repository
}

const pages: Readonly<Record<TabName, ComponentType<TabProps>>> = {
  discovery: lazy(async () => ({ default: (await import("./Discovery.tsx")).Discovery })),
  knowledge: lazy(async () => ({ default: (await import("./Knowledge.tsx")).Knowledge })),
  rules: lazy(async () => ({ default: (await import("./Rules.tsx")).Rules })),
  guidance: lazy(async () => ({ default: (await import("./Guidance.tsx")).Guidance })),
  jobs: lazy(async () => ({ default: (await import("./RepositoryJobs.tsx")).RepositoryJobs })),
  "fix-prs": lazy(async () => ({ default: (await import("./RepositoryFixPrs.tsx")).RepositoryFixPrs })),
  reviews: lazy(async () => ({ default: (await import("./RepositoryReviews.tsx")).RepositoryReviews })),
  settings: lazy(async () => ({ default: (await import("./Settings.tsx")).Settings }))
}

/** One of the pages of a repository beside its overview. */
export const RepositoryTab = () => {
  const { tab, ...place } = route.useParams()
  const { data: repository } = useSuspenseQuery(repositoryQuery(addressAt(place)))
  const Content = pages[isTab(tab) ? tab : "jobs"]
  return (
    <RepositoryFrame repository={repository}>
      <Suspense fallback={<Bones what="the page" />}>
        <Content repository={repository} />
      </Suspense>
    </RepositoryFrame>
  )
}
