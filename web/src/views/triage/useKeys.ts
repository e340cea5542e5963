import type { Selection } from "../../parts/list/useSelection.ts"
import { useShortcuts } from "../../parts/shortcuts/useShortcuts.ts"
import type { Actions } from "./useActions.ts"

interface Context {
  readonly openRef: string | null
  readonly actions: Actions
  readonly selection: Selection
  readonly move: (step: number) => void
  readonly search: () => void
  readonly leave: () => void
}

/** The keys of the queue. */
export const useKeys = ({ openRef, actions, selection, move, search, leave }: Context): void => {
  const withOpen = (run: (ref: string) => void) => () => (openRef === null ? undefined : run(openRef))
  const group = "Triage"
  useShortcuts([
    { keys: "j", label: "Move down", group, run: () => move(1) },
    { keys: "k", label: "Move up", group, run: () => move(-1) },
    { keys: "x", label: "Select", group, run: withOpen(selection.toggle) },
    { keys: "shift+x", label: "Select up to here", group, run: withOpen(selection.extend) },
    { keys: "enter", label: "Open", group, run: withOpen(actions.openPage) },
    { keys: "esc", label: "Clear the selection, or go back", group, run: leave },
    { keys: "e", label: "Acknowledge", group, run: actions.acknowledge },
    { keys: "d", label: "Dismiss…", group, run: () => actions.ask("dismiss") },
    { keys: "c", label: "Complete…", group, run: () => actions.ask("complete") },
    { keys: "r", label: "Reopen…", group, run: () => actions.ask("reopen") },
    { keys: "f", label: "Request fix…", group, run: () => actions.ask("fix") },
    { keys: "t", label: "Create ticket", group, run: actions.publishTicket },
    { keys: "i", label: "Create issues…", group, run: () => actions.ask("issues") },
    { keys: "z", label: "Undo", group, run: () => actions.undoLast() },
    { keys: "/", label: "Search", group, run: search }
  ])
}
