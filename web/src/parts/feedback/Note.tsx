import type { ReactNode } from "react"
import { Icon, type IconName } from "../icon/Icon.tsx"
import styles from "./feedback.module.css"

const icons: Readonly<Record<"bad" | "warn" | "info" | "good", IconName>> = {
  bad: "fail",
  warn: "warn",
  info: "info",
  good: "done"
}

/** Something to know about what stands beside it. */
export const Note = ({
  tone,
  children
}: {
  readonly tone: "bad" | "warn" | "info" | "good"
  readonly children: ReactNode
}) => (
  <div className={`${styles.note} ${styles[tone]}`}>
    <Icon name={icons[tone]} />
    <div className="stack">{children}</div>
  </div>
)
