import { useState } from "react"
import { type Address, type EntrySummary, useDisableEntry } from "../../api/context.ts"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { say } from "../../parts/toast/toasts.ts"

const maxReason = 2000

export const DisableEntry = ({
  address,
  entry,
  onClose,
  onDisabled
}: {
  readonly address: Address
  readonly entry: EntrySummary
  readonly onClose: () => void
  readonly onDisabled: () => void
}) => {
  const [reason, setReason] = useState("")
  const disable = useDisableEntry(address, entry.key)
  return (
    <FormDialog
      title={`Disable ${entry.key}?`}
      onClose={onClose}
      submit="Disable entry"
      isDanger
      work={disable}
      isDisabled={reason.trim() === ""}
      onSubmit={() =>
        disable.mutate(
          { etag: entry.etag, reason: reason.trim() },
          {
            onSuccess: () => {
              say({ text: `${entry.title} is disabled. Disabled entries can be restored.` })
              onDisabled()
            }
          }
        )
      }
    >
      <p>
        Agents no longer read it, and its key is free for another entry.{" "}
        {entry.replaces.length === 0 ? "" : "The entry of the level above applies again. "}
        It stays in the history and can be restored.
      </p>
      <TextField
        label="Reason"
        rows={3}
        maxLength={maxReason}
        hint="Agents and people read it in the history."
        value={reason}
        onChange={setReason}
        autoFocus
      />
    </FormDialog>
  )
}
