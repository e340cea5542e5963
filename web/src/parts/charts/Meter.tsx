import styles from "./Meter.module.css"

export interface Range {
  readonly from: number
  readonly to: number
}

interface MeterProps {
  /** What is measured, and how far it is, for assistive technology; left out where words beside it say so. */
  readonly label?: string
  readonly value: number
  readonly max: number
  /** The pale band: the forecast's range. */
  readonly band?: Range
  readonly tone?: "accent" | "good" | "low"
}

const share = (value: number, max: number) => `${max <= 0 ? 0 : Math.min(100, Math.max(0, (value / max) * 100))}%`

/** A bar for a known share. */
export const Meter = ({ label, value, max, band, tone = "accent" }: MeterProps) => (
  <svg
    className={styles.meter}
    preserveAspectRatio="none"
    role="img"
    aria-label={label}
    aria-hidden={label === undefined}
  >
    {band === undefined ? null : (
      <rect className={styles.band} x={share(band.from, max)} width={share(band.to - band.from, max)} height="100%" />
    )}
    <rect className={styles[tone]} width={share(value, max)} height="100%" rx="4" />
  </svg>
)
