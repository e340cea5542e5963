import { Button } from "../../parts/button/Button.tsx"
import type { Selection } from "../../parts/list/useSelection.ts"
import { figure } from "../../parts/text/counted.ts"
import styles from "./BulkBar.module.css"
import type { Actions } from "./useActions.ts"

interface BulkBarProps {
  readonly actions: Actions
  readonly selection: Selection
  readonly loaded: ReadonlyArray<string>
  readonly total: number | undefined
}

/** What can be done to the ticked rows. */
export const BulkBar = ({ actions, selection, loaded, total }: BulkBarProps) => {
  const { count, mayTriage, mayFile, ask, acknowledge, targets, changed } = actions
  if (selection.refs.size === 0) return null
  const isClosed = targets.every(({ status }) => status === "closed")
  return (
    <section className={styles.bar} aria-label="Selection">
      <div className="line">
        <strong aria-live="polite" className="num">
          {changed === null ? `${figure(count)} selected` : `${figure(changed)} of ${figure(count)} changed`}
        </strong>
        {total === undefined || selection.isEvery ? null : (
          <Button small look="ghost" onPress={() => selection.selectEvery(loaded)}>
            Select all {figure(total)}
          </Button>
        )}
        <span className="push">
          <Button small look="ghost" keyCap="esc" onPress={selection.clear}>
            Clear
          </Button>
        </span>
      </div>
      {!mayTriage ? (
        <p className="muted">Your role does not permit triage. A member or an admin can do it.</p>
      ) : (
        <div className={styles.actions}>
          {isClosed ? (
            <Button keyCap="r" onPress={() => ask("reopen")}>
              Reopen…
            </Button>
          ) : (
            <>
              <Button keyCap="d" onPress={() => ask("dismiss")}>
                Dismiss…
              </Button>
              <Button keyCap="e" onPress={acknowledge}>
                Acknowledge
              </Button>
              <Button keyCap="c" onPress={() => ask("complete")}>
                Complete…
              </Button>
              {mayFile ? (
                <Button keyCap="i" onPress={() => ask("issues")}>
                  Create {count === 1 ? "issue" : "issues"}…
                </Button>
              ) : null}
            </>
          )}
        </div>
      )}
    </section>
  )
}
