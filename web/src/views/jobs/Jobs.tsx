import { useSuspenseInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { hasEnded, type Job, jobsQuery } from "../../api/jobs.ts"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { MoreButton } from "../../parts/layout/MoreButton.tsx"
import { Box, Page, Section } from "../../parts/layout/Page.tsx"
import { relative } from "../../parts/text/relative.ts"
import { JobsTable } from "./JobsTable.tsx"

/** One sentence in place of an empty list. */
const noJobRuns = (ended: ReadonlyArray<Job>): string => {
  const last = ended.find(({ finished_at }) => finished_at !== null)?.finished_at
  return last == null
    ? "No job is running."
    : `No job is running. The last one ended ${relative(new Date(last), new Date()).words}.`
}

const List = ({ jobs, otherwise }: { readonly jobs: ReadonlyArray<Job>; readonly otherwise: string }) =>
  jobs.length === 0 ? (
    <p className="soft">{otherwise}</p>
  ) : (
    <Box padded={false}>
      <JobsTable jobs={jobs} />
    </Box>
  )

/** What runs in the workspace now, and what ran before. */
export const Jobs = () => {
  const query = useSuspenseInfiniteQuery(jobsQuery)
  const jobs = query.data.pages.flatMap(({ data }) => data)
  const ended = jobs.filter(hasEnded)
  if (jobs.length === 0)
    return (
      <Page title="Jobs">
        <Empty icon="job" why="No job ran yet." next={<Link to="/repos">Choose a repository to audit</Link>} />
      </Page>
    )
  return (
    <Page title="Jobs">
      <h2>Running and waiting</h2>
      <List jobs={jobs.filter((job) => !hasEnded(job))} otherwise={noJobRuns(ended)} />
      <Section title="Ended">
        <List jobs={ended} otherwise="No job has ended yet." />
        <MoreButton query={query} />
      </Section>
    </Page>
  )
}
