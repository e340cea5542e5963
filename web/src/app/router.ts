import { createRouter } from "@tanstack/react-router"
import { queryClient } from "./queryClient.ts"
import { routeTree } from "./routes.ts"
import { parseSearch, stringifySearch } from "./search.ts"

export const router = createRouter({
  routeTree,
  context: { queryClient },
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  // Bones are shown for what takes longer than a glance.
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  scrollRestoration: true
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
