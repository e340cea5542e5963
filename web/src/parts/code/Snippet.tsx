import { useMemo } from "react"
import styles from "./Code.module.css"
import { Frame, Scroll } from "./Frame.tsx"
import { Pieces } from "./Pieces.tsx"
import { useHighlighted } from "./useHighlighted.ts"

interface SnippetProps {
  /** A path, or the name of a language; the colours follow from it. */
  readonly language: string
  readonly text: string
  /** What it is, for assistive technology. */
  readonly label: string
}

/** Code that is of no particular place, for example an example: without numbers. */
export const Snippet = ({ language, text, label }: SnippetProps) => {
  const lines = useMemo(() => text.replace(/\n$/, "").split("\n"), [text])
  const highlighted = useHighlighted(language, lines)
  return (
    <Frame>
      <Scroll label={label}>
        <pre className={styles.code}>
          <code>
            {highlighted.map((tokens, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text never move
              <span key={index} className={`${styles.line} ${styles.unnumbered}`}>
                <Pieces tokens={tokens} />
              </span>
            ))}
          </code>
        </pre>
      </Scroll>
    </Frame>
  )
}
