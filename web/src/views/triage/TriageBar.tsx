import type { RefObject } from "react"
import { Bar } from "../../parts/layout/Page.tsx"
import type { TriageSearch } from "./address.ts"
import { SearchField } from "./SearchField.tsx"
import styles from "./TriageBar.module.css"
import { ViewTabs } from "./ViewTabs.tsx"

interface TriageBarProps {
  readonly search: TriageSearch
  readonly field: RefObject<HTMLInputElement | null>
  readonly total: number | undefined
}

export const TriageBar = ({ search, field, total }: TriageBarProps) => (
  <Bar title="Triage" actions={<SearchField key={search.q ?? ""} words={search.q} field={field} />}>
    <span className={styles.tabs}>
      <ViewTabs search={search} total={total} />
    </span>
  </Bar>
)
