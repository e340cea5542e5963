import { Icon } from "../icon/Icon.tsx"
import styles from "./Change.module.css"

/** What a score has gained or lost: a sign, a number and a colour; nothing where it is not known. */
export const Change = ({ points }: { readonly points: number | null }) => {
  if (points === null) return null
  if (points === 0) return <span className="muted">No change</span>
  return (
    <span className={`${styles.change} ${points > 0 ? styles.up : styles.down} num`}>
      <Icon name={points > 0 ? "up" : "down"} />
      <span className="hidden-text">{points > 0 ? "Up by" : "Down by"}</span> {Math.abs(points)}
    </span>
  )
}
