import { useSyncExternalStore } from "react"

/** From here on there is room for a list and what is open in it. */
const paned = window.matchMedia("(min-width: 62.5rem)")
const narrow = window.matchMedia("(max-width: 767px)")

const subscribe = (listener: () => void) => {
  for (const query of [paned, narrow]) query.addEventListener("change", listener)
  return () => {
    for (const query of [paned, narrow]) query.removeEventListener("change", listener)
  }
}

export const useWide = () => ({
  isPaned: useSyncExternalStore(subscribe, () => paned.matches),
  isNarrow: useSyncExternalStore(subscribe, () => narrow.matches)
})
