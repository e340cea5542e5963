import type { ReactNode } from "react"
import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from "react-aria-components/Checkbox"
import { Icon } from "../icon/Icon.tsx"
import styles from "./fields.module.css"

interface CheckboxProps extends Omit<AriaCheckboxProps, "children" | "className" | "style"> {
  readonly children?: ReactNode
}

/** Without words beside it, it needs an `aria-label`. */
export const Checkbox = ({ children, ...rest }: CheckboxProps) => (
  <AriaCheckbox {...rest} className={styles.tick}>
    {({ isSelected, isIndeterminate }) => (
      <>
        <span className={styles.mark}>
          {isIndeterminate ? <Icon name="skip" /> : isSelected ? <Icon name="check" /> : null}
        </span>
        {children}
      </>
    )}
  </AriaCheckbox>
)
