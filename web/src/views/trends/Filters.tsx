import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { Form } from "react-aria-components/Form"
import { repositoriesQuery } from "../../api/repositories.ts"
import { periods, type TrendsFilter } from "../../api/trends.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { Tabs } from "../../parts/tabs/Tabs.tsx"
import { domains } from "./filter.ts"
import styles from "./Trends.module.css"

interface Changes {
  readonly repo?: string | undefined
  readonly domain?: string | undefined
  readonly rule?: string | undefined
}

const every = "every"
const chosen = (value: string) => (value === every ? undefined : value)

/** Period, repository, domain and rule; all of them are in the address. */
export const Filters = ({
  filter,
  onChange
}: {
  readonly filter: TrendsFilter
  readonly onChange: (changes: Changes) => void
}) => {
  const { data: repositories = [] } = useQuery(repositoriesQuery)
  const [rule, setRule] = useState(filter.rule ?? "")
  const { days, ...rest } = filter
  return (
    <div className={styles.filters}>
      <Tabs
        label="Period"
        tabs={periods.map((period) => ({
          label: `${period} d`,
          to: "/trends" as const,
          search: { ...rest, days: String(period) },
          isCurrent: period === days
        }))}
      />
      <Select
        label="Repository"
        options={[
          { value: every, label: "Every repository" },
          ...repositories.map(({ repo_name }) => ({ value: repo_name, label: repo_name }))
        ]}
        value={filter.repo ?? every}
        onChange={(repo) => onChange({ repo: chosen(repo) })}
      />
      <Select
        label="Domain"
        options={[
          { value: every, label: "Every domain" },
          ...Object.entries(domains).map(([value, label]) => ({ value, label }))
        ]}
        value={filter.domain ?? every}
        onChange={(domain) => onChange({ domain: chosen(domain) })}
      />
      <Form
        className={styles.rule}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          onChange({ rule: rule.trim() === "" ? undefined : rule.trim() })
        }}
      >
        <TextField label="Rule" mono placeholder="tool.rule" value={rule} onChange={setRule} />
        <Button type="submit">Apply</Button>
      </Form>
    </div>
  )
}
