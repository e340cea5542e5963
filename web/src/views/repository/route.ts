import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { addressAt, repositoryQuery } from "../../api/repositories.ts"
import { pick } from "../../app/search.ts"
import { shellRoute } from "../../app/shellRoute.tsx"
import { isTab } from "./tabs.ts"

export const repositoryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/repos/$org/$repo/$branch",
  loader: ({ context, params }) => context.queryClient.ensureQueryData(repositoryQuery(addressAt(params))),
  component: lazyRouteComponent(() => import("./Overview.tsx"), "Overview")
})

export const repositoryTabRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/repos/$org/$repo/$branch/$tab",
  validateSearch: (search) => pick(search, ["document", "file"]),
  beforeLoad: ({ params: { org, repo, branch, tab } }) => {
    if (!isTab(tab)) throw redirect({ to: "/repos/$org/$repo/$branch", params: { org, repo, branch } })
  },
  loader: ({ context, params }) => context.queryClient.ensureQueryData(repositoryQuery(addressAt(params))),
  component: lazyRouteComponent(() => import("./RepositoryTab.tsx"), "RepositoryTab")
})
