import styles from "./text.module.css"

/** A key of the keyboard; hidden where there is none, and when single keys are switched off. */
export const KeyCap = ({ children }: { readonly children: string }) => (
  <span className={styles.key} aria-hidden="true">
    {children}
  </span>
)
