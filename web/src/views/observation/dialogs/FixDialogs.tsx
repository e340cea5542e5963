import { FormDialog } from "../../../parts/dialog/Dialog.tsx"
import { Note } from "../../../parts/feedback/Note.tsx"
import { TextField } from "../../../parts/fields/TextField.tsx"
import { useDraft } from "../../../parts/fields/useDraft.ts"
import { figure } from "../../../parts/text/counted.ts"
import { useFix, useFixPrice } from "../actions/useFix.ts"

interface FixDialogProps {
  readonly fix: { readonly ref: string; readonly repo_name: string; readonly pr: string }
  readonly onClose: () => void
}

const maxInstructions = 4_000

/** Sends a fix back with what is to change; the price stands before the button. */
export const ReviseDialog = ({ fix: { ref, repo_name, pr }, onClose }: FixDialogProps) => {
  const { text: instructions, write, forget } = useDraft(`revise ${ref}`)
  const price = useFixPrice(repo_name, true)
  const { revise } = useFix(ref)
  const text = instructions.trim()
  return (
    <FormDialog
      title={`Revise the fix of ${ref}`}
      onClose={onClose}
      onSubmit={() =>
        revise.mutate(text, {
          onSuccess: () => {
            forget()
            onClose()
          }
        })
      }
      submit={price === null ? "Request revision" : `Request revision for ${price.about}`}
      isDisabled={text === ""}
      work={revise}
    >
      <TextField
        label="What to change"
        rows={5}
        value={instructions}
        onChange={write}
        maxLength={maxInstructions}
        hint={`${text.length} of ${figure(maxInstructions)}`}
        autoFocus
      />
      <p className="muted">The revision is pushed to the branch of {pr}. A pull request can be sent back five times.</p>
    </FormDialog>
  )
}

/** Closes the pull request unmerged. */
export const WithdrawDialog = ({ fix: { ref, pr }, onClose }: FixDialogProps) => {
  const { withdraw } = useFix(ref)
  return (
    <FormDialog
      title={`Withdraw the fix of ${ref}`}
      onClose={onClose}
      onSubmit={() => withdraw.mutate(null, { onSuccess: onClose })}
      submit={`Close ${pr} unmerged`}
      isDanger
      work={withdraw}
    >
      <Note tone="warn">
        <p>
          <strong>{pr} is closed without being merged.</strong> A revision under way is cancelled. {ref} stays open, and
          it counts as no attempt: a fix can be requested again.
        </p>
      </Note>
    </FormDialog>
  )
}
