import { Link } from "@tanstack/react-router"
import { lookOf } from "../../parts/button/look.ts"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { figure } from "../../parts/text/counted.ts"
import type { Grouping, TriageSearch } from "./address.ts"
import { chipsOf } from "./chips.ts"
import { groupedRows, type Queue } from "./useQueue.ts"

const Nothing = ({ search }: { readonly search: TriageSearch }) => {
  const isNarrowed = chipsOf(search).some(({ isDefault }) => !isDefault)
  if (!isNarrowed)
    return <Empty icon="done" why="Nothing left in this view." next="New observations appear after the next audit." />
  return (
    <Empty
      icon="search"
      why="No observation matches these filters."
      next="Clear a filter, or search in all repositories."
      action={
        <Link to="/triage" search={{}} className={lookOf({})}>
          Clear all filters
        </Link>
      }
    />
  )
}

interface ListEndProps {
  readonly queue: Queue
  readonly search: TriageSearch
  readonly grouping: Grouping | null
}

/** What stands after the last row, or in the place of rows. */
export const ListEnd = ({ queue, search, grouping }: ListEndProps) => {
  if (queue.error !== null) return <Problem error={queue.error} onRetry={queue.reload} />
  if (queue.isLoading) return <Bones rows={10} what="observations" />
  if (queue.rows.length === 0 && !queue.hasMore) return <Nothing search={search} />
  if (!queue.hasMore) return null
  return grouping !== null && grouping !== "priority" && queue.rows.length >= groupedRows ? (
    <p className="muted">
      The groups hold the {figure(groupedRows)} most severe. Narrow the filters to see the others.
    </p>
  ) : (
    <Bones rows={3} what="more observations" />
  )
}
