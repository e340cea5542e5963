import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { observationsQuery } from "../../api/observations.ts"
import { shellRoute } from "../../app/shellRoute.tsx"
import { requestOf, triageSearch } from "./address.ts"

/** The queue of observations. The row that is open is in the address, and another one loads nothing again. */
export const triageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/triage",
  validateSearch: triageSearch,
  loaderDeps: ({ search: { open: _, group: __, ...search } }) => search,
  // The list is asked for while the view's script is on its way; no one waits for it here.
  loader: ({ context, deps }) => {
    context.queryClient.prefetchInfiniteQuery(observationsQuery(requestOf(deps)))
  },
  component: lazyRouteComponent(() => import("./Triage.tsx"), "Triage")
})
