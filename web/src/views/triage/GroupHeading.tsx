import type { Facets, Observation } from "../../api/observations.ts"
import { Priority } from "../../parts/badges/observation.tsx"
import { figure } from "../../parts/text/counted.ts"
import type { Grouping } from "./address.ts"
import type { Item } from "./arrange.ts"
import { domainWords } from "./facetWords.ts"

interface GroupHeadingProps {
  readonly grouping: Grouping | null
  readonly group: Extract<Item, { readonly kind: "group" }>
  readonly facets: Facets | undefined
  /** Whether the list goes on after what is loaded. */
  readonly isPartial: boolean
}

const facetOf = { priority: "priority", rule: "rule", domain: "domain", repository: "repo", file: null } as const

const isPriority = (value: string): value is Observation["priority"] => /^P[0-3]$/.test(value)

/** Counts of what is not loaded come from the facets; where they do not know, the count is that of the loaded rows. */
const countIn = ({ grouping, group, facets, isPartial }: GroupHeadingProps): string => {
  const facet = grouping === null ? null : facetOf[grouping]
  const known = facet === null ? undefined : facets?.[facet].find(({ value }) => value === group.value)?.count
  if (isPartial && known !== undefined) return figure(known)
  return isPartial ? `${group.count}+` : figure(group.count)
}

/** What the rows below have in common, and how many there are. */
export const GroupHeading = (props: GroupHeadingProps) => {
  const { grouping, group } = props
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list is no table
    // biome-ignore lint/a11y/useFocusableInteractive: headings take no focus
    <div role="gridcell" className="line">
      {grouping === "priority" && isPriority(group.value) ? (
        <Priority priority={group.value} />
      ) : (
        <span className={grouping === "file" ? "clip mono" : "clip"} title={group.value}>
          {grouping === "domain" ? (domainWords[group.value] ?? group.value) : group.value}
        </span>
      )}
      <span className="num muted">{countIn(props)}</span>
    </div>
  )
}
