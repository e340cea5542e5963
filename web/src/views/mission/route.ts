import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { missionQuery } from "../../api/missions.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

export const missionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/missions/$ref",
  loader: ({ context, params }) => context.queryClient.ensureQueryData(missionQuery(params.ref)),
  component: lazyRouteComponent(() => import("./Mission.tsx"), "Mission")
})
