import { type Address, type EntrySummary, useRestoreEntry } from "../../api/context.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { say } from "../../parts/toast/toasts.ts"
import styles from "./Context.module.css"
import { EntryKind, EntryState } from "./kinds.tsx"
import { useContextAddress, useWriteProblem } from "./useContextView.ts"

/** A disabled entry with its reason, and the way to restore it. */
export const DisabledPane = ({
  address,
  entry
}: {
  readonly address: Address
  readonly entry: EntrySummary | undefined
}) => {
  const { go } = useContextAddress()
  const problem = useWriteProblem()
  const restore = useRestoreEntry(address)
  if (entry === undefined || entry.disabled_at === null)
    return <p className="soft">This entry is no longer disabled.</p>
  return (
    <article className={styles.entry} aria-label={entry.title}>
      <div className="line wrap">
        <EntryState entry={entry} />
        <EntryKind kind={entry.kind} />
      </div>
      <h2>{entry.title}</h2>
      <p className="soft">
        <code>{entry.key}</code> · version {entry.version}
      </p>
      <Note tone="info">
        <p>
          Disabled <Time at={entry.disabled_at} long />: {entry.disabled_reason}
        </p>
      </Note>
      <p className="prose">{entry.summary}</p>
      <div className="line wrap">
        <Button
          look="primary"
          isDisabled={problem !== null}
          isPending={restore.isPending}
          onPress={() =>
            restore.mutate(entry.key, {
              onSuccess: () => {
                say({ text: `${entry.title} is restored.` })
                go({ status: undefined, entry: entry.key }, true)
              }
            })
          }
        >
          Restore entry
        </Button>
      </div>
      {problem === null ? null : <p className="muted">{problem}</p>}
      {restore.error === null ? null : <Problem error={restore.error} />}
    </article>
  )
}
