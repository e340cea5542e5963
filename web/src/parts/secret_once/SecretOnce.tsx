import { type ReactNode, useState } from "react"
import { Button } from "../button/Button.tsx"
import { Dialog } from "../dialog/Dialog.tsx"
import { Note } from "../feedback/Note.tsx"
import { Checkbox } from "../fields/Checkbox.tsx"
import { TextField } from "../fields/TextField.tsx"
import { CopyButton } from "../text/CopyButton.tsx"
import styles from "./SecretOnce.module.css"

interface SecretOnceProps {
  readonly title: string
  /** What it is called, for example `API key`. */
  readonly name: string
  readonly secret: string
  /** What to do when it is lost, after "This is the only time … is shown." */
  readonly lost: string
  /** What was agreed about it, in one line. */
  readonly facts?: ReactNode
  /** How to use it. */
  readonly children?: ReactNode
  readonly onClose: () => void
}

/** Shows a secret for the only time; it closes once the reader says that it is stored. */
export const SecretOnce = ({ title, name, secret, lost, facts, children, onClose }: SecretOnceProps) => {
  const [stored, setStored] = useState(false)
  const words = name.startsWith("API") ? name.replace("API ", "") : name.toLowerCase()
  return (
    <Dialog
      title={title}
      isOpen
      isDismissable={false}
      onClose={onClose}
      wide
      actions={
        <>
          <Checkbox isSelected={stored} onChange={setStored}>
            I have stored this {words}
          </Checkbox>
          <span className="push">
            <Button look="primary" isDisabled={!stored} onPress={onClose}>
              Done
            </Button>
          </span>
        </>
      }
    >
      {facts === undefined ? null : <p className="soft">{facts}</p>}
      <Note tone="warn">
        <p>
          <strong>This is the only time the {words} is shown.</strong> {lost}
        </p>
      </Note>
      <div className={styles.secret}>
        <TextField label={name} mono isReadOnly value={secret} autoFocus />
        <CopyButton text={secret} label={`Copy the ${words}`} words="Copy" />
      </div>
      {children}
    </Dialog>
  )
}
