import { useEffect, useRef, useState } from "react"

/** Whether an element is at least that wide; follows it as it changes. */
export const useRoom = <Element extends HTMLElement>(width: number) => {
  const ref = useRef<Element>(null)
  const [wide, setWide] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => setWide((entry?.contentRect.width ?? 0) >= width))
    observer.observe(element)
    return () => observer.disconnect()
  }, [width])
  return { ref, wide }
}
