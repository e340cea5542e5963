import { useEffect, useState } from "react"
import styles from "./feedback.module.css"

const patience = 200

/** Stands for rows that are on their way; nothing is shown for what takes only a moment. */
export const Bones = ({ rows = 6, what }: { readonly rows?: number; readonly what: string }) => {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience)
    return () => clearTimeout(timer)
  }, [])
  if (!late) return null
  return (
    <div className={styles.bones} role="status">
      <span className="hidden-text">Loading {what}.</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <span key={row} className={styles.bone} aria-hidden="true" />
      ))}
    </div>
  )
}
