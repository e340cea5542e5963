import type { ReactNode } from "react"
import styles from "./layout.module.css"
import { ScrollGroup } from "./ScrollGroup.tsx"

export interface Column<Row> {
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers stand at the end of their column. */
  readonly figure?: boolean
  /** The name is only for assistive technology, for example of a column of buttons. */
  readonly nameHidden?: boolean
}

interface TableProps<Row> {
  /** What the rows are, for assistive technology. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
}

/** A short table to read; scrolls sideways in its own region where there is no room. */
export const Table = <Row,>({ label, columns, rows, keyOf }: TableProps<Row>) => (
  <ScrollGroup className={styles.tableScroll} label={label}>
    <table className={styles.table}>
      <thead>
        <tr>
          {columns.map(({ name, figure = false, nameHidden = false }) => (
            <th key={name} scope="col" className={figure ? styles.figure : undefined}>
              {nameHidden ? <span className="hidden-text">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ name, cell, figure = false }) => (
              <td key={name} className={figure ? styles.figure : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollGroup>
)
