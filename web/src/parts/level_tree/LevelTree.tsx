import { Link, type LinkProps } from "@tanstack/react-router"
import { Icon, type IconName } from "../icon/Icon.tsx"
import styles from "./LevelTree.module.css"

export interface TreeLevel {
  /** The part of the address that opens it. */
  readonly search: LinkProps["search"]
  readonly id: string
  readonly name: string
  readonly icon: IconName
  /** Levels above it. */
  readonly depth: number
  /** What waits there. */
  readonly count?: number
  readonly isCurrent: boolean
}

/** The workspace with its areas, spaces and projects, each a link. */
export const LevelTree = ({
  label,
  to,
  levels,
  counted
}: {
  readonly label: string
  readonly to: LinkProps["to"]
  readonly levels: ReadonlyArray<TreeLevel>
  /** What is counted, for assistive technology: `proposed`. */
  readonly counted: string
}) => (
  <nav aria-label={label} className={styles.tree}>
    <ul>
      {levels.map(({ id, search, name, icon, depth, count = 0, isCurrent }) => (
        <li key={id} className={styles[`depth${Math.min(depth, 3)}`]}>
          <Link to={to} search={search} aria-current={isCurrent ? "page" : undefined} className={styles.level}>
            <Icon name={icon} />
            <span className="clip">{name}</span>
            {count === 0 ? null : (
              <span className={`${styles.count} num`}>
                {count}
                <span className="hidden-text"> {counted}</span>
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)
