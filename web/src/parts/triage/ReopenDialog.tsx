import { FormDialog } from "../dialog/Dialog.tsx"
import { TextField } from "../fields/TextField.tsx"
import { useDraft } from "../fields/useDraft.ts"
import { UndoHint } from "./UndoHint.tsx"
import { type TriageDialogProps, useTriageDialog } from "./useTriageDialog.ts"
import { actOn } from "./words.ts"

const longest = 2_000

/** Opens what was closed again, with a reason for its history. */
export const ReopenDialog = (dialog: TriageDialogProps) => {
  const reason = useDraft(`reopening ${dialog.title}`)
  const triage = useTriageDialog(dialog, reason.forget)
  return (
    <FormDialog
      title={`Reopen ${dialog.title}`}
      onClose={dialog.onClose}
      submit={actOn("Reopen", dialog.count)}
      isDisabled={!dialog.count || reason.text.trim() === ""}
      work={triage}
      onSubmit={() => triage.mutate({ action: "reopen", reopen_reason: reason.text.trim() })}
    >
      {dialog.about}
      <TextField
        label="Reason"
        rows={3}
        value={reason.text}
        onChange={reason.write}
        maxLength={longest}
        hint="It stands in the history of the observation."
        autoFocus
      />
      <UndoHint />
    </FormDialog>
  )
}
