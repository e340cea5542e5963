import { UNSTABLE_ToastQueue as ToastQueue } from "react-aria-components/Toast"

export interface ToastMessage {
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

export const toasts = new ToastQueue<ToastMessage>({ maxVisibleToasts: 3 })

const shownFor = 10_000

/** Shows a message; one with an action stays until it is closed. Returns its key, by which `toasts` closes it. */
export const say = (message: ToastMessage): string =>
  toasts.add(message, message.action === undefined ? { timeout: shownFor } : {})
