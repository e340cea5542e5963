import { capsOf } from "../../parts/shortcuts/keyNames.ts"
import { KeyCap } from "../../parts/text/KeyCap.tsx"
import styles from "./KeyStrip.module.css"

const keys = [
  ["j k", "move"],
  ["x", "select"],
  ["shift+x", "range"],
  ["enter", "open"],
  ["e", "acknowledge"],
  ["d", "dismiss"],
  ["f", "fix"],
  ["z", "undo"]
] as const

/** The keys used most, at the lower edge; all of them are under `?`. */
export const KeyStrip = () => (
  <footer className={styles.strip}>
    {keys.map(([stroke, words]) => (
      <span key={stroke} className={styles.key}>
        {capsOf(stroke).map((cap) => (
          <KeyCap key={cap}>{cap}</KeyCap>
        ))}
        <span className="hidden-text">{stroke}</span>
        {words}
      </span>
    ))}
    <span className={`${styles.key} push`}>
      <KeyCap>?</KeyCap>
      <span className="hidden-text">?</span>
      all keys
    </span>
  </footer>
)
