import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { keysQuery } from "../../api/keys.ts"
import { membersQuery } from "../../api/members.ts"
import { pick } from "../../app/search.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

/** `dialog` is `new`, or `tighten` or `revoke` with the ID in `key`; `show=all` lists those that ended, too. */
export const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/keys",
  validateSearch: (search) => pick(search, ["show", "dialog", "key"]),
  loader: ({ context }) =>
    Promise.all([context.queryClient.ensureQueryData(keysQuery), context.queryClient.ensureQueryData(membersQuery)]),
  component: lazyRouteComponent(() => import("./Keys.tsx"), "Keys")
})
