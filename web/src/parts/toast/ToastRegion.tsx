import { Text } from "react-aria-components/Text"
import {
  UNSTABLE_ToastRegion as Region,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent
} from "react-aria-components/Toast"
import { Button, IconButton } from "../button/Button.tsx"
import styles from "./Toasts.module.css"
import { toasts } from "./toasts.ts"

/** Messages as they are on the screen. */
export const ToastRegion = () => (
  <Region queue={toasts} className={styles.region}>
    {({ toast }) => (
      <Toast toast={toast} className={styles.toast}>
        <ToastContent className="line">
          <Text slot="title">{toast.content.text}</Text>
        </ToastContent>
        {toast.content.action === undefined ? null : (
          <Button
            small
            onPress={() => {
              toast.content.action?.run()
              toasts.close(toast.key)
            }}
          >
            {toast.content.action.label}
          </Button>
        )}
        <IconButton small icon="x" label="Close the message" slot="close" />
      </Toast>
    )}
  </Region>
)
