import type { ReactNode } from "react"
import { Button } from "react-aria-components/Button"
import { Label } from "react-aria-components/Label"
import { ListBox, ListBoxItem } from "react-aria-components/ListBox"
import { Popover } from "react-aria-components/Popover"
import { Select as AriaSelect, SelectValue } from "react-aria-components/Select"
import { Text } from "react-aria-components/Text"
import { Icon } from "../icon/Icon.tsx"
import entries from "../popover/entries.module.css"
import styles from "./fields.module.css"

export interface Option<Value extends string> {
  readonly value: Value
  readonly label: string
  /** In place of the label in the list, for example with an icon. */
  readonly view?: ReactNode
}

interface SelectProps<Value extends string> {
  readonly label: string
  readonly options: ReadonlyArray<Option<Value>>
  readonly value: Value | null
  readonly onChange: (value: Value) => void
  readonly hint?: string
  readonly labelHidden?: boolean
  readonly isDisabled?: boolean
  readonly isRequired?: boolean
}

/** One of a few known values. */
export const Select = <Value extends string>({
  label,
  options,
  value,
  onChange,
  hint,
  labelHidden = false,
  ...rest
}: SelectProps<Value>) => (
  <AriaSelect
    {...rest}
    className={styles.field}
    placeholder="Choose…"
    value={value}
    onChange={(key) => {
      const chosen = options.find((option) => option.value === key)
      if (chosen !== undefined) onChange(chosen.value)
    }}
  >
    <Label className={labelHidden ? "hidden-text" : styles.label}>{label}</Label>
    <Button className={`${styles.input} ${styles.select}`}>
      <SelectValue className="clip" />
      <Icon name="down" />
    </Button>
    {hint === undefined ? null : (
      <Text slot="description" className={styles.hint}>
        {hint}
      </Text>
    )}
    <Popover>
      <ListBox className={entries.list}>
        {options.map((option) => (
          <ListBoxItem key={option.value} id={option.value} textValue={option.label} className={entries.entry}>
            {option.view ?? option.label}
          </ListBoxItem>
        ))}
      </ListBox>
    </Popover>
  </AriaSelect>
)
