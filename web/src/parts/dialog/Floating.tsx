import type { ReactNode } from "react"
import { Dialog as AriaDialog } from "react-aria-components/Dialog"
import { Heading } from "react-aria-components/Heading"
import { Modal, ModalOverlay } from "react-aria-components/Modal"
import styles from "./Dialog.module.css"

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** The buttons at the lower edge. */
  readonly actions?: ReactNode
  readonly wide?: boolean
  /** Without it, only its own buttons close it. */
  readonly isDismissable?: boolean
}

/** A dialog as it is on the screen. */
export const Floating = ({
  title,
  isOpen,
  onClose,
  children,
  actions,
  wide = false,
  isDismissable = true
}: DialogProps) => (
  <ModalOverlay
    className={styles.layer}
    isOpen={isOpen}
    isDismissable={isDismissable}
    isKeyboardDismissDisabled={!isDismissable}
    onOpenChange={(open) => {
      if (!open) onClose()
    }}
  >
    <Modal className={wide ? `${styles.modal} ${styles.wide}` : styles.modal}>
      <AriaDialog className={styles.dialog}>
        <header className={styles.head}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
        </header>
        <div className={styles.body}>{children}</div>
        {actions === undefined ? null : <footer className={styles.foot}>{actions}</footer>}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
)
