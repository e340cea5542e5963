import type { Criterion } from "../../api/changeReviews.ts"
import { VerdictState } from "../../parts/badges/changeReview.tsx"
import { CopyButton } from "../../parts/text/CopyButton.tsx"
import styles from "./changeReview.module.css"

const placeOf = ({ file_path, line_start, line_end }: Criterion["evidence"][number]) =>
  line_start === line_end ? `${file_path}:${line_start}` : `${file_path}:${line_start}-${line_end}`

/** Each criterion with its verdict, the reason, and the places that show it. */
export const Criteria = ({ criteria }: { readonly criteria: ReadonlyArray<Criterion> }) =>
  criteria.length === 0 ? (
    <p className="muted">None yet. Without criteria nothing is judged.</p>
  ) : (
    <ol className={styles.criteria}>
      {criteria.map((criterion) => (
        <li key={criterion.id} className={styles.criterion}>
          <div className="line wrap">
            <VerdictState verdict={criterion.verdict} />
            <h3>{criterion.text}</h3>
          </div>
          {criterion.reason === "" ? null : <p className="prose">{criterion.reason}</p>}
          {criterion.evidence.length === 0 ? null : (
            <ul className="stack">
              {criterion.evidence.map((evidence) => (
                <li key={`${evidence.repository} ${evidence.commit} ${placeOf(evidence)}`} className="line wrap">
                  <code className={styles.place}>{placeOf(evidence)}</code>
                  <span className="muted">
                    {evidence.repository} at <code>{evidence.commit.slice(0, 8)}</code>
                  </span>
                  <CopyButton text={placeOf(evidence)} label={`Copy ${placeOf(evidence)}`} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  )
