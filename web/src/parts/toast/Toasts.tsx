import { lazy, Suspense, useState, useSyncExternalStore } from "react"
import { toasts } from "./toasts.ts"

export const loadToasts = () => import("./ToastRegion.tsx")

// No view is opened with a message: its parts are loaded with the first one.
const ToastRegion = lazy(() => loadToasts().then(({ ToastRegion }) => ({ default: ToastRegion })))

const subscribe = (listener: () => void) => toasts.subscribe(listener)
const hasToasts = () => toasts.visibleToasts.length > 0

/** Messages about what happened out of sight, with at most one way on, for example to undo it. */
export const Toasts = () => {
  const isShown = useSyncExternalStore(subscribe, hasToasts)
  const [wasShown, setWasShown] = useState(isShown)
  if (isShown && !wasShown) setWasShown(true)
  return wasShown ? (
    <Suspense>
      <ToastRegion />
    </Suspense>
  ) : null
}
