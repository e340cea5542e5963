import { useNavigate } from "@tanstack/react-router"
import { useCallback, useEffect, useRef, useState } from "react"
import type { ListHandle } from "../../parts/list/VirtualList.tsx"
import { moved, nearestRow } from "./arrange.ts"
import type { Queue } from "./useQueue.ts"

/** Browsers take only so many changes of the address in a while. */
const addressMillis = 250

interface Active {
  /** Of the item that keys act on; -1 where none is listed. */
  readonly index: number
  /** The observation that is open: the active row, or one that a link names and the list does not hold. */
  readonly ref: string | null
  readonly list: React.RefObject<ListHandle | null>
  readonly move: (step: number) => void
  readonly activate: (index: number) => void
}

const refAt = (queue: Queue, index: number) => {
  const item = queue.items[index]
  return item?.kind === "row" ? item.observation.ref : null
}

/** The row that keys act on. When it leaves the list, the row that takes its place follows; the address follows both. */
export const useActive = (queue: Queue, open: string | undefined): Active => {
  const navigate = useNavigate({ from: "/triage" })
  const list = useRef<ListHandle>(null)
  const [chosen, choose] = useState(open ?? null)
  const place = useRef({ ref: chosen, index: -1 })
  const written = useRef(open)

  // Back and forward, and links to the view that is open.
  useEffect(() => {
    if (open === written.current) return
    written.current = open
    choose(open ?? null)
  }, [open])

  const listed = chosen === null ? undefined : queue.indexOf.get(chosen)
  const hasLeft = chosen !== null && listed === undefined && place.current.ref === chosen && place.current.index >= 0
  const isElsewhere = chosen !== null && listed === undefined && !hasLeft
  const index = listed ?? (isElsewhere ? -1 : nearestRow(queue.items, hasLeft ? place.current.index : 0))
  const ref = isElsewhere ? chosen : refAt(queue, index)

  useEffect(() => {
    if (listed !== undefined) place.current = { ref: chosen, index: listed }
  }, [chosen, listed])

  useEffect(() => {
    if (!hasLeft) return
    choose(ref)
    if (index >= 0) list.current?.focus(index)
  }, [hasLeft, ref, index])

  useEffect(() => {
    if (chosen === null || chosen === written.current) return
    const timer = setTimeout(() => {
      written.current = chosen
      navigate({ search: (search) => ({ ...search, open: chosen }), replace: true })
    }, addressMillis)
    return () => clearTimeout(timer)
  }, [chosen, navigate])

  const activate = useCallback(
    (target: number) => {
      const reached = refAt(queue, target)
      if (reached === null) return
      choose(reached)
      list.current?.focus(target)
    },
    [queue]
  )
  const move = useCallback((step: number) => activate(moved(queue.items, index, step)), [activate, queue, index])
  return { index, ref, list, move, activate }
}
