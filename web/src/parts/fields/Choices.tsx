import type { ReactNode } from "react"
import { Label } from "react-aria-components/Label"
import { Radio, RadioGroup } from "react-aria-components/RadioGroup"
import styles from "./fields.module.css"

interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly hint?: ReactNode
}

interface ChoicesProps<Value extends string> {
  readonly label: string
  readonly choices: ReadonlyArray<Choice<Value>>
  readonly value: Value | null
  readonly onChange: (value: Value) => void
  readonly autoFocus?: boolean
  /** Beside each other, where there is room. */
  readonly columns?: 1 | 2
}

/** One of a few values that need a word of explanation each. */
export const Choices = <Value extends string>({
  label,
  choices,
  value,
  onChange,
  autoFocus = false,
  columns = 1
}: ChoicesProps<Value>) => (
  <RadioGroup
    className={styles.field}
    value={value}
    onChange={(chosen) => {
      const choice = choices.find((one) => one.value === chosen)
      if (choice !== undefined) onChange(choice.value)
    }}
  >
    <Label className={styles.label}>{label}</Label>
    <div className={columns === 2 ? `${styles.choices} ${styles.paired}` : styles.choices}>
      {choices.map((choice, index) => (
        <Radio
          key={choice.value}
          value={choice.value}
          autoFocus={autoFocus && index === 0}
          className={`${styles.tick} ${styles.choice}`}
        >
          {({ isSelected }) => (
            <>
              <span className={`${styles.mark} ${styles.round}`}>
                {isSelected ? <span className={styles.dot} /> : null}
              </span>
              <span>
                {choice.label}
                {choice.hint === undefined ? null : <span className={`${styles.hint} stack`}>{choice.hint}</span>}
              </span>
            </>
          )}
        </Radio>
      ))}
    </div>
  </RadioGroup>
)
