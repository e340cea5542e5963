import { useState } from "react"
import { FormDialog } from "../dialog/Dialog.tsx"
import { TextField } from "../fields/TextField.tsx"
import { useDraft } from "../fields/useDraft.ts"
import { UndoHint } from "./UndoHint.tsx"
import { type TriageDialogProps, useTriageDialog } from "./useTriageDialog.ts"
import { actOn } from "./words.ts"

const longest = 2_000

/** Completes what was resolved without a fix of the service. */
export const CompleteDialog = (dialog: TriageDialogProps) => {
  const note = useDraft(`completion ${dialog.title}`)
  const [url, setUrl] = useState("")
  const triage = useTriageDialog(dialog, note.forget)
  return (
    <FormDialog
      title={`Complete ${dialog.title}`}
      onClose={dialog.onClose}
      submit={actOn("Complete", dialog.count)}
      isDisabled={!dialog.count}
      work={triage}
      onSubmit={() => triage.mutate({ action: "complete", note: note.text.trim() || null, url: url.trim() || null })}
    >
      {dialog.about}
      <TextField
        label="What was done (optional)"
        rows={3}
        value={note.text}
        onChange={note.write}
        maxLength={longest}
        autoFocus
      />
      <TextField
        label="Link to the proof (optional)"
        value={url}
        onChange={setUrl}
        maxLength={longest}
        placeholder="https://"
        mono
      />
      <p className="soft">If an audit finds it again, it reopens under the same number.</p>
      <UndoHint />
    </FormDialog>
  )
}
