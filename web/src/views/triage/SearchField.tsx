import { useNavigate } from "@tanstack/react-router"
import { type RefObject, useState } from "react"
import { SearchField as Field } from "../../parts/fields/SearchField.tsx"
import styles from "./TriageBar.module.css"

interface SearchFieldProps {
  readonly words: string | undefined
  readonly field: RefObject<HTMLInputElement | null>
}

/** Words of title, path and rule; they are in the address once they are entered. */
export const SearchField = ({ words, field }: SearchFieldProps) => {
  const navigate = useNavigate({ from: "/triage" })
  const [text, setText] = useState(words ?? "")
  const search = (q: string) =>
    navigate({ search: (all) => ({ ...all, q: q.trim() === "" ? undefined : q.trim(), open: undefined }) })
  return (
    <div className={styles.search}>
      <Field
        label="Search observations"
        placeholder="Title, path, rule"
        keyCap="/"
        value={text}
        onChange={setText}
        onSubmit={search}
        onClear={() => search("")}
        field={field}
      />
    </div>
  )
}
