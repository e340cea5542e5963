import { useEffect, useState } from "react"

/** The time, again every second for as long as something runs. */
export const useNow = (isRunning: boolean): Date => {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    if (!isRunning) return
    setNow(new Date())
    const timer = setInterval(() => setNow(new Date()), 1_000)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}
