import { useEffect, useRef, useState } from "react"

const atMostEvery = 5_000

/** Says to assistive technology what has changed, politely and at most once in 5 seconds; the latest text wins. */
export const LiveRegion = ({ text }: { readonly text: string }) => {
  const [shown, setShown] = useState("")
  const shownAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const wait = Math.max(0, shownAt.current + atMostEvery - performance.now())
    const timer = setTimeout(() => {
      shownAt.current = performance.now()
      setShown(text)
    }, wait)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div role="status" className="hidden-text">
      {shown}
    </div>
  )
}
