import { chartHeight, dayOf, margin, shownDates } from "./chart.ts"
import styles from "./charts.module.css"

interface AxesProps {
  readonly width: number
  readonly lines: ReadonlyArray<number>
  readonly y: (value: number) => number
  readonly x: (index: number) => number
  readonly dates: ReadonlyArray<string>
  readonly format: (value: number) => string
}

/** Lines of the values, and dates below. */
export const Axes = ({ width, lines, y, x, dates, format }: AxesProps) => (
  <g>
    {lines.map((value) => (
      <g key={value}>
        <line className={styles.grid} x1={margin.left} x2={width - margin.right} y1={y(value)} y2={y(value)} />
        <text className={styles.tick} x={margin.left - 8} y={y(value)} dy="0.32em" textAnchor="end">
          {format(value)}
        </text>
      </g>
    ))}
    {shownDates(dates.length, width).map((index, n, shown) => (
      <text
        key={index}
        className={styles.tick}
        x={x(index)}
        y={chartHeight - 6}
        textAnchor={n === 0 ? "start" : n === shown.length - 1 ? "end" : "middle"}
      >
        {dayOf(dates[index] ?? "")}
      </text>
    ))}
  </g>
)
