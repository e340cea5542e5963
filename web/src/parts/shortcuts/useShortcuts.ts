import { useEffect, useRef } from "react"
import { addShortcuts, type Shortcut } from "./registry.ts"

/** Shortcuts for as long as the component is shown. The keys and labels are those of the first render; `run` is always the latest. */
export const useShortcuts = (shortcuts: ReadonlyArray<Shortcut>): void => {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  const signature = shortcuts.map(({ keys, label }) => `${keys}\n${label}`).join("\n\n")
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature stands for the shortcuts
  useEffect(
    () =>
      addShortcuts(
        latest.current.map(({ keys, label, group }) => ({
          keys,
          label,
          group,
          run: () => latest.current.find((shortcut) => shortcut.keys === keys)?.run()
        }))
      ),
    [signature]
  )
}
