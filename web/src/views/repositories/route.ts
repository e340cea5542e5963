import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { repositoriesQuery } from "../../api/repositories.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

export const repositoriesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/repos",
  loader: ({ context }) => context.queryClient.ensureQueryData(repositoriesQuery),
  component: lazyRouteComponent(() => import("./Repositories.tsx"), "Repositories")
})
