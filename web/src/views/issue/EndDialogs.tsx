import { useState } from "react"
import type { Schema } from "../../api/client.ts"
import { type Issue, issueRequests, useIssueChange } from "../../api/issues.ts"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Choices } from "../../parts/fields/Choices.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { say } from "../../parts/toast/toasts.ts"

type Reason = Schema<"CloseIssueRequest">["reason"]

interface DialogProps {
  readonly issue: Issue
  readonly onClose: () => void
}

const reasons: ReadonlyArray<{ readonly value: Reason; readonly label: string; readonly hint: string }> = [
  { value: "completed", label: "Completed", hint: "What it asked for is done." },
  { value: "cancelled", label: "Cancelled", hint: "It will not be done." },
  { value: "duplicate", label: "Duplicate", hint: "Another issue asks for the same; this one points to it." }
]

export const CloseDialog = ({ issue, onClose }: DialogProps) => {
  const [reason, setReason] = useState<Reason>("completed")
  const [duplicateOf, setDuplicateOf] = useState("")
  const [note, setNote] = useState("")
  const close = useIssueChange(issue.ref, issueRequests(issue.ref).close)
  const submit = () =>
    close.mutate(
      {
        reason,
        ...(reason === "duplicate" ? { duplicate_of: duplicateOf.trim() } : {}),
        ...(note === "" ? {} : { note })
      },
      {
        onSuccess: (closed) => {
          const { unblocked } = closed as Schema<"ClosedIssue">
          if (unblocked.length > 0) say({ text: `No longer blocked: ${unblocked.join(", ")}.` })
          onClose()
        }
      }
    )
  return (
    <FormDialog
      title={`Close ${issue.ref}`}
      submit="Close the issue"
      onClose={onClose}
      onSubmit={submit}
      work={close}
      isDisabled={reason === "duplicate" && duplicateOf.trim() === ""}
    >
      <Choices label="Reason" choices={reasons} value={reason} onChange={setReason} autoFocus />
      {reason === "duplicate" ? (
        <TextField
          label="The other issue"
          placeholder="ISS-12"
          value={duplicateOf}
          onChange={setDuplicateOf}
          isRequired
        />
      ) : null}
      <TextField label="Note" value={note} onChange={setNote} rows={3} />
      <p className="muted">What it blocks becomes free. It can be reopened.</p>
    </FormDialog>
  )
}

export const ReopenDialog = ({ issue, onClose }: DialogProps) => {
  const [reason, setReason] = useState("")
  const reopen = useIssueChange(issue.ref, issueRequests(issue.ref).reopen)
  return (
    <FormDialog
      title={`Reopen ${issue.ref}`}
      submit="Reopen the issue"
      onClose={onClose}
      onSubmit={() => reopen.mutate(reason, { onSuccess: onClose })}
      work={reopen}
      isDisabled={reason.trim() === ""}
    >
      <TextField label="Reason" value={reason} onChange={setReason} rows={3} isRequired autoFocus />
    </FormDialog>
  )
}
