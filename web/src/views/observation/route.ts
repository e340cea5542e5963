import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { observationQuery } from "../../api/observation.ts"
import { pick } from "../../app/search.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

/**
 * `dialog` is the one that is open: it is there again after a reload, with what was typed. `list` is the query of the
 * triage list that someone came from: it has the previous and the next one.
 */
export const observationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/observations/$ref",
  validateSearch: (search) => pick(search, ["dialog", "list"]),
  loader: ({ context, params }) => context.queryClient.ensureQueryData(observationQuery(params.ref)),
  component: lazyRouteComponent(() => import("./Observation.tsx"), "Observation")
})
