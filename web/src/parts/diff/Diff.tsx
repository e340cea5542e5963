import { type ReactNode, useMemo, useState } from "react"
import { Button } from "../button/Button.tsx"
import { Frame, Scroll } from "../code/Frame.tsx"
import { Snippet } from "../code/Snippet.tsx"
import { figure } from "../text/counted.ts"
import styles from "./Diff.module.css"
import { Hunk, type Layout } from "./Lines.tsx"
import { type DiffFile, parseDiff } from "./parseDiff.ts"
import { useRoom } from "./useRoom.ts"

/** From here on both versions have a column of their own. */
const roomForTwo = 1100
/** Files with more changed lines are shown when they are asked for. */
const manyLines = 600

const changeWords = { added: "New file", removed: "Deleted file", renamed: "Renamed", changed: "" } as const

export const ChangeCount = ({ added, removed }: { readonly added: number; readonly removed: number }) => (
  <span className="num">
    +{added} <span aria-hidden="true">−</span>
    <span className="hidden-text">minus </span>
    {removed}
  </span>
)

const noteOf = ({ change, previousPath }: DiffFile): string =>
  previousPath === null ? changeWords[change] : `Renamed from ${previousPath}`

const Column = ({
  file,
  label,
  layout
}: {
  readonly file: DiffFile
  readonly label: string
  readonly layout: Layout
}) => (
  <Scroll label={`${label}: ${file.path}${layout === "both" ? "" : `, ${layout}`}`}>
    <pre className={styles.diff}>
      <code>
        {file.hunks.map((hunk) => (
          <Hunk key={hunk.head} hunk={hunk} path={file.path} layout={layout} />
        ))}
      </code>
    </pre>
  </Scroll>
)

const FileBody = ({
  file,
  label,
  beside
}: {
  readonly file: DiffFile
  readonly label: string
  readonly beside: boolean
}) => {
  const lines = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
  const [shown, setShown] = useState(lines <= manyLines)
  if (file.isBinary) return <p className={styles.quiet}>A binary file; its content is not shown.</p>
  if (lines === 0) return <p className={styles.quiet}>No line differs.</p>
  if (!shown)
    return (
      <p className={styles.quiet}>
        <Button small onPress={() => setShown(true)}>
          Show {figure(lines)} lines
        </Button>
      </p>
    )
  return beside ? (
    <div className={styles.beside}>
      <Column file={file} label={label} layout="before" />
      <Column file={file} label={label} layout="after" />
    </div>
  ) : (
    <Column file={file} label={label} layout="both" />
  )
}

interface DiffProps {
  /** A unified diff. */
  readonly text: string
  /** What the change is, for assistive technology, for example `Suggested change`. */
  readonly label: string
  /** Instead of the diff where the text is none. */
  readonly otherwise?: ReactNode
}

/** A change, file by file: in one column, or in two where there is room. */
export const Diff = ({ text, label, otherwise }: DiffProps) => {
  const files = useMemo(() => parseDiff(text), [text])
  const { ref, wide } = useRoom<HTMLDivElement>(roomForTwo)
  if (files === null) return otherwise ?? <Snippet language="" text={text} label={label} />
  return (
    <div className={styles.files} ref={ref}>
      {files.map((file) => (
        <Frame
          key={`${file.previousPath} ${file.path}`}
          path={file.path}
          note={noteOf(file)}
          actions={<ChangeCount added={file.added} removed={file.removed} />}
        >
          <FileBody file={file} label={label} beside={wide} />
        </Frame>
      ))}
    </div>
  )
}
