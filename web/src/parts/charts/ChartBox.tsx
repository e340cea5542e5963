import { type ReactNode, useId, useState } from "react"
import { Button } from "../button/Button.tsx"
import { Box } from "../layout/Page.tsx"
import { Table } from "../layout/Table.tsx"
import { dayOf, type Series } from "./chart.ts"
import styles from "./charts.module.css"

interface ChartBoxProps {
  readonly title: string
  /** What the chart shows, in one sentence. */
  readonly summary: string
  readonly children: ReactNode
  readonly actions?: ReactNode
  /** The same values as the chart, for the table. */
  readonly series: ReadonlyArray<Series>
  /** Whether all charts of the view are tables at the moment. */
  readonly asTable?: boolean
}

const Cell = ({ series, index }: { readonly series: Series; readonly index: number }) => {
  const point = series.points[index]
  if (point === undefined || point.value === null) return <span className="muted">none</span>
  const text = series.format(point.value)
  return point.href === undefined ? (
    text
  ) : (
    <a href={point.href} aria-label={point.words}>
      {text}
    </a>
  )
}

/** The values of a chart, newest first. */
const SeriesTable = ({ label, series }: { readonly label: string; readonly series: ReadonlyArray<Series> }) => (
  <div className={styles.table}>
    <Table
      label={label}
      rows={(series[0]?.points ?? []).map(({ at }, index) => ({ at, index })).reverse()}
      keyOf={({ at }) => at}
      columns={[
        { name: "From", cell: ({ at }) => dayOf(at) },
        ...series.map((one) => ({
          name: one.name,
          figure: true,
          cell: ({ index }: { readonly index: number }) => <Cell series={one} index={index} />
        }))
      ]}
    />
  </div>
)

/** A chart with its title and summary, and its values as a table at the push of a button. */
export const ChartBox = ({ title, summary, children, actions, series, asTable = false }: ChartBoxProps) => {
  const [chosen, setChosen] = useState(false)
  const heading = useId()
  const isTable = chosen !== asTable
  return (
    <Box>
      <section className="stack" aria-labelledby={heading}>
        <div className="spread wrap">
          <h2 id={heading}>{title}</h2>
          <span className="line">
            {actions}
            <Button
              small
              look="ghost"
              onPress={() => setChosen(!chosen)}
              aria-label={`${title}: show as ${isTable ? "chart" : "table"}`}
            >
              {isTable ? "Chart" : "Table"}
            </Button>
          </span>
        </div>
        <p className="muted">{summary}</p>
        {isTable ? <SeriesTable label={title} series={series} /> : children}
      </section>
    </Box>
  )
}
