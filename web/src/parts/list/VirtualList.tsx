import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual"
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef
} from "react"
import styles from "./list.module.css"

export interface ListHandle {
  /** Brings a row into view and gives it the focus. */
  readonly focus: (index: number) => void
}

export interface ListRow {
  readonly key: string
  /** A heading separates rows; it takes no focus. */
  readonly isHeading?: boolean
  readonly isSelected?: boolean
  readonly content: ReactNode
}

interface VirtualListProps {
  readonly label: string
  /** Rows there are in all, loaded or not; left out while no one knows. */
  readonly total?: number
  readonly count: number
  readonly row: (index: number) => ListRow
  /** Heights in rem, before a row is measured. */
  readonly heightOf: (index: number) => number
  /** Whether heights differ with what is in the rows. */
  readonly measured?: boolean
  /** The row that keys act on; -1 for none. */
  readonly active: number
  readonly onActivate: (index: number) => void
  readonly onOpen: (index: number) => void
  readonly onMove: (step: number) => void
  /** The last rows come into view: more may be loaded. */
  readonly onEnd: () => void
  readonly handle?: Ref<ListHandle>
  /** What stands after the last row. */
  readonly children?: ReactNode
}

const endDistance = 40
const pageStep = 10

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: pageStep,
  PageUp: -pageStep,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY
}

const remSize = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** Rows of which only those in view are in the document; one of them is active and holds the focus. */
export const VirtualList = (props: VirtualListProps) => {
  const { label, total, count, row, heightOf, measured = false, active, onEnd, handle, children } = props
  const scroller = useRef<HTMLDivElement>(null)
  const wish = useRef<number | null>(null)
  const rem = remSize()

  const list = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(index) * rem,
    getItemKey: (index) => row(index).key,
    overscan: 8,
    scrollPaddingEnd: rem,
    // The active row stays in the document wherever the list is scrolled to: it may hold the focus.
    rangeExtractor: (range: Range) => {
      const shown = defaultRangeExtractor(range)
      return active < 0 || active >= count || shown.includes(active) ? shown : [...shown, active].sort((a, b) => a - b)
    }
  })
  const shown = list.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0

  useEffect(() => {
    if (last >= count - endDistance) onEnd()
  }, [last, count, onEnd])

  const focusWished = useCallback(() => {
    if (wish.current === null) return
    const element = scroller.current?.querySelector<HTMLElement>(`[data-index="${wish.current}"]`)
    if (element == null) return
    wish.current = null
    element.focus({ preventScroll: true })
  }, [])
  useEffect(focusWished)

  useImperativeHandle(handle, () => ({
    focus: (index) => {
      wish.current = index
      list.scrollToIndex(index)
      focusWished()
    }
  }))

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = steps[event.key]
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (step !== undefined) {
      event.preventDefault()
      props.onMove(step)
    } else if (
      event.key === "Enter" &&
      active >= 0 &&
      event.target instanceof HTMLElement &&
      event.target.getAttribute("role") === "row"
    ) {
      event.preventDefault()
      props.onOpen(active)
    }
  }

  return (
    <div ref={scroller} className={styles.scroller}>
      {/* biome-ignore lint/a11y/useSemanticElements: a table cannot hold only some of its rows */}
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={total ?? -1}
        aria-multiselectable="true"
        className={styles.rows}
        style={{ height: list.getTotalSize() }}
        onKeyDown={onKeyDown}
      >
        {shown.map(({ index, key, start, size }) => {
          const { isHeading = false, isSelected, content } = row(index)
          return (
            // biome-ignore lint/a11y/useSemanticElements: a table cannot hold only some of its rows
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around the rows has their keys
            <div
              key={key}
              role="row"
              ref={measured ? list.measureElement : undefined}
              data-index={index}
              aria-rowindex={index + 1}
              aria-selected={isHeading ? undefined : isSelected}
              aria-current={index === active ? "true" : undefined}
              tabIndex={isHeading ? undefined : index === active ? 0 : -1}
              className={isHeading ? `${styles.row} ${styles.heading}` : styles.row}
              style={{ transform: `translateY(${start}px)`, height: measured ? undefined : size }}
              onClick={isHeading ? undefined : () => props.onActivate(index)}
            >
              {content}
            </div>
          )
        })}
      </div>
      {children}
    </div>
  )
}
