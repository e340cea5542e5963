import { allShortcuts } from "./registry.ts"

const sequenceMillis = 1_000

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, [role=listbox], [role=menu]") !==
      null)

const isBehindDialog = (target: EventTarget | null): boolean =>
  document.querySelector("[role=dialog], [role=alertdialog]:not([aria-modal=false])") !== null &&
  !(target instanceof HTMLElement && target.closest("[data-shortcuts]") !== null)

/** Enter on a button or a link does what that is for. */
const isPress = (stroke: string, target: EventTarget | null): boolean =>
  stroke === "enter" && target instanceof HTMLElement && target.closest("button, a, summary, input") !== null

/** The name of a key stroke, as shortcuts write it. */
export const strokeOf = (event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string => {
  const key =
    event.key.length === 1 ? event.key.toLowerCase() : event.key === "Escape" ? "esc" : event.key.toLowerCase()
  const isLetter = /^[a-z]$/.test(key)
  // Signs such as "?" need Shift on many keyboards: there it says nothing of its own.
  return [
    event.ctrlKey || event.metaKey ? "mod+" : "",
    event.altKey ? "alt+" : "",
    event.shiftKey && (isLetter || event.key.length > 1) ? "shift+" : "",
    key
  ].join("")
}

/** Listens for shortcuts until the function that is returned is called. Without `singleKeys` only those with Control or Command count. */
export const listen = ({ singleKeys }: { readonly singleKeys: boolean }): (() => void) => {
  let first: { readonly stroke: string; readonly at: number } | null = null

  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const stroke = strokeOf(event)
    const isChord = stroke.startsWith("mod+")
    if (isPress(stroke, event.target)) return
    if (!isChord && (!singleKeys || isField(event.target) || isBehindDialog(event.target))) return
    const sequence = first !== null && event.timeStamp - first.at < sequenceMillis ? `${first.stroke} ${stroke}` : null
    const found =
      allShortcuts().find(({ keys }) => keys === sequence) ?? allShortcuts().find(({ keys }) => keys === stroke)
    first = null
    if (found !== undefined) {
      event.preventDefault()
      found.run()
    } else if (allShortcuts().some(({ keys }) => keys.startsWith(`${stroke} `))) {
      first = { stroke, at: event.timeStamp }
    }
  }

  document.addEventListener("keydown", onKey)
  return () => document.removeEventListener("keydown", onKey)
}
