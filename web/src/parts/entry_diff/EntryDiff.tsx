import { useState } from "react"
import { Button } from "../button/Button.tsx"
import styles from "./EntryDiff.module.css"
import { type Row, rowsOf } from "./rows.ts"

export interface DiffField {
  readonly name: string
  readonly before: string
  readonly after: string
}

const signs = { same: "", removed: "−", added: "+" } as const
const words = { same: "", removed: "Removed: ", added: "Added: " } as const

const Line = ({ row }: { readonly row: Row }) => (
  <div className={`${styles.row} ${styles[row.kind]}`}>
    <span aria-hidden="true" className={styles.sign}>
      {signs[row.kind]}
    </span>
    <span className={styles.text}>
      <span className="hidden-text">{words[row.kind]}</span>
      {row.pieces.map(({ text, changed }, index) =>
        changed ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never move
          <mark key={index}>{text}</mark>
        ) : (
          text
        )
      )}
    </span>
  </div>
)

const Lines = ({ rows }: { readonly rows: ReadonlyArray<Row> }) =>
  rows.map((row, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a difference never move
    <Line key={index} row={row} />
  ))

const Field = ({ field, isSplit }: { readonly field: DiffField; readonly isSplit: boolean }) => {
  const rows = rowsOf(field.before, field.after)
  if (rows.length === 0) return null
  return (
    <section className={styles.field} aria-label={field.name}>
      <h4>{field.name}</h4>
      {isSplit ? (
        <div className={styles.split}>
          <div>
            <Lines rows={rows.filter(({ kind }) => kind !== "added")} />
          </div>
          <div>
            <Lines rows={rows.filter(({ kind }) => kind !== "removed")} />
          </div>
        </div>
      ) : (
        <Lines rows={rows} />
      )}
    </section>
  )
}

interface EntryDiffProps {
  /** What stands against what, for example `Proposed against live`. */
  readonly title: string
  readonly fields: ReadonlyArray<DiffField>
  /** What the sides are called, shown where they stand beside each other. */
  readonly sides?: readonly [before: string, after: string]
  readonly startsSplit?: boolean
}

/** The fields of a text entry as they were and as they are, with the changed words marked. */
export const EntryDiff = ({ title, fields, sides, startsSplit = false }: EntryDiffProps) => {
  const [isSplit, setSplit] = useState(startsSplit)
  return (
    <div className={styles.box}>
      <div className={`${styles.head} spread wrap`}>
        <h3>{title}</h3>
        <span className="line">
          <Button small look={isSplit ? "ghost" : "plain"} aria-pressed={!isSplit} onPress={() => setSplit(false)}>
            Unified
          </Button>
          <Button small look={isSplit ? "plain" : "ghost"} aria-pressed={isSplit} onPress={() => setSplit(true)}>
            Side by side
          </Button>
        </span>
      </div>
      {isSplit && sides !== undefined ? (
        <div className={`${styles.split} ${styles.sides}`} aria-hidden="true">
          <div>{sides[0]}</div>
          <div>{sides[1]}</div>
        </div>
      ) : null}
      {fields.map((field) => (
        <Field key={field.name} field={field} isSplit={isSplit} />
      ))}
    </div>
  )
}
