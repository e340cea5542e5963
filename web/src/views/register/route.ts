import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { shellRoute } from "../../app/shellRoute.tsx"

export const registerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/repos/new",
  component: lazyRouteComponent(() => import("./Register.tsx"), "Register")
})
