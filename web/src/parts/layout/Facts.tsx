import type { ReactNode } from "react"
import styles from "./layout.module.css"

/** Names and values, one pair a line. */
export const Facts = ({ facts }: { readonly facts: ReadonlyArray<readonly [name: string, value: ReactNode]> }) => (
  <dl className={styles.facts}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
