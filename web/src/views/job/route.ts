import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { jobQuery } from "../../api/jobs.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

export const jobRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/jobs/$id",
  loader: ({ context, params }) => context.queryClient.ensureQueryData(jobQuery(params.id)),
  component: lazyRouteComponent(() => import("./Job.tsx"), "Job")
})
