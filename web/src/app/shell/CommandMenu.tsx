import { useQuery } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { useState } from "react"
import { Autocomplete } from "react-aria-components/Autocomplete"
import { Menu, MenuItem } from "react-aria-components/Menu"
import { repositoriesQuery } from "../../api/repositories.ts"
import { Dialog } from "../../parts/dialog/Dialog.tsx"
import { SearchField } from "../../parts/fields/SearchField.tsx"
import { Icon } from "../../parts/icon/Icon.tsx"
import { capsOf } from "../../parts/shortcuts/keyNames.ts"
import { allShortcuts } from "../../parts/shortcuts/registry.ts"
import { KeyCap } from "../../parts/text/KeyCap.tsx"
import styles from "./CommandMenu.module.css"
import { type Command, commandsFor } from "./commands.ts"

/** Everything that can be gone to or done from here, by typing; keys are those of the open view. */
export const CommandMenu = ({ onClose }: { readonly onClose: () => void }) => {
  const router = useRouter()
  const [words, setWords] = useState("")
  // The view's actions, as they are when the menu opens: its own keys are none of them.
  const [shortcuts] = useState(allShortcuts)
  const { data: repositories = [] } = useQuery(repositoriesQuery)
  const commands = commandsFor(words, { shortcuts, repositories })
  const choose = ({ href, run }: Command) => {
    onClose()
    // The view has its focus back before it acts.
    if (run !== undefined) requestAnimationFrame(() => requestAnimationFrame(run))
    if (href !== undefined) router.navigate({ href })
  }
  return (
    <Dialog title="Commands" isOpen onClose={onClose} wide>
      <Autocomplete inputValue={words} onInputChange={setWords}>
        <SearchField
          label="Search commands"
          placeholder="Go to a view, OBS-12, a repository, or search for words"
          autoFocus
        />
        <Menu className={styles.menu} aria-label="Commands" items={commands}>
          {(command) => (
            <MenuItem
              id={command.id}
              textValue={command.label}
              className={styles.entry}
              onAction={() => choose(command)}
            >
              <Icon name={command.icon} />
              <span className="clip">{command.label}</span>
              {command.keys === undefined ? null : (
                <span className="line push">
                  {capsOf(command.keys).map((cap) => (
                    <KeyCap key={cap}>{cap}</KeyCap>
                  ))}
                </span>
              )}
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
    </Dialog>
  )
}
