import { lazy, type ReactNode } from "react"
import { PopoverTrigger } from "../popover/PopoverTrigger.tsx"
import type { MenuEntry } from "./entry.ts"

export const loadMenu = () => import("./MenuPopover.tsx")

const MenuPopover = lazy(() => loadMenu().then(({ MenuPopover }) => ({ default: MenuPopover })))

interface MenuProps {
  /** One button. */
  readonly trigger: ReactNode
  readonly label: string
  readonly entries: ReadonlyArray<MenuEntry>
}

/** A button that opens a menu. */
export const Menu = ({ trigger, label, entries }: MenuProps) => (
  <PopoverTrigger kind="menu" trigger={trigger} load={loadMenu}>
    {(popover) => <MenuPopover {...popover} label={label} entries={entries} />}
  </PopoverTrigger>
)
