import type { ReactNode } from "react"
import { Checkbox } from "../fields/Checkbox.tsx"
import { figure } from "../text/counted.ts"
import styles from "./facets.module.css"

export interface FacetValue {
  readonly value: string
  readonly label: ReactNode
  /** Left out where no one has counted. */
  readonly count?: number
  readonly isSelected: boolean
}

export interface Facet {
  readonly name: string
  readonly label: string
  readonly values: ReadonlyArray<FacetValue>
}

const shownAtOnce = 8

const Value = ({ value, onToggle }: { readonly value: FacetValue; readonly onToggle: () => void }) => (
  <li className={styles.value}>
    <Checkbox isSelected={value.isSelected} onChange={onToggle}>
      <span className="clip">{value.label}</span>
    </Checkbox>
    {value.count === undefined ? null : <span className="num muted">{figure(value.count)}</span>}
  </li>
)

/** Values to narrow a list by, with how many rows each would leave. */
export const Facets = ({
  facets,
  onToggle
}: {
  readonly facets: ReadonlyArray<Facet>
  readonly onToggle: (name: string, value: string) => void
}) => (
  <div className={styles.facets}>
    {facets.map(({ name, label, values }) => (
      <section key={name} aria-label={label}>
        <h2 className={styles.label}>{label}</h2>
        <ul>
          {values.slice(0, shownAtOnce).map((value) => (
            <Value key={value.value} value={value} onToggle={() => onToggle(name, value.value)} />
          ))}
        </ul>
        {values.length <= shownAtOnce ? null : (
          <details className={styles.more}>
            <summary>{values.length - shownAtOnce} more</summary>
            <ul>
              {values.slice(shownAtOnce).map((value) => (
                <Value key={value.value} value={value} onToggle={() => onToggle(name, value.value)} />
              ))}
            </ul>
          </details>
        )}
      </section>
    ))}
  </div>
)
