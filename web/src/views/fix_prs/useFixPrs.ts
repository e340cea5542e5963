import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { endedFixPrsQuery, openFixPrsQuery } from "../../api/fixes.ts"

/** All fix pull requests that are open, and the newest of those that have ended; of one repository or of all. */
export const useFixPrs = (repo: string | undefined) => {
  const open = useQuery(openFixPrsQuery(repo))
  const ended = useInfiniteQuery(endedFixPrsQuery(repo))
  return {
    rows: [...(open.data ?? []), ...(ended.data?.pages ?? []).flatMap(({ data }) => data)],
    isPending: open.isPending || ended.isPending,
    error: open.error ?? ended.error,
    refetch: () => {
      if (open.error !== null) void open.refetch()
      if (ended.error !== null) void ended.refetch()
    },
    /** Reads further ones that have ended; null where there are none. */
    more: ended.hasNextPage ? () => ended.fetchNextPage() : null,
    isReading: ended.isFetchingNextPage
  }
}
