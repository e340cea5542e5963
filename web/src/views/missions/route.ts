import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { pick } from "../../app/search.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

/** `?new=` opens the form; its value fills in the observations, for example `OBS-1,OBS-2`. */
export const missionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/missions",
  validateSearch: (search) => pick(search, ["status", "repo", "new"]),
  component: lazyRouteComponent(() => import("./Missions.tsx"), "Missions")
})
