import type { QueryClient } from "@tanstack/react-query"
import { createRootRouteWithContext, Outlet } from "@tanstack/react-router"
import { FailedView } from "../parts/feedback/FailedView.tsx"
import { NotFoundView } from "../parts/feedback/NotFoundView.tsx"
import { Toasts } from "../parts/toast/Toasts.tsx"

const Root = () => (
  <>
    <Outlet />
    <Toasts />
  </>
)

export const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  component: Root,
  errorComponent: FailedView,
  notFoundComponent: NotFoundView
})
