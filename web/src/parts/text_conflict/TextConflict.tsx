import type { TheirText } from "../../api/texts.ts"
import { Button } from "../button/Button.tsx"
import { EntryDiff } from "../entry_diff/EntryDiff.tsx"
import { Note } from "../feedback/Note.tsx"
import { Time } from "../text/Time.tsx"

interface TextConflictProps {
  readonly theirs: TheirText
  readonly mine: string
  /** The draft is to replace theirs. */
  readonly onKeepMine: () => void
  /** The draft is given up. */
  readonly onTakeTheirs: () => void
}

/** What someone else saved meanwhile beside the draft. Neither is lost: the reader decides. */
export const TextConflict = ({ theirs, mine, onKeepMine, onTakeTheirs }: TextConflictProps) => (
  <div className="stack" role="alert">
    <Note tone="warn">
      <p>
        <strong>
          {theirs.changed_by ?? "Someone"} changed the text{" "}
          {theirs.changed_at === null ? null : <Time at={theirs.changed_at} long />}.
        </strong>{" "}
        Your draft is kept, and nothing is saved yet.
      </p>
    </Note>
    <EntryDiff
      title="Theirs beside yours"
      fields={[{ name: "Text", before: theirs.text, after: mine }]}
      sides={["Theirs, saved", "Yours, a draft"]}
    />
    <div className="line wrap">
      <Button small onPress={onKeepMine}>
        Replace theirs with my draft when I save
      </Button>
      <Button small onPress={onTakeTheirs}>
        Take theirs and discard my draft
      </Button>
    </div>
  </div>
)
