import type { ReactNode } from "react"
import styles from "./layout.module.css"

export interface Figure {
  readonly label: string
  readonly figure: ReactNode
  /** Beside the figure, small: its unit or what it is of. */
  readonly of?: ReactNode
  readonly children?: ReactNode
}

/** Three or four figures that matter, side by side. */
export const Figures = ({ figures }: { readonly figures: ReadonlyArray<Figure> }) => (
  <dl className={styles.figures}>
    {figures.map(({ label, figure, of, children }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>
          <span className={styles.figureValue}>{figure}</span>
          {of === undefined ? null : <span className="muted"> {of}</span>}
        </dd>
        {children === undefined ? null : <dd>{children}</dd>}
      </div>
    ))}
  </dl>
)
