import type { ReactNode } from "react"
import { Icon, type IconName } from "../icon/Icon.tsx"
import styles from "./Badge.module.css"

export type Tone = "p0" | "p1" | "p2" | "p3" | "good" | "review" | "info" | "plain"

interface BadgeProps {
  readonly icon: IconName
  readonly children: ReactNode
  readonly tone?: Tone
  /** With a ground of its own; without it stands in a line of text. */
  readonly pill?: boolean
  readonly turning?: boolean
}

/** A state: always an icon of its own shape, a word and a colour. */
export const Badge = ({ icon, children, tone = "plain", pill = false, turning = false }: BadgeProps) => (
  <span className={[styles.badge, tone === "plain" ? "" : styles[tone], pill ? styles.pill : ""].join(" ")}>
    <Icon name={icon} turning={turning} />
    <span>{children}</span>
  </span>
)

/** How a state is shown: each has an icon of its own shape, a word and a colour. */
export interface StateLook {
  readonly words: string
  readonly icon: IconName
  readonly tone: Tone
}

interface StateBadgeProps {
  readonly look: StateLook
  readonly pill?: boolean
  readonly turning?: boolean
}

/** A state as a badge. */
export const StateBadge = ({ look: { words, icon, tone }, ...rest }: StateBadgeProps) => (
  <Badge icon={icon} tone={tone} {...rest}>
    {words}
  </Badge>
)
