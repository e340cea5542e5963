import { type FormEvent, lazy, Suspense, useState } from "react"
import { Form } from "react-aria-components/Form"
import { Button } from "../button/Button.tsx"
import { Problem } from "../feedback/Problem.tsx"
import type { DialogProps } from "./Floating.tsx"

// No view is opened with a dialog: its parts are loaded with the first one.
const Floating = lazy(() => import("./Floating.tsx").then(({ Floating }) => ({ default: Floating })))

/** What floats above a view; takes the focus to its first field and gives it back. On narrow screens a sheet. */
export const Dialog = (props: DialogProps) => {
  const [wasOpen, setWasOpen] = useState(props.isOpen)
  if (props.isOpen && !wasOpen) setWasOpen(true)
  return wasOpen ? (
    <Suspense>
      <Floating {...props} />
    </Suspense>
  ) : null
}

interface FormDialogProps extends Omit<DialogProps, "actions" | "isOpen"> {
  /** Left out where the dialog is shown only while it is open. */
  readonly isOpen?: boolean
  /** A verb and its object, for example `Dismiss 5 observations`. */
  readonly submit: string
  readonly onSubmit: () => void
  /** What submitting does, most often a mutation: while it is pending nothing is sent twice, and its error is shown. */
  readonly work: { readonly isPending: boolean; readonly error: Error | null }
  readonly isDisabled?: boolean
  readonly isDanger?: boolean
}

/** A dialog that asks for something and does one thing with it; its error stays in it, and so does what was typed. */
export const FormDialog = ({
  submit,
  onSubmit,
  work: { isPending, error },
  isOpen = true,
  isDisabled = false,
  isDanger = false,
  children,
  ...rest
}: FormDialogProps) => (
  <Dialog {...rest} isOpen={isOpen}>
    <Form
      className="stack"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (!isPending && !isDisabled) onSubmit()
      }}
    >
      {children}
      {error === null ? null : <Problem error={error} />}
      <div className="line push wrap">
        <Button onPress={rest.onClose}>Cancel</Button>
        <Button type="submit" look={isDanger ? "danger" : "primary"} isPending={isPending} isDisabled={isDisabled}>
          {submit}
        </Button>
      </div>
    </Form>
  </Dialog>
)
