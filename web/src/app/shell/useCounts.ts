import { useQuery } from "@tanstack/react-query"
import { overviewQuery } from "../../api/overview.ts"

interface PlaceCount {
  readonly count: number
  /** A task behind it: someone has to do something, or something is going on. */
  readonly isDue?: boolean
}

const pollMillis = 60_000

/** What there is in the views that the frame leads to, by their address; all of it is one request. */
export const useCounts = (): Readonly<Record<string, PlaceCount>> => {
  const { data } = useQuery({ ...overviewQuery, refetchInterval: pollMillis })
  if (data === undefined) return {}
  const { open, jobs, open_fix_prs, proposed_context_entries, missions_waiting_on_me, repositories } = data
  return {
    "/triage": { count: open.by_kind.finding + open.by_kind.advisory },
    "/fix-prs": { count: open_fix_prs },
    "/missions": { count: missions_waiting_on_me, isDue: true },
    "/repos": { count: repositories },
    "/jobs": { count: jobs.pending + jobs.running, isDue: true },
    "/context": { count: proposed_context_entries, isDue: true }
  }
}
