import type { UseQueryResult } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import type { Facets as FacetCounts } from "../../api/observations.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Dialog } from "../../parts/dialog/Dialog.tsx"
import { Chips } from "../../parts/facets/Chips.tsx"
import { Menu } from "../../parts/menu/Menu.tsx"
import { type Grouping, groupings, type TriageSearch } from "./address.ts"
import { chipsOf } from "./chips.ts"
import { FacetPane } from "./FacetPane.tsx"
import styles from "./ListBar.module.css"

interface ListBarProps {
  readonly search: TriageSearch
  readonly facets: Pick<UseQueryResult<FacetCounts>, "data" | "error" | "refetch">
  readonly grouping: Grouping | null
}

/** Above the list: what narrows it, and how its rows are grouped. */
export const ListBar = ({ search, facets, grouping }: ListBarProps) => {
  const navigate = useNavigate({ from: "/triage" })
  const [isFiltering, setFiltering] = useState(false)
  const chips = chipsOf(search)
  const remove = (name: string) =>
    navigate({
      search: (all) => ({ ...all, [name]: name === "status" ? "any" : undefined, open: undefined })
    })
  const group = (name: Grouping | undefined) => navigate({ search: (all) => ({ ...all, group: name }) })
  return (
    <div className={styles.bar}>
      <span className={styles.filters}>
        <Button small look="ghost" icon="filter" onPress={() => setFiltering(true)}>
          Filters {chips.length}
        </Button>
      </span>
      <span className={styles.chips}>
        <Chips chips={chips.filter(({ words }) => words !== "any")} onRemove={remove} />
      </span>
      <span className="push">
        <Menu
          label="Group by"
          trigger={
            <Button small look="ghost" opensMenu>
              Group: {grouping ?? "none"}
            </Button>
          }
          entries={[
            { id: "none", label: "None", run: () => group(undefined), icon: grouping === null ? "check" : undefined },
            ...groupings.map((name) => ({
              id: name,
              label: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
              icon: grouping === name ? ("check" as const) : undefined,
              run: () => group(name)
            }))
          ]}
        />
      </span>
      <Dialog
        title="Filters"
        isOpen={isFiltering}
        onClose={() => setFiltering(false)}
        actions={
          <Button look="primary" onPress={() => setFiltering(false)}>
            Show the list
          </Button>
        }
      >
        <FacetPane search={search} facets={facets} />
      </Dialog>
    </div>
  )
}
