import { useState } from "react"
import { ApiError } from "../../api/client.ts"
import { type Issue, issueRequests, useIssueChange } from "../../api/issues.ts"
import { priorityWords } from "../../parts/badges/observation.tsx"
import { Button } from "../../parts/button/Button.tsx"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"

const priorities = Object.keys(priorityWords) as ReadonlyArray<Issue["priority"]>

const conflictOf = (error: Error | null) => error instanceof ApiError && error.code === "version_conflict"

/** Changes the fields of an issue. When someone else was faster, their version stands beside the draft, which is kept. */
export const Edit = ({ issue, onClose }: { readonly issue: Issue; readonly onClose: () => void }) => {
  const [base, setBase] = useState(issue)
  const [title, setTitle] = useState(issue.title)
  const [body, setBody] = useState(issue.body_md)
  const [priority, setPriority] = useState(issue.priority)
  const [labels, setLabels] = useState(issue.labels.join(", "))
  const update = useIssueChange(issue.ref, issueRequests(issue.ref).update)
  const isConflict = conflictOf(update.error)
  const submit = () =>
    update.mutate(
      {
        etag: base.etag,
        body: {
          title,
          body_md: body,
          priority,
          labels: labels
            .split(",")
            .map((label) => label.trim())
            .filter((label) => label !== "")
        }
      },
      { onSuccess: onClose }
    )
  return (
    <FormDialog
      title={`Edit ${issue.ref}`}
      submit="Save the issue"
      onClose={onClose}
      onSubmit={submit}
      isDisabled={title.trim() === "" || (isConflict && base.version !== issue.version)}
      work={{ isPending: update.isPending, error: isConflict ? null : update.error }}
      wide
    >
      {isConflict ? (
        <Note tone="warn">
          <p>Someone changed the issue meanwhile. Your draft is kept below; this is what is stored now:</p>
          <p>
            <strong>{issue.title}</strong>
          </p>
          <p>{issue.body_md}</p>
          <p>
            <Button
              small
              onPress={() => {
                setBase(issue)
                update.reset()
              }}
            >
              Go on with my draft
            </Button>
          </p>
        </Note>
      ) : null}
      <TextField label="Title" value={title} onChange={setTitle} maxLength={200} isRequired autoFocus />
      <TextField label="Text, in Markdown" value={body} onChange={setBody} rows={8} />
      <Select
        label="Priority"
        value={priority}
        onChange={setPriority}
        options={priorities.map((value) => ({ value, label: `${value} ${priorityWords[value]}` }))}
      />
      <TextField label="Labels" hint="Separated by commas." value={labels} onChange={setLabels} />
    </FormDialog>
  )
}
