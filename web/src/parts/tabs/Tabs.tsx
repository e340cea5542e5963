import { Link, type LinkProps } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { figure } from "../text/counted.ts"
import styles from "./Tabs.module.css"

export interface Tab {
  readonly label: ReactNode
  readonly count?: number
  readonly to: LinkProps["to"]
  readonly params?: LinkProps["params"]
  readonly search?: LinkProps["search"]
  /** Whether it is the one that is shown; left out, the address decides. */
  readonly isCurrent?: boolean
}

/** Views of one thing, each with an address of its own. */
export const Tabs = ({
  label,
  tabs,
  underlined = false
}: {
  readonly label: string
  readonly tabs: ReadonlyArray<Tab>
  readonly underlined?: boolean
}) => (
  <nav aria-label={label} className={underlined ? `${styles.tabs} ${styles.underlined}` : styles.tabs}>
    {tabs.map(({ label: words, count, to, params, search, isCurrent }) => (
      <Link
        key={`${to}${JSON.stringify(params ?? null)}${JSON.stringify(search ?? null)}`}
        to={to}
        params={params}
        search={search}
        activeOptions={{ exact: true, includeSearch: search !== undefined }}
        {...(isCurrent === undefined ? {} : { "aria-current": isCurrent ? ("page" as const) : undefined })}
      >
        {words}
        {count === undefined ? null : <span className={`${styles.count} num`}>{figure(count)}</span>}
      </Link>
    ))}
  </nav>
)
