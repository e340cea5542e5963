import { useState } from "react"
import { ApiError } from "../../api/client.ts"
import { type Address, useCreateEntry } from "../../api/context.ts"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { saveDraft, savedDraft } from "./drafts.ts"
import { EntryFields } from "./EntryFields.tsx"
import { saySaved } from "./saved.ts"
import { bodyOf, noValues, type Values } from "./values.ts"

/** Writes an entry at the open level; what a person writes is live at once. */
export const NewEntry = ({
  address,
  onClose,
  onCreated
}: {
  readonly address: Address
  readonly onClose: () => void
  readonly onCreated: (key: string) => void
}) => {
  const empty: Values = { ...noValues, scope: address === null ? "subtree" : "project" }
  const [draft, setDraft] = useState(
    () => savedDraft(address, null) ?? { etag: null, key: "", base: empty, mine: empty }
  )
  const create = useCreateEntry(address)
  const change = (next: Partial<typeof draft>) => {
    const changed = { ...draft, ...next }
    setDraft(changed)
    saveDraft(address, null, changed)
  }
  const { key, mine } = draft
  return (
    <FormDialog
      title="New context entry"
      wide
      onClose={onClose}
      submit="Create entry"
      work={create}
      isDisabled={key.trim() === "" || mine.title.trim() === "" || mine.summary.trim() === ""}
      onSubmit={() =>
        create.mutate(bodyOf(key.trim(), mine), {
          onSuccess: (written) => {
            saveDraft(address, null, null)
            saySaved(`${mine.title} is live.`, written)
            onCreated(key.trim())
          }
        })
      }
    >
      <p className="soft">It is live for people and agents as soon as it is created.</p>
      <EntryFields
        values={mine}
        onChange={(values) => change({ mine: values })}
        problems={create.error instanceof ApiError ? create.error.fields : {}}
        isWorkspace={address === null}
        isTitleFirst={false}
      >
        <TextField
          label="Key"
          mono
          autoFocus
          maxLength={200}
          placeholder="decision/idempotency-keys"
          hint="Unique at this level; a nearer level overrides the same key above."
          value={key}
          onChange={(next) => change({ key: next })}
        />
      </EntryFields>
    </FormDialog>
  )
}
