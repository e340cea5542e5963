import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type EntryFilters, type EntrySummary, entriesQuery, proposedCountQuery } from "../../api/context.ts"
import { Button } from "../../parts/button/Button.tsx"
import { lookOf } from "../../parts/button/look.ts"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Bar } from "../../parts/layout/Page.tsx"
import { LevelTree } from "../../parts/level_tree/LevelTree.tsx"
import { useShortcuts } from "../../parts/shortcuts/useShortcuts.ts"
import { Tabs } from "../../parts/tabs/Tabs.tsx"
import styles from "./Context.module.css"
import { DisabledPane } from "./DisabledPane.tsx"
import { DisableEntry } from "./DisableEntry.tsx"
import { EditEntry } from "./EditEntry.tsx"
import { EntryPane } from "./EntryPane.tsx"
import { EntrySelection } from "./EntrySelection.tsx"
import { NewEntry } from "./NewEntry.tsx"
import { type ContextSearch, useContextAddress, useTree, useWriteProblem } from "./useContextView.ts"

/** The filters that an address stands for. */
const filtersOf = ({ status, kind, q }: ContextSearch): EntryFilters => ({
  ...(status === "proposed" ? { status } : {}),
  ...(status === "disabled" ? { include_disabled: true } : {}),
  ...(kind === undefined ? {} : { kind: kind as EntryFilters["kind"] }),
  ...(q === undefined ? {} : { q })
})

const ViewTabs = ({ search, proposed }: { readonly search: ContextSearch; readonly proposed: number | undefined }) => {
  const tabOf = (status: string | undefined) => ({
    to: "/context" as const,
    search: { project: search.project, status },
    isCurrent: search.status === status
  })
  return (
    <Tabs
      label="Entries"
      tabs={[
        { label: "Effective", ...tabOf(undefined) },
        { label: "Inbox", count: proposed, ...tabOf("proposed") },
        { label: "Disabled", ...tabOf("disabled") }
      ]}
    />
  )
}

/** The shown entries, and moving through them. */
const useEntries = () => {
  const { search, address, go } = useContextAddress()
  const query = useQuery(entriesQuery(address, filtersOf(search)))
  const isDisabled = search.status === "disabled"
  const entries = query.data?.filter(({ disabled_at }) => (disabled_at !== null) === isDisabled)
  const open = entries?.find(({ key }) => key === search.entry)
  const move = (by: number) => {
    if (entries === undefined || entries.length === 0) return
    const at = entries.findIndex(({ key }) => key === search.entry)
    const next = entries[Math.min(Math.max(at + by, 0), entries.length - 1)]
    if (next !== undefined) go({ entry: next.key, show: undefined }, true)
  }
  // After an entry has left the list, the one that took its place is open.
  const leave = () => {
    const at = entries?.findIndex(({ key }) => key === search.entry) ?? -1
    const next = entries?.[at + 1] ?? entries?.[at - 1]
    go({ entry: search.status === "proposed" ? next?.key : search.entry, show: undefined, dialog: undefined }, true)
  }
  return { ...query, entries, open, move, leave }
}

const Dialogs = ({
  open,
  onDisabled
}: {
  readonly open: EntrySummary | undefined
  readonly onDisabled: () => void
}) => {
  const { search, address, go } = useContextAddress()
  const close = () => go({ dialog: undefined }, true)
  if (search.dialog === "new")
    return (
      <NewEntry
        address={address}
        onClose={close}
        onCreated={(key) => go({ dialog: undefined, status: undefined, entry: key }, true)}
      />
    )
  if (search.entry === undefined) return null
  if (search.dialog === "edit") return <EditEntry address={address} entryKey={search.entry} onClose={close} />
  if (search.dialog === "disable" && open !== undefined)
    return <DisableEntry address={address} entry={open} onClose={close} onDisabled={onDisabled} />
  return null
}

/** The team's notes at every level: what applies, what waits for a person, what is disabled. */
export const Context = () => {
  const { search, address, go } = useContextAddress()
  const levels = useTree()
  const problem = useWriteProblem()
  const proposed = useQuery(proposedCountQuery(address)).data
  const list = useEntries()
  useShortcuts([
    { keys: "j", label: "Next entry", group: "Team context", run: () => list.move(1) },
    { keys: "k", label: "Previous entry", group: "Team context", run: () => list.move(-1) },
    { keys: "esc", label: "Close the entry", group: "Team context", run: () => go({ entry: undefined }) }
  ])
  return (
    <>
      <Bar
        title="Team context"
        actions={
          <Button icon="plus" isDisabled={problem !== null} onPress={() => go({ dialog: "new" })}>
            New entry…
          </Button>
        }
      >
        <ViewTabs search={search} proposed={proposed} />
      </Bar>
      <div className={styles.panes} data-open={search.entry === undefined ? "list" : "entry"}>
        <div className={styles.levels}>
          <LevelTree label="Levels" to="/context" levels={levels} counted="proposed" />
        </div>
        <section className={styles.list} aria-label="Entries">
          <EntrySelection list={list} />
        </section>
        <section className={styles.detail} aria-label="Entry">
          {search.entry === undefined ? (
            <Empty icon="context" why="No entry is open." next="Choose one from the list." />
          ) : (
            <div className="stack">
              <Link to="/context" search={{ ...search, entry: undefined }} className={`${lookOf({})} ${styles.back}`}>
                Back to the list
              </Link>
              {search.status === "disabled" ? (
                <DisabledPane key={search.entry} address={address} entry={list.open} />
              ) : (
                <EntryPane key={search.entry} address={address} entryKey={search.entry} onConfirmed={list.leave} />
              )}
            </div>
          )}
        </section>
      </div>
      <Dialogs open={list.open} onDisabled={list.leave} />
    </>
  )
}
