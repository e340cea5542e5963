import { FieldError } from "react-aria-components/FieldError"
import { Input } from "react-aria-components/Input"
import { Label } from "react-aria-components/Label"
import { Text } from "react-aria-components/Text"
import { TextArea } from "react-aria-components/TextArea"
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from "react-aria-components/TextField"
import styles from "./fields.module.css"

interface TextFieldProps extends Omit<AriaTextFieldProps, "children" | "className" | "style"> {
  readonly label: string
  readonly hint?: string
  /** What is wrong with the value, for example a field problem of the API. */
  readonly problem?: string
  readonly placeholder?: string
  /** More than one line gets that many rows. */
  readonly rows?: number
  /** Paths, keys and code. */
  readonly mono?: boolean
  /** The label is only for assistive technology. */
  readonly labelHidden?: boolean
}

export const TextField = ({
  label,
  hint,
  problem,
  placeholder,
  rows,
  mono = false,
  labelHidden = false,
  ...rest
}: TextFieldProps) => {
  const look = mono ? `${styles.input} ${styles.mono}` : styles.input
  return (
    <AriaTextField {...rest} className={styles.field} isInvalid={problem !== undefined || rest.isInvalid}>
      <Label className={labelHidden ? "hidden-text" : styles.label}>{label}</Label>
      {rows === undefined ? (
        <Input className={look} placeholder={placeholder} />
      ) : (
        <TextArea className={look} rows={rows} placeholder={placeholder} />
      )}
      {hint === undefined ? null : (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.problem}>{problem}</FieldError>
    </AriaTextField>
  )
}
