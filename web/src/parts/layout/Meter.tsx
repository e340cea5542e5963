import { Meter as AriaMeter } from "react-aria-components/Meter"
import styles from "./layout.module.css"

interface MeterProps {
  readonly label: string
  readonly value: number
  readonly max: number
  /** A further share that is expected, drawn paler. */
  readonly expected?: number
  /** The value in words. */
  readonly words: string
}

const share = (value: number, max: number) => (max <= 0 ? 0 : Math.min(100, Math.max(0, (value / max) * 100)))

/** A known share of a whole. */
export const Meter = ({ label, value, max, expected = 0, words }: MeterProps) => (
  <AriaMeter aria-label={label} value={Math.min(value, max)} maxValue={max <= 0 ? 1 : max} valueLabel={words}>
    <svg className={styles.meter} preserveAspectRatio="none" viewBox="0 0 100 1" aria-hidden="true" focusable="false">
      <rect className={styles.meterExpected} width={share(value + expected, max)} height="1" />
      <rect className={styles.meterValue} width={share(value, max)} height="1" />
    </svg>
  </AriaMeter>
)
