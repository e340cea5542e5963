import styles from "./forecast.module.css"

interface ForecastRangeProps {
  readonly label: string
  /** The most likely value, in words. */
  readonly value: string
  /** Both ends, in words. */
  readonly range: string
  readonly low: number
  readonly mid: number
  readonly high: number
}

/** Room beyond the high end, so that the band is seen as a part of what is possible. */
const beyond = 1.35

/** A forecast as a band from its low to its high end, with a mark at the most likely value. */
export const ForecastRange = ({ label, value, range, low, mid, high }: ForecastRangeProps) => {
  const max = high * beyond || 1
  const share = (amount: number) => `${(amount / max) * 100}%`
  return (
    <div>
      <div className="spread">
        <span className="soft">{label}</span>
        <strong className="num">{value}</strong>
      </div>
      <svg className={styles.range} aria-hidden="true" focusable="false">
        <title>{label}</title>
        <rect className={styles.track} y="5" width="100%" height="3" rx="1.5" />
        <rect className={styles.band} x={share(low)} y="4" width={share(high - low)} height="5" />
        <rect className={styles.mark} x={share(mid)} y="1" width="2" height="11" />
      </svg>
      <div className="muted num">{range}</div>
    </div>
  )
}
