import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { rootRoute } from "../../app/rootRoute.tsx"
import { pick } from "../../app/search.ts"

/** `#token=` is a one-time link, `#invitation=` an invitation; both stand in the fragment, which no server log keeps. */
export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search) => pick(search, ["return_to", "error"]),
  component: lazyRouteComponent(() => import("./SignIn.tsx"), "SignIn")
})
