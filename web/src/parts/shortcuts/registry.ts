export interface Shortcut {
  /** One key, or a sequence with spaces: `j`, `shift+x`, `g t`, `mod+k` (Control, or Command on a Mac). */
  readonly keys: string
  /** What it does, as the help lists it. */
  readonly label: string
  /** The part of the app it belongs to, as the help groups it. */
  readonly group: string
  readonly run: () => void
}

const layers = new Set<ReadonlyArray<Shortcut>>()
const listeners = new Set<() => void>()
let all: ReadonlyArray<Shortcut> = []

const changed = () => {
  // What was added last comes first: an open view overrides the frame around it.
  all = [...layers].reverse().flat()
  for (const listener of listeners) listener()
}

/** Adds shortcuts; the function that is returned takes them away. */
export const addShortcuts = (shortcuts: ReadonlyArray<Shortcut>): (() => void) => {
  layers.add(shortcuts)
  changed()
  return () => {
    layers.delete(shortcuts)
    changed()
  }
}

export const allShortcuts = (): ReadonlyArray<Shortcut> => all

export const onShortcutsChanged = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
