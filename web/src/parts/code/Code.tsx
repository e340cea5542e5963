import { type ReactNode, useMemo } from "react"
import styles from "./Code.module.css"
import { Frame, Scroll } from "./Frame.tsx"
import { Pieces } from "./Pieces.tsx"
import { spansOf } from "./spans.ts"
import { useHighlighted } from "./useHighlighted.ts"

export interface CodeLine {
  readonly n: number
  readonly text: string
}

interface CodeProps {
  readonly path: string
  readonly lines: ReadonlyArray<CodeLine>
  /** The lines it is about. */
  readonly flagged?: { readonly from: number; readonly to: number }
  /** Texts that are underlined where a flagged line has them. */
  readonly spans?: ReadonlyArray<string>
  /** What the lines are, for example `Source`. */
  readonly role?: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
}

const noSpans: ReadonlyArray<string> = []

const extentOf = (lines: ReadonlyArray<CodeLine>): string => {
  const first = lines[0]?.n ?? 0
  const last = lines.at(-1)?.n ?? 0
  return first === last ? `${first}` : `${first}–${last}`
}

/** Lines of a file as they were, the flagged ones marked. Numbers are outside of what is copied. */
export const Code = ({ path, lines, flagged, spans = noSpans, role, lead, actions }: CodeProps) => {
  const texts = useMemo(() => lines.map(({ text }) => text), [lines])
  const highlighted = useHighlighted(path, texts)
  const extent = extentOf(lines)
  return (
    <Frame lead={lead} path={path} note={extent} actions={actions}>
      <Scroll label={`${role === undefined ? "" : `${role}: `}${path}, lines ${extent}`}>
        <pre className={styles.code}>
          <code>
            {lines.map(({ n, text }, index) => {
              const isFlagged = flagged !== undefined && n >= flagged.from && n <= flagged.to
              return (
                <span key={n} className={isFlagged ? `${styles.line} ${styles.flagged}` : styles.line} data-n={n}>
                  {isFlagged ? <span className={`hidden-text ${styles.aside}`}>Flagged: </span> : null}
                  <Pieces tokens={highlighted[index] ?? []} ranges={isFlagged ? spansOf(text, spans) : undefined} />
                </span>
              )
            })}
          </code>
        </pre>
      </Scroll>
    </Frame>
  )
}
