import { useRef } from "react"
import { Menu, MenuItem } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { Icon } from "../icon/Icon.tsx"
import styles from "../popover/entries.module.css"
import type { OpenPopover } from "../popover/PopoverTrigger.tsx"
import { KeyCap } from "../text/KeyCap.tsx"
import type { MenuEntry } from "./entry.ts"

interface MenuPopoverProps extends OpenPopover {
  readonly label: string
  readonly entries: ReadonlyArray<MenuEntry>
}

/** A menu as it is on the screen. */
export const MenuPopover = ({ triggerRef, autoFocus, onClose, label, entries }: MenuPopoverProps) => {
  const menu = useRef<HTMLDivElement>(null)
  return (
    <Popover
      isOpen
      onOpenChange={onClose}
      trigger="MenuTrigger"
      triggerRef={triggerRef}
      scrollRef={menu}
      placement="bottom start"
      aria-label={label}
    >
      <Menu ref={menu} className={styles.list} aria-label={label} autoFocus={autoFocus} onClose={onClose}>
        {entries.map(({ id, label: words, icon, keyCap, run, isDisabled }) => (
          <MenuItem key={id} id={id} textValue={words} className={styles.entry} onAction={run} isDisabled={isDisabled}>
            {icon === undefined ? null : <Icon name={icon} />}
            <span>{words}</span>
            {keyCap === undefined ? null : (
              <span className="push">
                <KeyCap>{keyCap}</KeyCap>
              </span>
            )}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  )
}
