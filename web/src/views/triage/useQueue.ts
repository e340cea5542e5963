import { useInfiniteQuery } from "@tanstack/react-query"
import { useCallback, useMemo, useSyncExternalStore } from "react"
import { type ListRequest, type Observation, observationsQuery } from "../../api/observations.ts"
import { allChanges, onChanges, withChange } from "../../api/triageChanges.ts"
import type { Grouping } from "./address.ts"
import { arrange, type Item } from "./arrange.ts"

/** Groups are made of what is loaded, so that many are loaded at once; more would move under the reader's eyes. */
export const groupedRows = 1_000

export interface Queue {
  readonly items: ReadonlyArray<Item>
  readonly rows: ReadonlyArray<Observation>
  readonly indexOf: ReadonlyMap<string, number>
  readonly hasMore: boolean
  readonly isLoading: boolean
  /** Rows of an earlier filter are shown until those of this one are here. */
  readonly isStale: boolean
  readonly error: Error | null
  readonly loadMore: () => void
  readonly reload: () => void
}

const isOf = ({ filter }: ListRequest, { status }: Observation) =>
  filter.status === undefined || filter.status === status

/** The rows of a list as far as they are loaded, with what was changed here since. */
export const useQueue = (request: ListRequest, grouping: Grouping | null): Queue => {
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, isPlaceholderData, refetch } = useInfiniteQuery(
    observationsQuery(request)
  )
  const changes = useSyncExternalStore(onChanges, allChanges)
  const rows = useMemo(
    () =>
      (data?.pages ?? [])
        .flatMap((page) => page.data)
        .map((row) => withChange(row, changes))
        .filter((row) => isOf(request, row)),
    [data, changes, request]
  )
  const items = useMemo(() => arrange(rows, grouping), [rows, grouping])
  const indexOf = useMemo(
    () =>
      new Map(items.flatMap((item, index) => (item.kind === "row" ? [[item.observation.ref, index] as const] : []))),
    [items]
  )
  const isFull = grouping !== null && grouping !== "priority" && rows.length >= groupedRows
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isPlaceholderData && !isFull) fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isPlaceholderData, isFull, fetchNextPage])
  return {
    items,
    rows,
    indexOf,
    hasMore: hasNextPage,
    isLoading: data === undefined && error === null,
    isStale: isPlaceholderData,
    error,
    loadMore,
    reload: refetch
  }
}
