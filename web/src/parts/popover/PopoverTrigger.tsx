import { type ReactNode, type RefObject, Suspense, useRef, useState } from "react"
import { ButtonContext } from "react-aria-components/Button"

/** Where the focus goes in what is opened: to its first or last entry, or to itself. */
type AutoFocus = "first" | "last" | true

export interface OpenPopover {
  readonly triggerRef: RefObject<HTMLButtonElement | null>
  readonly autoFocus: AutoFocus
  readonly onClose: () => void
}

interface PopoverTriggerProps {
  /** Holds one button of React Aria, which opens the popover. */
  readonly trigger: ReactNode
  readonly kind: "menu" | "dialog"
  /** Loads the popover: it is asked for as soon as the button is pointed at or has the focus. */
  readonly load: () => Promise<unknown>
  /** The popover, loaded by `lazy`. */
  readonly children: (popover: OpenPopover) => ReactNode
}

const autoFocusOfArrow: Readonly<Record<string, AutoFocus>> = { ArrowDown: "first", ArrowUp: "last" }

/**
 * A button and the popover that it opens. React Aria's own triggers bring overlays and collections along, a seventh of
 * the first script, before anything is opened; this one loads them when they are about to be.
 */
export const PopoverTrigger = ({ trigger, kind, load, children }: PopoverTriggerProps) => {
  const triggerRef = useRef<HTMLButtonElement>(null)
  const [autoFocus, setAutoFocus] = useState<AutoFocus | null>(null)
  const isOpen = autoFocus !== null
  const onClose = () => setAutoFocus(null)
  const prefetch = () => {
    // A failure is shown by the press that needs the popover.
    load().catch(() => undefined)
  }
  const button = {
    ref: triggerRef,
    "aria-haspopup": kind,
    "aria-expanded": isOpen,
    isPressed: isOpen,
    onHoverStart: prefetch,
    onFocus: prefetch,
    onPress: ({ pointerType }: { readonly pointerType: string }) =>
      setAutoFocus(isOpen ? null : pointerType === "keyboard" || pointerType === "virtual" ? "first" : true),
    onKeyDown: (event: { readonly key: string; readonly continuePropagation: () => void }) => {
      const reached = kind === "menu" ? autoFocusOfArrow[event.key] : undefined
      if (reached === undefined) event.continuePropagation()
      else setAutoFocus(reached)
    }
  }
  return (
    <>
      <ButtonContext.Provider value={button}>{trigger}</ButtonContext.Provider>
      {isOpen ? <Suspense>{children({ triggerRef, autoFocus, onClose })}</Suspense> : null}
    </>
  )
}
