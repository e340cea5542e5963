import type { ReactNode } from "react"
import { Icon, type IconName } from "../icon/Icon.tsx"
import styles from "./feedback.module.css"

interface EmptyProps {
  readonly icon: IconName
  /** Why there is nothing, in one sentence. */
  readonly why: string
  /** What comes next, in one sentence. */
  readonly next: ReactNode
  /** At most one button. */
  readonly action?: ReactNode
}

export const Empty = ({ icon, why, next, action }: EmptyProps) => (
  <div className={styles.empty}>
    <Icon name={icon} />
    <p>
      <strong>{why}</strong>
    </p>
    <p>{next}</p>
    {action}
  </div>
)
