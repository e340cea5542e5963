import type { Entry } from "../../api/context.ts"
import { Markdown } from "../../parts/markdown/Markdown.tsx"
import styles from "./Context.module.css"

/** What an entry says, as agents read it. */
export const EntryText = ({ entry }: { readonly entry: Entry }) => (
  <div className="stack">
    <p className="prose">{entry.summary}</p>
    {entry.body_md === "" ? null : <Markdown text={entry.body_md} />}
    {Object.keys(entry.data).length === 0 ? null : (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      <section className={styles.data} aria-label="Data" tabIndex={0}>
        <pre>{JSON.stringify(entry.data, null, 2)}</pre>
      </section>
    )}
  </div>
)
