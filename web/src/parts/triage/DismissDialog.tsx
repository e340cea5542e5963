import { type ReactNode, useState } from "react"
import type { Schema } from "../../api/client.ts"
import { FormDialog } from "../dialog/Dialog.tsx"
import { Note } from "../feedback/Note.tsx"
import { Choices } from "../fields/Choices.tsx"
import { TextField } from "../fields/TextField.tsx"
import { useDraft } from "../fields/useDraft.ts"
import { UndoHint } from "./UndoHint.tsx"
import type { TriageDialogProps } from "./useTriageDialog.ts"
import { useTriageDialog } from "./useTriageDialog.ts"
import { actOn } from "./words.ts"

type Category = Exclude<Schema<"DismissRequest">["dismissal_category"], "exhausted_fix_attempts">

const categories: ReadonlyArray<{ readonly value: Category; readonly label: string; readonly hint: string }> = [
  { value: "false_positive", label: "False positive", hint: "The evidence does not hold" },
  { value: "wont_fix", label: "Won’t fix", hint: "Real, and accepted as it is" },
  { value: "out_of_scope", label: "Out of scope", hint: "Not code this team answers for" },
  { value: "stale", label: "Stale", hint: "The code is about to change" },
  { value: "no_longer_found", label: "No longer found", hint: "It is gone, but still listed" },
  { value: "other", label: "Other", hint: "Say what in the note" }
]

const final: ReadonlySet<Category> = new Set(["false_positive", "wont_fix", "out_of_scope"])

const NextTime = ({ category }: { readonly category: Category }) => (
  <Note tone="info">
    {final.has(category) ? (
      <p>
        <strong>If an audit finds it again, it stays closed.</strong> The sighting is counted, and anyone can reopen it.
      </p>
    ) : (
      <p>
        <strong>If an audit finds it again, it reopens under the same number.</strong>
      </p>
    )}
  </Note>
)

const shortest = 10
const longest = 500

interface DismissDialogProps extends TriageDialogProps {
  /** What else may be dismissed with it. */
  readonly children?: ReactNode
}

/** Asks for the category first, then for a note, and says what will happen when it is found again. */
export const DismissDialog = ({ children, ...dialog }: DismissDialogProps) => {
  const [category, choose] = useState<Category | null>(null)
  const note = useDraft(`dismissal ${dialog.title}`)
  const triage = useTriageDialog(dialog, note.forget)
  const length = note.text.trim().length
  const isReady = Boolean(dialog.count) && category !== null && length >= shortest && length <= longest
  return (
    <FormDialog
      title={`Dismiss ${dialog.title}`}
      onClose={dialog.onClose}
      submit={actOn("Dismiss", dialog.count)}
      isDisabled={!isReady}
      work={triage}
      onSubmit={() => {
        if (category !== null)
          triage.mutate({ action: "dismiss", dismissal_category: category, dismissal_note: note.text.trim() })
      }}
    >
      {dialog.about}
      <Choices label="Why" choices={categories} value={category} onChange={choose} autoFocus columns={2} />
      <TextField
        label="Note"
        rows={3}
        value={note.text}
        onChange={note.write}
        maxLength={longest}
        hint={`${length} of ${longest}, at least ${shortest}`}
      />
      {children}
      {category === null ? null : <NextTime category={category} />}
      <UndoHint />
    </FormDialog>
  )
}
