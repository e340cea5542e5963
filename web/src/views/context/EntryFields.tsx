import type { ReactNode } from "react"
import { Select } from "../../parts/fields/Select.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import styles from "./Context.module.css"
import { kindOptions } from "./kinds.tsx"
import type { ValueName, Values } from "./values.ts"

interface EntryFieldsProps {
  readonly values: Values
  readonly onChange: (values: Values) => void
  readonly problems: Readonly<Record<string, string>>
  /** The workspace's entries apply to all levels below. */
  readonly isWorkspace: boolean
  readonly isTitleFirst?: boolean
  readonly children?: ReactNode
}

/** What a person writes of an entry. */
export const EntryFields = ({
  values,
  onChange,
  problems,
  isWorkspace,
  isTitleFirst = true,
  children
}: EntryFieldsProps) => {
  const set = (name: ValueName) => (value: string) => onChange({ ...values, [name]: value })
  const field = (name: ValueName) => ({ value: values[name], onChange: set(name), problem: problems[name] })
  return (
    <>
      {children}
      <TextField label="Title" maxLength={200} autoFocus={isTitleFirst} {...field("title")} />
      <TextField
        label="Summary"
        rows={2}
        maxLength={500}
        hint="One or two sentences. Agents read it first, in the digest."
        {...field("summary")}
      />
      <div className={styles.two}>
        <Select
          label="Kind"
          options={kindOptions}
          value={values.kind}
          onChange={(kind) => onChange({ ...values, kind })}
        />
        {isWorkspace ? null : (
          <Select
            label="Applies to"
            options={[
              { value: "project", label: "This level only" },
              { value: "subtree", label: "This level and all below" }
            ]}
            value={values.scope}
            onChange={(scope) => onChange({ ...values, scope })}
          />
        )}
      </div>
      <TextField label="Body" rows={8} hint="Markdown. Never put a secret into it." {...field("body_md")} />
      <div className={styles.two}>
        <TextField label="Tags" hint="Between commas; the writer's own." {...field("tags")} />
        <TextField label="Labels" hint="Between commas; only people set them." {...field("labels")} />
      </div>
    </>
  )
}
