import type { QueryClient } from "@tanstack/react-query"

const lookEvery = 1_000

/** Loads parts of the app once nothing that is on the screen is being loaded; returns how to leave it. */
export const whenQuiet = (queryClient: QueryClient, loads: ReadonlyArray<() => Promise<unknown>>): (() => void) => {
  const timer = setInterval(() => {
    if (queryClient.isFetching() > 0) return
    clearInterval(timer)
    // A failure is shown by the press that needs the part.
    for (const load of loads) load().catch(() => undefined)
  }, lookEvery)
  return () => clearInterval(timer)
}
