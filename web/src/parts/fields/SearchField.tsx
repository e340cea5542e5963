import type { Ref } from "react"
import { Button } from "react-aria-components/Button"
import { Input } from "react-aria-components/Input"
import { SearchField as AriaSearchField } from "react-aria-components/SearchField"
import { Icon } from "../icon/Icon.tsx"
import { KeyCap } from "../text/KeyCap.tsx"
import styles from "./SearchField.module.css"

interface SearchFieldProps {
  readonly label: string
  readonly placeholder?: string
  /** The key that leads here. */
  readonly keyCap?: string
  /** Left out where a menu around the field holds what is typed. */
  readonly value?: string
  readonly onChange?: (value: string) => void
  readonly onSubmit?: (value: string) => void
  readonly onClear?: () => void
  readonly autoFocus?: boolean
  readonly field?: Ref<HTMLInputElement>
}

/** Words to search for; Escape empties it, and leaves it when it is empty. */
export const SearchField = ({ label, placeholder, keyCap, field, ...rest }: SearchFieldProps) => (
  <AriaSearchField
    {...rest}
    aria-label={label}
    className={styles.search}
    onKeyDown={(event) => {
      if (event.key === "Escape" && rest.value === "" && event.target instanceof HTMLElement) event.target.blur()
    }}
  >
    <Icon name="search" />
    <Input ref={field} className={styles.input} placeholder={placeholder} maxLength={400} />
    {keyCap === undefined || rest.value !== "" ? null : <KeyCap>{keyCap}</KeyCap>}
    {rest.value === undefined || rest.value === "" ? null : (
      <Button className={styles.clear} aria-label="Clear the search">
        <Icon name="x" />
      </Button>
    )}
  </AriaSearchField>
)
