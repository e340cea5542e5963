import { useCallback, useMemo, useRef, useState } from "react"

export interface Selection {
  readonly refs: ReadonlySet<string>
  /** Everything that the list holds, also what is not loaded. */
  readonly isEvery: boolean
  readonly toggle: (ref: string) => void
  /** From the row that was ticked last to this one. */
  readonly extend: (ref: string) => void
  readonly selectEvery: (loaded: ReadonlyArray<string>) => void
  readonly clear: () => void
}

const none: ReadonlySet<string> = new Set()

/** Ticked rows, of those that are listed, in their order. */
export const useSelection = (listed: ReadonlyArray<string>): Selection => {
  const [refs, setRefs] = useState(none)
  const [isEvery, setEvery] = useState(false)
  const anchor = useRef<string | null>(null)
  const order = useRef(listed)
  order.current = listed

  const toggle = useCallback((ref: string) => {
    anchor.current = ref
    setEvery(false)
    setRefs((before) => {
      const next = new Set(before)
      if (!next.delete(ref)) next.add(ref)
      return next
    })
  }, [])

  const extend = useCallback((ref: string) => {
    const ends = [order.current.indexOf(anchor.current ?? ref), order.current.indexOf(ref)]
    const [from = 0, to = 0] = ends.includes(-1) ? [ends[1], ends[1]] : ends.sort((a = 0, b = 0) => a - b)
    setRefs((before) => new Set([...before, ...order.current.slice(from, to + 1)]))
  }, [])

  const selectEvery = useCallback((loaded: ReadonlyArray<string>) => {
    setRefs(new Set(loaded))
    setEvery(true)
  }, [])

  const clear = useCallback(() => {
    anchor.current = null
    setEvery(false)
    setRefs(none)
  }, [])

  return useMemo(
    () => ({ refs, isEvery, toggle, extend, selectEvery, clear }),
    [refs, isEvery, toggle, extend, selectEvery, clear]
  )
}
