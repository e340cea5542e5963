import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { sessionQuery } from "../api/session.ts"
import { FailedView } from "../parts/feedback/FailedView.tsx"
import { NotFoundView } from "../parts/feedback/NotFoundView.tsx"
import { rootRoute } from "./rootRoute.tsx"

/** The frame of every view for signed-in people; others are led to the sign-in page and back. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: "/sign-in", search: { return_to: location.href } })
    return { session }
  },
  component: lazyRouteComponent(() => import("./shell/Shell.tsx"), "Shell"),
  errorComponent: FailedView,
  notFoundComponent: NotFoundView
})
