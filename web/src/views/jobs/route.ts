import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { jobsQuery } from "../../api/jobs.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

export const jobsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/jobs",
  loader: ({ context }) => context.queryClient.ensureInfiniteQueryData(jobsQuery),
  component: lazyRouteComponent(() => import("./Jobs.tsx"), "Jobs")
})
