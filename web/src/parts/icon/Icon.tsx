import styles from "./Icon.module.css"
import { type IconName, shapes } from "./shapes.tsx"

export type { IconName }

/** A small picture beside words. It is decoration, which assistive technology leaves out. */
export const Icon = ({ name, turning = false }: { readonly name: IconName; readonly turning?: boolean }) => (
  <svg
    viewBox="0 0 16 16"
    className={turning ? `${styles.icon} ${styles.turning}` : styles.icon}
    focusable="false"
    aria-hidden="true"
  >
    {shapes[name]}
  </svg>
)
