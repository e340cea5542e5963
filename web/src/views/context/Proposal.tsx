import { useQuery } from "@tanstack/react-query"
import { type Address, type Entry, entryQuery, historyQuery } from "../../api/context.ts"
import { EntryDiff } from "../../parts/entry_diff/EntryDiff.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { fieldsBetween, liveBefore, valuesOf } from "./values.ts"

/** What confirming a proposed entry would change: against its last live version, or the entry above that it overrides. */
export const Proposal = ({ address, entry }: { readonly address: Address; readonly entry: Entry }) => {
  const history = useQuery(historyQuery(address, entry.key))
  const above = entry.replaces.find(({ source_hidden }) => !source_hidden)
  const overridden = useQuery({
    ...entryQuery(above?.source_project_slug ?? null, entry.key),
    enabled: above !== undefined
  })
  if (history.error !== null) return <Problem error={history.error} onRetry={() => history.refetch()} />
  if (history.data === undefined || (above !== undefined && overridden.isPending)) return <Bones what="the versions" />
  const live = liveBefore(entry, history.data)
  const mine = valuesOf(entry)
  if (live !== null)
    return (
      <EntryDiff
        title="Proposed against live"
        fields={fieldsBetween(live.values, mine)}
        sides={[`Live, version ${live.version}`, `Proposed, version ${entry.version}`]}
      />
    )
  // Without an entry above, the same query may hold this very entry.
  if (above !== undefined && overridden.data !== undefined)
    return (
      <EntryDiff
        title="Proposed against the entry that it overrides"
        fields={fieldsBetween(valuesOf(overridden.data), mine)}
        sides={[`Version ${overridden.data.version} of the level above`, `Proposed, version ${entry.version}`]}
      />
    )
  return <EntryDiff title="New entry" fields={fieldsBetween(null, mine)} />
}
