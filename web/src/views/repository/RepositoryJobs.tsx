import { useSuspenseInfiniteQuery } from "@tanstack/react-query"
import { jobsOfQuery } from "../../api/jobs.ts"
import { addressOf, type Repository } from "../../api/repositories.ts"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { AuditButton } from "../../parts/forecast/AuditButton.tsx"
import { MoreButton } from "../../parts/layout/MoreButton.tsx"
import { Box } from "../../parts/layout/Page.tsx"
import { JobsTable } from "../jobs/JobsTable.tsx"
import styles from "./Repository.module.css"

/** Jobs of the repository, newest first. */
export const RepositoryJobs = ({ repository }: { readonly repository: Repository }) => {
  const query = useSuspenseInfiniteQuery(jobsOfQuery(addressOf(repository)))
  const jobs = query.data.pages.flatMap(({ data }) => data)
  if (jobs.length === 0)
    return (
      <Empty
        icon="job"
        why="No job ran on this branch yet."
        next="The first audit reads every file and records what it finds."
        action={<AuditButton repository={repository} />}
      />
    )
  return (
    <div className={styles.page}>
      <Box padded={false}>
        <JobsTable jobs={jobs} withRepository={false} />
      </Box>
      <MoreButton query={query} />
    </div>
  )
}
