import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { addressAt, freshnessQuery, overviewQuery, repositoryQuery } from "../../api/repositories.ts"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { NextAudit } from "./NextAudit.tsx"
import styles from "./Repository.module.css"
import { RepositoryFigures } from "./RepositoryFigures.tsx"
import { RepositoryFrame } from "./RepositoryFrame.tsx"
import { RepositoryTrend } from "./RepositoryTrend.tsx"
import { Scores } from "./Scores.tsx"

const route = getRouteApi("/shell/repos/$org/$repo/$branch")

/** The state of a repository: how much is open, how fresh the audit is, what the next one costs. */
export const Overview = () => {
  const address = addressAt(route.useParams())
  const { data: repository } = useSuspenseQuery(repositoryQuery(address))
  const overview = useQuery(overviewQuery(address))
  const freshness = useQuery(freshnessQuery(address))
  return (
    <RepositoryFrame repository={repository}>
      <div className={styles.overview}>
        {overview.error === null ? null : <Problem error={overview.error} onRetry={() => overview.refetch()} />}
        {freshness.error === null ? null : <Problem error={freshness.error} onRetry={() => freshness.refetch()} />}
        {overview.data === undefined ? (
          <Bones what="the repository" />
        ) : (
          <RepositoryFigures overview={overview.data} freshness={freshness.data} />
        )}
        {repository.last_audit_at === null && overview.data?.active_jobs === 0 ? (
          <Note tone="info">
            <p>This branch was not audited yet. The first audit reads every file and records what it finds.</p>
          </Note>
        ) : null}
        <div className={styles.boxes}>
          {overview.data === undefined ? null : <Scores scores={overview.data.benchmark} />}
          <div className="stack">
            <NextAudit repository={repository} freshness={freshness.data} />
          </div>
        </div>
        <RepositoryTrend name={repository.repo_name} />
      </div>
    </RepositoryFrame>
  )
}
