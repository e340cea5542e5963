import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { pick } from "../../app/search.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

/** `view=board` shows columns by status; `new` opens the form. */
export const issuesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/issues",
  validateSearch: (search) =>
    pick(search, ["status", "project", "repo", "assignee", "labels", "q", "ready", "view", "new"]),
  component: lazyRouteComponent(() => import("./Issues.tsx"), "Issues")
})
