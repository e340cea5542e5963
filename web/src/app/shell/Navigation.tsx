import { Link } from "@tanstack/react-router"
import { Icon } from "../../parts/icon/Icon.tsx"
import { figure } from "../../parts/text/counted.ts"
import { places } from "./places.ts"
import styles from "./Shell.module.css"
import { useCounts } from "./useCounts.ts"

/** The ways to the views; the one that is open is marked. */
export const Navigation = ({ onFollow }: { readonly onFollow?: () => void }) => {
  const counts = useCounts()
  return places.map(({ group, places: inGroup }) => (
    <div key={group}>
      <h2>{group}</h2>
      <ul>
        {inGroup.map(({ label, icon, to }) => {
          const { count = 0, isDue = false } = counts[to ?? ""] ?? {}
          return (
            <li key={label}>
              <Link to={to} onClick={onFollow} activeOptions={{ includeSearch: false }}>
                <Icon name={icon} />
                {label}
                {count === 0 ? null : (
                  <span className={`${styles.count} ${isDue ? styles.due : ""} num`}>{figure(count)}</span>
                )}
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  ))
}
