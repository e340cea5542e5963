import styles from "./Code.module.css"
import { marked, type Range, type TokenLine } from "./tokens.ts"

const redactedMark = "[redacted]"
const noRanges: ReadonlyArray<Range> = []

const withRedactions = (text: string) =>
  text.includes(redactedMark)
    ? text.split(redactedMark).flatMap((part, index) => [
        ...(index === 0
          ? []
          : [
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
              <span key={index} className={styles.redacted}>
                redacted
              </span>
            ]),
        part
      ])
    : text

/** One line of code in colours, with its marked parts. */
export const Pieces = ({
  tokens,
  ranges = noRanges,
  markStyle = styles.flaggedSpan
}: {
  readonly tokens: TokenLine
  readonly ranges?: ReadonlyArray<Range>
  readonly markStyle?: string
}) => (
  <>
    {marked(tokens, ranges).map(({ text, kind, from, marked: isMarked }) => {
      const className = kind === null ? undefined : styles[kind]
      return isMarked ? (
        <mark key={from} className={[styles.mark, markStyle, className].join(" ")}>
          {withRedactions(text)}
        </mark>
      ) : (
        <span key={from} className={className}>
          {withRedactions(text)}
        </span>
      )
    })}
  </>
)
