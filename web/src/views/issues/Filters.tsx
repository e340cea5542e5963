import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { Form } from "react-aria-components/Form"
import { type IssueStatus, projectsQuery } from "../../api/issues.ts"
import { issueStatusWords } from "../../parts/badges/issue.tsx"
import { Checkbox } from "../../parts/fields/Checkbox.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import styles from "./issues.module.css"

const statuses: ReadonlyArray<IssueStatus> = ["open", "in_progress", "in_review", "blocked", "done", "cancelled"]
const assignees = [
  { value: "any", label: "Anyone" },
  { value: "me", label: "Me" },
  { value: "none", label: "No one" }
]

interface FiltersProps {
  readonly search: Readonly<Record<string, string | undefined>>
  readonly onChange: (change: Readonly<Record<string, string | undefined>>) => void
}

/** What the list shows; all of it stands in the address. */
export const Filters = ({ search, onChange }: FiltersProps) => {
  const projects = useQuery(projectsQuery)
  const [q, setQ] = useState(search.q ?? "")
  return (
    <Form
      className={styles.filters}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        onChange({ q: q === "" ? undefined : q })
      }}
    >
      <TextField label="Search" type="search" value={q} onChange={setQ} placeholder="Words of title and text" />
      <Select
        label="State"
        value={search.status ?? "any"}
        onChange={(status) => onChange({ status: status === "any" ? undefined : status })}
        options={[
          { value: "any", label: "Any state" },
          ...statuses.map((status) => ({ value: status as string, label: issueStatusWords(status) }))
        ]}
      />
      <Select
        label="Project"
        value={search.project ?? "any"}
        onChange={(project) => onChange({ project: project === "any" ? undefined : project })}
        options={[
          { value: "any", label: "All projects" },
          ...(projects.data?.data ?? []).map(({ slug, name }) => ({ value: slug, label: name }))
        ]}
      />
      <Select
        label="Assignee"
        value={search.assignee ?? "any"}
        onChange={(assignee) => onChange({ assignee: assignee === "any" ? undefined : assignee })}
        options={assignees}
      />
      <Checkbox
        isSelected={search.ready === "true"}
        onChange={(ready) => onChange({ ready: ready ? "true" : undefined })}
      >
        Ready to be worked on
      </Checkbox>
    </Form>
  )
}
