import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { issueQuery } from "../../api/issues.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

export const issueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/issues/$ref",
  loader: ({ context, params }) => context.queryClient.ensureQueryData(issueQuery(params.ref)),
  component: lazyRouteComponent(() => import("./Issue.tsx"), "Issue")
})
