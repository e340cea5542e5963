import { lazy, Suspense, useState } from "react"
import { Button } from "react-aria-components/Button"
import { IconButton } from "../../parts/button/Button.tsx"
import { Icon } from "../../parts/icon/Icon.tsx"
import { capsOf } from "../../parts/shortcuts/keyNames.ts"
import { useShortcuts } from "../../parts/shortcuts/useShortcuts.ts"
import { KeyCap } from "../../parts/text/KeyCap.tsx"
import styles from "./Shell.module.css"

const CommandMenu = lazy(() => import("./CommandMenu.tsx").then((module) => ({ default: module.CommandMenu })))

/** The menu of everything, loaded when it is opened for the first time. */
export const useCommandMenu = () => {
  const [isOpen, setOpen] = useState(false)
  useShortcuts([
    { keys: "mod+k", label: "Open the command menu", group: "Everywhere", run: () => setOpen((before) => !before) }
  ])
  return {
    open: () => setOpen(true),
    menu: isOpen ? (
      <Suspense>
        <CommandMenu onClose={() => setOpen(false)} />
      </Suspense>
    ) : null
  }
}

/** The way into the command menu. */
export const CommandButton = ({
  onPress,
  isSmall = false
}: {
  readonly onPress: () => void
  readonly isSmall?: boolean
}) =>
  isSmall ? (
    <IconButton icon="search" label="Search" onPress={onPress} />
  ) : (
    <Button className={styles.command} onPress={onPress}>
      <Icon name="search" />
      Search
      <span className="line push">
        {capsOf("mod+k").map((cap) => (
          <KeyCap key={cap}>{cap.toUpperCase() === "K" ? "K" : cap}</KeyCap>
        ))}
      </span>
    </Button>
  )
