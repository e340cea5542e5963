import type { Point } from "./chart.ts"
import styles from "./charts.module.css"

/**
 * Each value leads to the list that it counts. They are no stops of the Tab key: the table beside the chart has the same
 * links for the keyboard.
 */
export const PointLinks = ({
  points,
  x,
  y
}: {
  readonly points: ReadonlyArray<Point>
  readonly x: (index: number) => number
  readonly y: (value: number, index: number) => number
}) => (
  <>
    {points.map(({ at, value, words, href }, index) =>
      value === null || href === undefined ? null : (
        <a key={at} href={href} tabIndex={-1} aria-label={words} className={styles.point}>
          <circle cx={x(index)} cy={y(value, index)} r="12" className={styles.hit}>
            <title>{words}</title>
          </circle>
          <circle cx={x(index)} cy={y(value, index)} r="3.5" className={styles.dot} />
        </a>
      )
    )}
  </>
)
