import { line } from "d3-shape"
import { Axes } from "./Axes.tsx"
import { chartHeight, indexAxis, margin, type Series, spreadLabels, valueAxis } from "./chart.ts"
import styles from "./charts.module.css"
import { PointLinks } from "./PointLinks.tsx"
import { useWidth } from "./useWidth.ts"

const colours = [styles.c1, styles.c2, styles.c3, styles.c4, styles.c5]

type Known = readonly [index: number, value: number]

const knownOf = ({ points }: Series): ReadonlyArray<Known> =>
  points.flatMap(({ value }, index) => (value === null ? [] : [[index, value] as const]))

/** At most five series over time; each has its name and last value at its end. */
export const LineChart = ({ lines }: { readonly lines: ReadonlyArray<Series> }) => {
  const [box, width] = useWidth(560)
  const known = lines.map(knownOf)
  const { y, lines: grid } = valueAxis(Math.max(0, ...known.flat().map(([, value]) => value)))
  const dates = lines[0]?.points.map(({ at }) => at) ?? []
  const x = indexAxis(dates.length, width)
  const path = line<Known>()
    .x(([index]) => x(index))
    .y(([, value]) => y(value))
  const labels = spreadLabels(known.map((values) => y(values.at(-1)?.[1] ?? 0)))
  return (
    <div ref={box}>
      <svg className={styles.chart} width={width} height={chartHeight}>
        <title>{lines.map(({ name }) => name).join(", ")}</title>
        <Axes width={width} lines={grid} y={y} x={x} dates={dates} format={lines[0]?.format ?? String} />
        {lines.map((series, n) => {
          const last = known[n]?.at(-1)
          return (
            <g key={series.name} className={colours[n]}>
              <path
                className={styles.line}
                d={path(known[n] ?? []) ?? ""}
                strokeDasharray={n === 1 ? "5 4" : undefined}
              />
              {last === undefined ? null : (
                <>
                  <circle className={styles.end} cx={x(last[0])} cy={y(last[1])} r="3.5" />
                  <text className={styles.label} x={width - margin.right + 8} y={labels[n]} dy="0.32em">
                    {series.name} {series.format(last[1])}
                  </text>
                </>
              )}
              <PointLinks points={series.points} x={x} y={y} />
            </g>
          )
        })}
      </svg>
    </div>
  )
}
