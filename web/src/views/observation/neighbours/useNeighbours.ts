import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useRef } from "react"
import { observationQuery } from "../../../api/observation.ts"
import { countOf, facetsQuery } from "../../../api/observations.ts"
import { groupingOf, listSearch, requestOf } from "../../triage/address.ts"
import { type Item, moved } from "../../triage/arrange.ts"
import { groupedRows, useQueue } from "../../triage/useQueue.ts"

const refAt = (items: ReadonlyArray<Item>, index: number): string | null => {
  const item = items[index]
  return item?.kind === "row" ? item.observation.ref : null
}

/** The row that is reached in one step; none where the list ends. */
const stepFrom = (items: ReadonlyArray<Item>, index: number, step: 1 | -1): string | null => {
  const reached = moved(items, index, step)
  return reached === index ? null : refAt(items, reached)
}

/** Rows before the end at which more are loaded. */
const endDistance = 10

/** The observations before and after one in the list that someone came from, in the order that they saw there. */
export const useNeighbours = (ref: string, list: string) => {
  const queryClient = useQueryClient()
  const search = useMemo(() => listSearch(list), [list])
  const request = useMemo(() => requestOf(search), [search])
  const { items, indexOf, rows, hasMore, loadMore } = useQueue(request, groupingOf(search))
  const facets = useQuery({ ...facetsQuery(request.filter), enabled: request.q === undefined })
  const listed = indexOf.get(ref)
  // Once it was dismissed here it leaves the list: the row that took its place comes next.
  const place = useRef<number | null>(null)
  useEffect(() => {
    if (listed !== undefined) place.current = listed
  }, [listed])

  const isDeeper = listed === undefined && place.current === null && rows.length < groupedRows
  const isNearEnd = listed !== undefined && items.length - listed <= endDistance
  useEffect(() => {
    if (hasMore && (isDeeper || isNearEnd)) loadMore()
  }, [hasMore, isDeeper, isNearEnd, loadMore])

  const at = listed ?? place.current
  const next = at === null ? null : stepFrom(items, listed === undefined ? at - 1 : at, 1)
  const previous = at === null ? null : stepFrom(items, at, -1)
  useEffect(() => {
    if (next !== null) queryClient.prefetchQuery({ ...observationQuery(next), staleTime: 30_000 })
  }, [next, queryClient])

  const position = listed === undefined ? null : items.slice(0, listed + 1).filter(({ kind }) => kind === "row").length
  return { next, previous, position, total: facets.data && countOf(facets.data, request.filter) }
}
