import { useSyncExternalStore } from "react"
import { Dialog } from "../dialog/Dialog.tsx"
import { KeyCap } from "../text/KeyCap.tsx"
import { capsOf } from "./keyNames.ts"
import { allShortcuts, onShortcutsChanged } from "./registry.ts"
import styles from "./ShortcutHelp.module.css"

/** All keys that work in the open view, by group. */
export const ShortcutHelp = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => {
  const shortcuts = useSyncExternalStore(onShortcutsChanged, allShortcuts)
  const groups = [...new Set(shortcuts.map(({ group }) => group))]
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose} wide>
      <div className={styles.groups}>
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl className={styles.keys}>
              {shortcuts
                .filter((shortcut) => shortcut.group === group)
                .map(({ keys, label }) => (
                  <div key={keys}>
                    <dt>
                      <span className="hidden-text">{keys}</span>
                      {capsOf(keys).map((cap) => (
                        <KeyCap key={cap}>{cap}</KeyCap>
                      ))}
                    </dt>
                    <dd>{label}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="muted">Single keys can be switched off in Settings, under Profile.</p>
    </Dialog>
  )
}
