import { IconButton } from "../button/Button.tsx"
import styles from "./chips.module.css"

interface ChipsProps {
  readonly chips: ReadonlyArray<{ readonly name: string; readonly label: string; readonly words: string }>
  readonly onRemove: (name: string) => void
}

/** What narrows a list; each can be taken away. */
export const Chips = ({ chips, onRemove }: ChipsProps) => (
  <ul className={styles.chips} aria-label="Filters">
    {chips.map(({ name, label, words }) => (
      <li key={name} className={styles.chip}>
        <span className="clip" title={words}>
          {label} <strong>{words}</strong>
        </span>
        <IconButton small icon="x" label={`Remove the filter ${label}`} onPress={() => onRemove(name)} />
      </li>
    ))}
  </ul>
)
