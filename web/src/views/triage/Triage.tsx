import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, type MouseEvent, Suspense, useCallback, useMemo, useRef } from "react"
import { countOf, facetsQuery } from "../../api/observations.ts"
import { useSelection } from "../../parts/list/useSelection.ts"
import { type ListRow, VirtualList } from "../../parts/list/VirtualList.tsx"
import { groupingOf, listText, requestOf, type TriageSearch } from "./address.ts"
import type { Item } from "./arrange.ts"
import { BulkBar } from "./BulkBar.tsx"
import { Detail } from "./Detail.tsx"
import { FacetPane } from "./FacetPane.tsx"
import { GroupHeading } from "./GroupHeading.tsx"
import { KeyStrip } from "./KeyStrip.tsx"
import { ListBar } from "./ListBar.tsx"
import { ListEnd } from "./ListEnd.tsx"
import { Row } from "./Row.tsx"
import styles from "./Triage.module.css"
import { TriageBar } from "./TriageBar.tsx"
import { useActions } from "./useActions.ts"
import { useActive } from "./useActive.ts"
import { useFocusAfter } from "./useFocusAfter.ts"
import { useKeys } from "./useKeys.ts"
import { useQueue } from "./useQueue.ts"
import { useWide } from "./useWide.ts"

// The queue is on the screen before anything is asked.
const Dialogs = lazy(() => import("./Dialogs.tsx").then(({ Dialogs }) => ({ default: Dialogs })))

const rowHeight = { row: 3.5, group: 2 } as const
const tallRow = 6

const keyOf = (item: Item) => (item.kind === "row" ? item.observation.ref : `group ${item.value}`)

/** Without what does not narrow the list. */
const narrowingOf = ({ open: _, group: __, ...search }: TriageSearch): TriageSearch => search

/** The queue of observations, the most severe first, with the one that is open beside it. */
export const Triage = () => {
  const search = useSearch({ from: "/shell/triage" })
  const navigate = useNavigate({ from: "/triage" })
  const narrowing = JSON.stringify(narrowingOf(search))
  const request = useMemo(() => requestOf(JSON.parse(narrowing) as TriageSearch), [narrowing])
  const grouping = groupingOf(search)
  const { isPaned, isNarrow } = useWide()

  const queue = useQueue(request, grouping)
  const active = useActive(queue, search.open)
  const refs = useMemo(() => queue.rows.map(({ ref }) => ref), [queue.rows])
  const selection = useSelection(refs)
  // The list comes first: counts are asked for when it is there.
  const facets = useQuery({ ...facetsQuery(request.filter), enabled: !queue.isLoading })
  const total =
    request.q !== undefined
      ? queue.hasMore
        ? undefined
        : refs.length
      : facets.data && countOf(facets.data, request.filter)

  const item = queue.items[active.index]
  const open = item?.kind === "row" && item.observation.ref === active.ref ? item.observation : null
  const list = listText(search)
  const pageOf = (ref: string) => `/observations/${ref}?list=${encodeURIComponent(list)}`
  const actions = useActions({ request, rows: queue.rows, open, selection, total, pageOf, goOn: () => active.move(1) })

  useFocusAfter(actions.dialog !== null || actions.results !== null, () => active.list.current?.focus(active.index))

  const field = useRef<HTMLInputElement>(null)
  const leave = () => {
    if (selection.refs.size > 0) selection.clear()
    else if (search.q !== undefined) navigate({ search: (all) => ({ ...all, q: undefined, open: undefined }) })
  }
  useKeys({ openRef: active.ref, actions, selection, move: active.move, search: () => field.current?.focus(), leave })

  const follow = useCallback((event: MouseEvent) => {
    // With a modifier the browser opens a tab of its own; beside the list the row opens there.
    if (event.metaKey || event.ctrlKey || event.shiftKey) event.stopPropagation()
    else event.preventDefault()
  }, [])
  const row = (index: number): ListRow => {
    const shown = queue.items[index]
    if (shown === undefined) return { key: String(index), content: null }
    if (shown.kind === "group")
      return {
        key: keyOf(shown),
        isHeading: true,
        content: <GroupHeading grouping={grouping} group={shown} facets={facets.data} isPartial={queue.hasMore} />
      }
    const isSelected = selection.isEvery || selection.refs.has(shown.observation.ref)
    return {
      key: keyOf(shown),
      isSelected,
      content: (
        <Row
          observation={shown.observation}
          href={pageOf(shown.observation.ref)}
          isSelected={isSelected}
          onToggle={selection.toggle}
          onFollow={follow}
        />
      )
    }
  }
  const activate = (index: number) => {
    active.activate(index)
    const shown = queue.items[index]
    if (!isPaned && shown?.kind === "row") actions.openPage(shown.observation.ref)
  }

  return (
    <div className={styles.view}>
      <TriageBar search={search} field={field} total={total} />
      <div className={styles.panes}>
        <FacetPane search={search} facets={facets} className={styles.facets} />
        <section className={styles.list} aria-label="Queue" aria-busy={queue.isStale}>
          <ListBar search={search} facets={facets} grouping={grouping} />
          <VirtualList
            label="Observations"
            total={total}
            count={queue.items.length}
            row={row}
            heightOf={(index) =>
              queue.items[index]?.kind === "group" ? rowHeight.group : isNarrow ? tallRow : rowHeight.row
            }
            measured={isNarrow}
            active={active.index}
            onActivate={activate}
            onOpen={(index) => {
              const shown = queue.items[index]
              if (shown?.kind === "row") actions.openPage(shown.observation.ref)
            }}
            onMove={active.move}
            onEnd={queue.loadMore}
            handle={active.list}
          >
            <ListEnd queue={queue} search={search} grouping={grouping} />
          </VirtualList>
          <BulkBar actions={actions} selection={selection} loaded={refs} total={total} />
        </section>
        {isPaned ? (
          <Detail
            observationRef={active.ref}
            row={open}
            position={open === null ? 0 : refs.indexOf(open.ref) + 1}
            total={total}
            actions={actions}
            onMove={active.move}
          />
        ) : null}
      </div>
      <KeyStrip />
      {actions.dialog === null && actions.results === null ? null : (
        <Suspense>
          <Dialogs actions={actions} open={open} rows={actions.targets} />
        </Suspense>
      )}
    </div>
  )
}
