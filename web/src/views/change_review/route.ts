import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { changeReviewQuery } from "../../api/changeReviews.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

export const changeReviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/change-reviews/$name",
  loader: ({ context, params }) => context.queryClient.ensureQueryData(changeReviewQuery(params.name)),
  component: lazyRouteComponent(() => import("./ChangeReview.tsx"), "ChangeReview")
})
