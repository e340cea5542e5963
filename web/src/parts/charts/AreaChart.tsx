import { area, stack } from "d3-shape"
import { Axes } from "./Axes.tsx"
import { chartHeight, indexAxis, margin, type Series, spreadLabels, valueAxis } from "./chart.ts"
import styles from "./charts.module.css"
import { PointLinks } from "./PointLinks.tsx"
import { useWidth } from "./useWidth.ts"

export interface Area extends Series {
  readonly tone: "p0" | "p1" | "p2" | "p3"
}

type Layer = readonly [low: number, high: number]

/** The layers, one on another from the base, as pairs of their lower and upper edge. */
const layersOf = (areas: ReadonlyArray<Area>): ReadonlyArray<ReadonlyArray<Layer>> => {
  const count = areas[0]?.points.length ?? 0
  const rows = Array.from({ length: count }, (_, index) => areas.map(({ points }) => points[index]?.value ?? 0))
  return stack<ReadonlyArray<number>, number>()
    .keys(areas.map((_, n) => n))
    .value((row, n) => row[n] ?? 0)(rows)
    .map((layer) => layer.map(([low, high]) => [low, high] as const))
}

/** Amounts that make up a whole, over time: the first area is the base. Names and last values stand at the right edge. */
export const AreaChart = ({ areas }: { readonly areas: ReadonlyArray<Area> }) => {
  const [box, width] = useWidth(560)
  const layers = layersOf(areas)
  const { y, lines } = valueAxis(Math.max(0, ...(layers.at(-1) ?? []).map(([, high]) => high)))
  const dates = areas[0]?.points.map(({ at }) => at) ?? []
  const x = indexAxis(dates.length, width)
  const shape = area<Layer>()
    .x((_, index) => x(index))
    .y0(([low]) => y(low))
    .y1(([, high]) => y(high))
  const middles = layers.map((layer) => {
    const [low, high] = layer.at(-1) ?? [0, 0]
    return y((low + high) / 2)
  })
  const labels = spreadLabels(middles)
  return (
    <div ref={box}>
      <svg className={styles.chart} width={width} height={chartHeight}>
        <title>{areas.map(({ name }) => name).join(", ")}</title>
        <Axes width={width} lines={lines} y={y} x={x} dates={dates} format={areas[0]?.format ?? String} />
        {areas.map(({ name, tone, points, format }, n) => (
          <g key={name} className={styles[tone]}>
            <path className={styles.area} d={shape([...(layers[n] ?? [])]) ?? ""} />
            <rect
              className={styles.swatch}
              x={width - margin.right + 8}
              y={(labels[n] ?? 0) - 4}
              width="8"
              height="8"
              rx="2"
            />
            <text className={styles.label} x={width - margin.right + 22} y={labels[n]} dy="0.32em">
              {name} {format(points.at(-1)?.value ?? 0)}
            </text>
            <PointLinks points={points} x={x} y={(_, index) => y(layers[n]?.[index]?.[1] ?? 0)} />
          </g>
        ))}
      </svg>
    </div>
  )
}
