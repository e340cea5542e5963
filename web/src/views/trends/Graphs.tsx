import type { Trends, TrendsFilter } from "../../api/trends.ts"
import { AreaChart } from "../../parts/charts/AreaChart.tsx"
import { BarChart } from "../../parts/charts/BarChart.tsx"
import { ChartBox } from "../../parts/charts/ChartBox.tsx"
import type { Series } from "../../parts/charts/chart.ts"
import { LineChart } from "../../parts/charts/LineChart.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Box } from "../../parts/layout/Page.tsx"
import { dollars } from "../../parts/text/Money.tsx"
import { coverageSeries, flowSeries, noiseBars, openAreas, spendSeries, timeToCloseSeries } from "./series.ts"
import styles from "./Trends.module.css"

const total = (entries: ReadonlyArray<{ readonly value: number | null }>) =>
  entries.reduce((sum, { value }) => sum + (value ?? 0), 0)

const inWords = ({ series, bucket }: Trends) => {
  const open = series.open_by_priority.at(-1)
  const count = open === undefined ? 0 : open.P0 + open.P1 + open.P2 + open.P3
  const spent = series.spend.reduce((sum, { spent_usd }) => sum + spent_usd, 0)
  return {
    open: `${count} observations are open at the end of the period, ${open?.P0 ?? 0} of them P0 and ${open?.P1 ?? 0} P1.`,
    flow: `${total(series.opened)} opened and ${total(series.closed)} closed in the period, one value a ${bucket}.`,
    time: "Median number of days that what was closed had been open.",
    spend: `The jobs of the period cost ${dollars(spent)}; beside it, what was forecast for them.`,
    held: "Share of the completed jobs whose cost was between the low and the high forecast."
  }
}

const LineBox = ({
  title,
  summary,
  lines,
  empty = "There is nothing to show for this period.",
  asTable
}: {
  readonly title: string
  readonly summary: string
  readonly lines: ReadonlyArray<Series>
  /** Stands in place of a chart without a single value. */
  readonly empty?: string
  readonly asTable: boolean
}) => (
  <ChartBox title={title} summary={summary} series={lines} asTable={asTable}>
    {lines.every(({ points }) => points.every(({ value }) => value === null)) ? (
      <p className="soft">{empty}</p>
    ) : (
      <LineChart lines={lines} />
    )}
  </ChartBox>
)

/** Every chart of the filter. */
export const Graphs = ({
  trends,
  filter: { days: _, ...filter },
  asTable
}: {
  readonly trends: Trends
  readonly filter: TrendsFilter
  readonly asTable: boolean
}) => {
  const { series, false_positive_share_by_rule: noise, not_shown } = trends
  const words = inWords(trends)
  const areas = openAreas(series.open_by_priority, filter)
  return (
    <div className={styles.graphs}>
      <ChartBox title="Open by priority" summary={words.open} series={[...areas].reverse()} asTable={asTable}>
        <AreaChart areas={areas} />
      </ChartBox>
      <LineBox title="Opened and closed" summary={words.flow} lines={flowSeries(series, filter)} asTable={asTable} />
      <LineBox
        title="Time to close"
        summary={words.time}
        lines={timeToCloseSeries(series, filter)}
        empty="Nothing was closed in this period."
        asTable={asTable}
      />
      <Box>
        <section className="stack" aria-labelledby="noise">
          <h2 id="noise">Noise by rule</h2>
          <p className="muted">Dismissed as false positive, of all that were decided in the period.</p>
          {noise.length === 0 ? (
            <p className="soft">Nothing was decided in this period.</p>
          ) : (
            <BarChart bars={noiseBars(noise, filter)} />
          )}
        </section>
      </Box>
      {not_shown.length > 0 ? (
        <Note tone="info">
          <p>Spending is not shown: your role lacks {not_shown.join(", ")}.</p>
        </Note>
      ) : (
        <>
          <LineBox title="Spend and forecast" summary={words.spend} lines={spendSeries(series)} asTable={asTable} />
          <LineBox
            title="Forecasts that held"
            summary={words.held}
            lines={coverageSeries(series)}
            empty="No job with a forecast was completed in this period."
            asTable={asTable}
          />
        </>
      )}
    </div>
  )
}
