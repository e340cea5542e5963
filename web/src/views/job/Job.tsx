import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { hasEnded, type Job as JobRecord, jobQuery, useJobEvents } from "../../api/jobs.ts"
import { repositoriesQuery, repositoryHref } from "../../api/repositories.ts"
import { JobState } from "../../parts/badges/job.tsx"
import { LiveRegion } from "../../parts/feedback/LiveRegion.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Facts } from "../../parts/layout/Facts.tsx"
import { Columns, Page, PageHead, Section } from "../../parts/layout/Page.tsx"
import { Stages } from "../../parts/stages/Stages.tsx"
import { stageWords, workflowName } from "../../parts/stages/stageWords.ts"
import { currentOf, type Story, storyOf } from "../../parts/stages/story.ts"
import { CopyButton } from "../../parts/text/CopyButton.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { useNow } from "../../parts/text/useNow.ts"
import { Artifacts } from "./Artifacts.tsx"
import { ConnectionState } from "./ConnectionState.tsx"
import { FoundByJob } from "./FoundByJob.tsx"
import { Gates } from "./Gates.tsx"
import styles from "./Job.module.css"
import { JobActions } from "./JobActions.tsx"
import { JobFailure } from "./JobFailure.tsx"
import { JobFigures } from "./JobFigures.tsx"
import { JobLog } from "./JobLog.tsx"
import { warningsOf } from "./jobResult.ts"

const route = getRouteApi("/shell/jobs/$id")

const announcement = (job: JobRecord, story: Story): string => {
  if (hasEnded(job)) return `${workflowName(job.workflow)} ${job.status}.`
  const current = currentOf(story)
  return current === null ? `${workflowName(job.workflow)} is ${job.status}.` : `${stageWords(current.name).name} runs.`
}

const RepositoryLink = ({ name }: { readonly name: string }) => {
  const { data } = useQuery(repositoriesQuery)
  const [repository, ...others] = data?.filter(({ repo_name }) => repo_name === name) ?? []
  if (repository === undefined || others.length > 0) return <>{name}</>
  return <a href={repositoryHref(repository)}>{name}</a>
}

const Side = ({ job }: { readonly job: JobRecord }) => (
  <>
    <Facts
      facts={[
        ["Workflow", workflowName(job.workflow)],
        ["Repository", <RepositoryLink key="repository" name={job.repo_name} />],
        ["Commit", job.commit_sha === null ? "Not known yet" : <code key="commit">{job.commit_sha.slice(0, 12)}</code>],
        [
          "Job",
          <span key="job" className="line">
            <code className="clip">{job.id}</code>
            <CopyButton text={job.id} label="Copy the job's ID" />
          </span>
        ],
        ...(job.agent_runner === null ? [] : [["Runner", job.agent_runner] as const]),
        ["Try", String(job.attempt)],
        ...(job.parent_job_id === null
          ? []
          : [
              [
                "Retry of",
                <Link key="parent" to="/jobs/$id" params={{ id: job.parent_job_id }}>
                  the job before
                </Link>
              ] as const
            ]),
        ...(job.pr_url === null
          ? []
          : [
              [
                "Pull request",
                <a key="pr" href={job.pr_url} rel="noreferrer">
                  {job.pr_url}
                </a>
              ] as const
            ])
      ]}
    />
    {hasEnded(job) ? (
      <FoundByJob job={job} />
    ) : (
      <Note tone="info">
        <p>You may close this page. The job goes on, and a notice appears when it ends.</p>
      </Note>
    )}
  </>
)

/** One job: what it does now, what it cost, what happened. */
export const Job = () => {
  const { id } = route.useParams()
  const { data: job } = useSuspenseQuery(jobQuery(id))
  const { events, connection, error } = useJobEvents(id)
  const story = storyOf(job.workflow, events)
  const now = useNow(!hasEnded(job))
  const title = `${workflowName(job.workflow)} of ${job.repo_name}`
  const warnings = warningsOf(job)
  return (
    <Page title={title} crumbs={[{ label: "Jobs", href: "/jobs" }]}>
      <PageHead
        title={title}
        facts={
          <>
            <JobState status={job.status} />
            <span>
              {job.started_at === null ? "Submitted" : "Started"} <Time at={job.started_at ?? job.created_at} long />
              {job.requested_by.label === null ? "" : ` by ${job.requested_by.label}`}
            </span>
          </>
        }
        actions={<JobActions job={job} />}
      />
      <div className="stack">
        <JobFailure job={job} story={story} />
        {warnings.length === 0 ? null : (
          <Note tone="warn">
            {warnings.map((warning) => (
              <p key={warning}>{warning}</p>
            ))}
          </Note>
        )}
        <JobFigures job={job} story={story} now={now} />
      </div>
      <div className={styles.columns}>
        <Columns side={<Side job={job} />}>
          <Section title="Stages" actions={<ConnectionState connection={connection} />}>
            {error === null ? null : <Problem error={error} />}
            <Stages stages={story.stages} now={now} />
          </Section>
          <Gates gates={story.gates} />
          <Artifacts job={job} />
          <JobLog events={events} />
        </Columns>
      </div>
      <LiveRegion text={announcement(job, story)} />
    </Page>
  )
}
