import { Link } from "@tanstack/react-router"
import type { IssueStatus, IssueSummary } from "../../api/issues.ts"
import { issueStatusWords } from "../../parts/badges/issue.tsx"
import { Priority } from "../../parts/badges/observation.tsx"
import { ScrollGroup } from "../../parts/layout/ScrollGroup.tsx"
import { assigneeWords, Claim, criteriaWords } from "./columns.tsx"
import styles from "./issues.module.css"

const lanes: ReadonlyArray<IssueStatus> = ["open", "in_progress", "blocked", "in_review", "done", "cancelled"]

/** The same issues in columns by status. */
export const Board = ({ issues }: { readonly issues: ReadonlyArray<IssueSummary> }) => (
  <ScrollGroup className={styles.board} label="Board">
    {lanes.map((status) => {
      const inLane = issues.filter((issue) => issue.status === status)
      return (
        <section key={status} className={styles.lane} aria-label={issueStatusWords(status)}>
          <h2 className={styles.laneTitle}>
            {issueStatusWords(status)} <span className="muted num">{inLane.length}</span>
          </h2>
          <ul className="stack">
            {inLane.map((issue) => (
              <li key={issue.ref} className={styles.card}>
                <Link to="/issues/$ref" params={{ ref: issue.ref }}>
                  {issue.title}
                </Link>
                <span className="line wrap">
                  <Priority priority={issue.priority} short />
                  <span className="muted">{issue.ref}</span>
                  <span className="muted">{assigneeWords(issue)}</span>
                </span>
                {issue.claim === null ? null : <Claim claim={issue.claim} />}
                {issue.acceptance_criteria.length === 0 ? null : (
                  <span className="muted">Criteria: {criteriaWords(issue)}</span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )
    })}
  </ScrollGroup>
)
