import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { repositoriesQuery } from "../../api/repositories.ts"
import { pick } from "../../app/search.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

/** `repo` narrows the lanes to one repository, `ref` is the observation whose fix is open, `dialog` the dialog above it. */
export const fixPrsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/fix-prs",
  validateSearch: (search) => pick(search, ["repo", "ref", "dialog"]),
  loader: ({ context }) => context.queryClient.ensureQueryData(repositoriesQuery),
  component: lazyRouteComponent(() => import("./FixPrs.tsx"), "FixPrs")
})
