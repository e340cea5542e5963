import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { pick } from "../../app/search.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

export const trendsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/trends",
  validateSearch: (search) => pick(search, ["days", "repo", "domain", "rule", "as"]),
  component: lazyRouteComponent(() => import("./Trends.tsx"), "Trends")
})
