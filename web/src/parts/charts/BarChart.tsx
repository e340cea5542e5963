import styles from "./charts.module.css"

export interface Bar {
  readonly name: string
  readonly value: number
  /** The value as it stands at the bar's end. */
  readonly label: string
  readonly words: string
  readonly href: string
}

/** Shares from 0 to 1, largest first, each with its name and a way to the list that it counts. */
export const BarChart = ({ bars }: { readonly bars: ReadonlyArray<Bar> }) => {
  const highest = Math.max(...bars.map(({ value }) => value), 0) || 1
  return (
    <ul className={styles.bars}>
      {bars.map(({ name, value, label, words, href }) => (
        <li key={name}>
          <a href={href} aria-label={words} className="clip">
            {name}
          </a>
          <svg className={styles.bar} aria-hidden="true" focusable="false" preserveAspectRatio="none">
            <title>{words}</title>
            <rect width={`${(value / highest) * 100}%`} height="100%" rx="3" />
          </svg>
          <span className="num">{label}</span>
        </li>
      ))}
    </ul>
  )
}
