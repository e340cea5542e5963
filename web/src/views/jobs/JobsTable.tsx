import { Link } from "@tanstack/react-router"
import { hasEnded, type Job } from "../../api/jobs.ts"
import { JobState } from "../../parts/badges/job.tsx"
import { type Column, Table } from "../../parts/layout/Table.tsx"
import { stageWords, workflowName } from "../../parts/stages/stageWords.ts"
import { duration } from "../../parts/text/duration.ts"
import { Money } from "../../parts/text/Money.tsx"
import { Time } from "../../parts/text/Time.tsx"

const secondsOf = ({ started_at, finished_at }: Job): number | null =>
  started_at === null || finished_at === null ? null : (Date.parse(finished_at) - Date.parse(started_at)) / 1000

const Took = ({ job }: { readonly job: Job }) => {
  const seconds = secondsOf(job)
  if (seconds !== null) return <span className="num">{duration(seconds)}</span>
  return hasEnded(job) || job.progress === null ? null : stageWords(job.progress.stage).name
}

const byWhom = ({ requested_by: { label, kind } }: Job) => label ?? (kind === "system" ? "Assay" : "")

const columns: ReadonlyArray<Column<Job>> = [
  {
    name: "Job",
    cell: (job) => (
      <Link to="/jobs/$id" params={{ id: job.id }}>
        {workflowName(job.workflow)}
        {job.attempt > 1 ? `, try ${job.attempt}` : ""}
      </Link>
    )
  },
  { name: "Repository", cell: ({ repo_name }) => repo_name },
  { name: "State", cell: ({ status }) => <JobState status={status} /> },
  { name: "Submitted", cell: ({ created_at }) => <Time at={created_at} /> },
  { name: "Took", cell: (job) => <Took job={job} /> },
  { name: "Cost", figure: true, cell: ({ cost_usd }) => <Money amount={cost_usd} /> },
  { name: "By", cell: byWhom }
]

/** Jobs, newest first, each with the way to its page. */
export const JobsTable = ({
  jobs,
  withRepository = true
}: {
  readonly jobs: ReadonlyArray<Job>
  readonly withRepository?: boolean
}) => (
  <Table
    label="Jobs"
    columns={withRepository ? columns : columns.filter(({ name }) => name !== "Repository")}
    rows={jobs}
    keyOf={({ id }) => id}
  />
)
