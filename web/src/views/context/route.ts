import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { levelsQuery } from "../../api/context.ts"
import { pick } from "../../app/search.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

/**
 * `project` is the level (none: the workspace), `status` is `proposed` or `disabled` (none: what applies),
 * `entry` the open entry's key, `show` its part, `dialog` what is done with it.
 */
export const contextRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/context",
  validateSearch: (search) => pick(search, ["project", "status", "kind", "q", "entry", "show", "dialog"]),
  loader: ({ context }) => context.queryClient.ensureQueryData(levelsQuery),
  component: lazyRouteComponent(() => import("./Context.tsx"), "Context")
})
