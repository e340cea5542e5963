import { useEffect, useRef } from "react"

/** When a dialog has gone, and the row that it was about with it, the focus goes to the row that took its place. */
export const useFocusAfter = (isOpen: boolean, focus: () => void): void => {
  const wasOpen = useRef(false)
  const latest = useRef(focus)
  latest.current = focus
  useEffect(() => {
    const hasClosed = wasOpen.current && !isOpen
    wasOpen.current = isOpen
    if (!hasClosed) return
    // The dialog gives the focus back first, to a row that may be gone by now.
    const frames = [0, 0]
    frames[0] = requestAnimationFrame(() => {
      frames[1] = requestAnimationFrame(() => {
        if (document.activeElement === document.body) latest.current()
      })
    })
    return () => {
      for (const frame of frames) cancelAnimationFrame(frame)
    }
  }, [isOpen])
}
