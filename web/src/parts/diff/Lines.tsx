import { useMemo } from "react"
import { Pieces } from "../code/Pieces.tsx"
import { useGrammar } from "../code/useHighlighted.ts"
import styles from "./Diff.module.css"
import { type ShownLine, shownLines } from "./hunkView.ts"
import type { DiffHunk } from "./parseDiff.ts"
import { sideRows } from "./sides.ts"

/** One column with both versions, or one of the two that stand side by side. */
export type Layout = "both" | "before" | "after"

const signs = { added: "+", removed: "−", same: " " } as const
const words = { added: "Added: ", removed: "Removed: ", same: "" } as const

const Line = ({ line, layout }: { readonly line: ShownLine; readonly layout: Layout }) => {
  const one = layout === "both" ? (line.after ?? line.before) : line[layout]
  return (
    <span
      className={`${styles.line} ${styles[line.kind]} ${layout === "both" ? "" : styles.oneSide}`}
      data-before={line.before}
      data-one={one}
    >
      <span className={styles.sign} data-after={line.after} aria-hidden="true">
        {signs[line.kind]}
      </span>
      {line.kind === "same" ? null : <span className={`hidden-text ${styles.aside}`}>{words[line.kind]}</span>}
      <Pieces tokens={line.tokens} ranges={line.words} markStyle={styles.word} />
    </span>
  )
}

const Absent = () => <span className={`${styles.line} ${styles.oneSide} ${styles.absent}`} />

const rowsOf = (lines: ReadonlyArray<ShownLine>, layout: Layout) =>
  layout === "both"
    ? lines.map((line, index) => <Line key={keyAt(index)} line={line} layout={layout} />)
    : sideRows(lines).map((row, index) => {
        const position = row[layout]
        const line = position === null ? undefined : lines[position]
        return line === undefined ? (
          <Absent key={keyAt(index)} />
        ) : (
          <Line key={keyAt(index)} line={line} layout={layout} />
        )
      })

/** Lines of a hunk never move. */
const keyAt = (index: number): string => `line ${index}`

export const Hunk = ({
  hunk,
  path,
  layout
}: {
  readonly hunk: DiffHunk
  readonly path: string
  readonly layout: Layout
}) => {
  const grammar = useGrammar(path)
  const lines = useMemo(() => shownLines(hunk, grammar), [hunk, grammar])
  return (
    <>
      <span className={`${styles.line} ${styles.hunk}`}>{layout === "after" ? "\u00a0" : hunk.head}</span>
      {rowsOf(lines, layout)}
    </>
  )
}
