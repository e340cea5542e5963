import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { pick } from "../../app/search.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

/** `job` is the first audit, once it was started: the address survives a reload. */
export const welcomeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/welcome",
  validateSearch: (search) => pick(search, ["job"]),
  component: lazyRouteComponent(() => import("./Welcome.tsx"), "Welcome")
})
