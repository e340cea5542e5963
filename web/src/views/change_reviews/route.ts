import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { pick } from "../../app/search.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

export const changeReviewsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/change-reviews",
  validateSearch: (search) => pick(search, ["new"]),
  component: lazyRouteComponent(() => import("./ChangeReviews.tsx"), "ChangeReviews")
})
