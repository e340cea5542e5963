import { createRoute, redirect } from "@tanstack/react-router"
import { repositoriesQuery } from "../../api/repositories.ts"
import { shellRoute } from "../../app/shellRoute.tsx"

/** The start page is the queue, or the first run where there is nothing to audit yet. */
export const startRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  beforeLoad: async ({ context }) => {
    const repositories = await context.queryClient.ensureQueryData(repositoriesQuery)
    throw redirect({ to: repositories.length === 0 ? "/welcome" : "/triage" })
  }
})
