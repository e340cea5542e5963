import { useQueryClient } from "@tanstack/react-query"
import { Outlet, useNavigate } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { useSession } from "../../api/session.ts"
import { IconButton } from "../../parts/button/Button.tsx"
import { Dialog } from "../../parts/dialog/Dialog.tsx"
import { loadMenu } from "../../parts/menu/Menu.tsx"
import { listen } from "../../parts/shortcuts/listener.ts"
import { ShortcutHelp } from "../../parts/shortcuts/ShortcutHelp.tsx"
import { useShortcuts } from "../../parts/shortcuts/useShortcuts.ts"
import { loadToasts } from "../../parts/toast/Toasts.tsx"
import { whenQuiet } from "../whenQuiet.ts"
import { Account } from "./Account.tsx"
import { Bell, loadNotices } from "./Bell.tsx"
import { CommandButton, useCommandMenu } from "./Command.tsx"
import { Navigation } from "./Navigation.tsx"
import { places } from "./places.ts"
import styles from "./Shell.module.css"
import { Workspace } from "./Workspace.tsx"

const usePlaceShortcuts = (openHelp: () => void) => {
  const navigate = useNavigate()
  useShortcuts([
    { keys: "?", label: "Show all keys", group: "Everywhere", run: openHelp },
    ...places
      .flatMap(({ places: inGroup }) => inGroup)
      .flatMap(({ key, label, to }) =>
        key === undefined
          ? []
          : [{ keys: `g ${key}`, label: `Go to ${label}`, group: "Go to", run: () => navigate({ to }) }]
      )
  ])
}

/** What the first presses open, loaded after the view is drawn. */
const onFirstPress = [loadMenu, loadNotices, loadToasts]

/** The frame of the app: the ways to the views, the workspace, the person; the open view beside them. */
export const Shell = () => {
  const { user } = useSession()
  const [help, setHelp] = useState(false)
  const [menu, setMenu] = useState(false)
  usePlaceShortcuts(() => setHelp(true))
  const commands = useCommandMenu()
  const queryClient = useQueryClient()
  useEffect(() => whenQuiet(queryClient, onFirstPress), [queryClient])
  useEffect(() => listen({ singleKeys: user.single_keys }), [user.single_keys])
  return (
    <div className={styles.shell} data-single-keys={user.single_keys ? "on" : "off"}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <nav className={`${styles.nav} ${styles.sidebar}`} aria-label="Main">
        <div className={styles.head}>
          <Workspace />
          <Bell />
        </div>
        <CommandButton onPress={commands.open} />
        <Navigation />
        <Account />
      </nav>
      <header className={styles.top}>
        <IconButton icon="menu" label="Menu" onPress={() => setMenu(true)} />
        <Workspace />
        <CommandButton onPress={commands.open} isSmall />
        <Bell />
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Dialog title="Menu" isOpen={menu} onClose={() => setMenu(false)}>
        <nav className={styles.nav} aria-label="Main">
          <Navigation onFollow={() => setMenu(false)} />
          <Account />
        </nav>
      </Dialog>
      {commands.menu}
      <ShortcutHelp isOpen={help} onClose={() => setHelp(false)} />
    </div>
  )
}
