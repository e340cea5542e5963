import { Link } from "@tanstack/react-router"
import type { EntrySummary } from "../../api/context.ts"
import { Time } from "../../parts/text/Time.tsx"
import styles from "./Context.module.css"
import { actorName, Corroborated, EntryKind } from "./kinds.tsx"
import { type ContextSearch, sourceOf } from "./useContextView.ts"

interface EntryListProps {
  readonly entries: ReadonlyArray<EntrySummary>
  readonly search: ContextSearch
  readonly openKey: string | undefined
  readonly nameOf: (slug: string | null) => string
}

/** Entries, one a row; each row is a link to itself beside the list. */
export const EntryList = ({ entries, search, openKey, nameOf }: EntryListProps) => (
  <ul className={styles.rows}>
    {entries.map((entry) => (
      <li key={entry.id}>
        <Link
          to="/context"
          search={{ ...search, entry: entry.key, show: undefined, dialog: undefined }}
          className={styles.row}
          aria-current={entry.key === openKey ? "true" : undefined}
          data-entry={entry.key}
        >
          <span className="spread">
            <strong className="clip">{entry.title}</strong>
            <span className="muted">
              <Time at={entry.updated_at} />
            </span>
          </span>
          <span className={`${styles.meta} mono clip`}>{entry.key}</span>
          <span className={`${styles.meta} line wrap`}>
            <EntryKind kind={entry.kind} />
            <span>by {actorName(entry.updated_by)}</span>
            <Corroborated entry={entry} />
          </span>
          {entry.level === "own" && entry.replaces.length === 0 ? null : (
            <span className={styles.meta}>
              {sourceOf(entry, nameOf)}
              {entry.replaces.length === 0
                ? ""
                : `, replaces the entry of ${entry.replaces
                    .map(({ source_hidden, source_project_slug }) =>
                      source_hidden ? "a hidden level" : nameOf(source_project_slug)
                    )
                    .join(" and ")}`}
            </span>
          )}
        </Link>
      </li>
    ))}
  </ul>
)
