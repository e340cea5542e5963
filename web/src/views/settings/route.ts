import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { pick } from "../../app/search.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

/** Each section has an address; the filters of the audit log and the outbox, and the dialog that is open, are in its query. */
export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/settings/$section",
  validateSearch: (search) => pick(search, ["actor", "action", "object", "since", "until", "status", "dialog", "id"]),
  component: lazyRouteComponent(() => import("./Settings.tsx"), "Settings")
})

export const settingsStartRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/settings",
  beforeLoad: () => {
    throw redirect({ to: "/settings/$section", params: { section: "profile" } })
  }
})

/** The address that invitations and notices name. */
export const membersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/members",
  beforeLoad: () => {
    throw redirect({ to: "/settings/$section", params: { section: "members" } })
  }
})
