import { Effect } from "effect"
import { Job, JobPath, Workflow } from "../schema/Job.ts"
import { jobs as operations } from "../schema/operations/index.ts"
import { type Page, page } from "../schema/Page.ts"
import { field, integer, oneOf, optional } from "../schema/Text.ts"
import { JobEvents } from "../services/jobs/JobEvents.ts"
import { Jobs } from "../services/jobs/Jobs.ts"
import { Submissions } from "../services/jobs/Submissions.ts"
import { pageWithin } from "./answerSize.ts"
import { pageArgs, repositoryArgs } from "./args.ts"
import { JobRow, jobRow, SubmittedRow, submittedRow } from "./jobRow.ts"
import { tool } from "./Tool.ts"

const withoutParams = ["standard_audit", "audit", "discover", "revalidate"] as const

// A review and a fix need parameters, which this tool does not take: other tools start them.
const otherTools = new Map<unknown, string>([
  ["review", "; a review starts with request_branch_review or request_pr_review"],
  ["fix", "; a fix starts with submit_fix"]
])

const SubmittedWorkflow = field(
  oneOf(...withoutParams).annotations({
    message: ({ actual }) => ({
      message: `must be one of ${withoutParams.join(", ")}${otherTools.get(actual) ?? ""}`,
      override: true
    })
  }),
  "`standard_audit` (standard set of tools), `audit` (all tools), `discover`, or `revalidate` (open observations again)."
)

const JobsPage = page("JobRows", JobRow)

/** A page of slim rows; `read` is a list of jobs. */
const jobPage = <E, R>(limit: number, read: (limit: number) => Effect.Effect<Page<Job>, E, R>) =>
  pageWithin(JobRow, limit, (limit) => Effect.map(read(limit), (page) => ({ ...page, data: page.data.map(jobRow) })))

export const JobsTools = Effect.map(Effect.all([Jobs, Submissions, JobEvents]), ([jobs, submissions, events]) => [
  tool({
    name: "submit_job",
    title: "Submit job",
    description:
      "Start a workflow on a repository branch, which spends credit. Use request_pr_review or request_branch_review to start a review.",
    operation: operations.submitJob,
    args: { ...repositoryArgs, workflow: SubmittedWorkflow },
    result: SubmittedRow,
    run: ({ workflow, ...path }) => Effect.map(submissions.submit({ path, workflow }), ({ job }) => submittedRow(job))
  }),
  tool({
    name: "retry_job",
    title: "Retry job",
    description:
      "Run a failed or cancelled job again, which spends credit. Use get_job_status to see whether its failure is retryable.",
    operation: operations.retryJob,
    args: JobPath.fields,
    result: SubmittedRow,
    run: ({ job_id }) => Effect.map(submissions.retry(job_id), ({ job }) => submittedRow(job))
  }),
  tool({
    name: "get_job_status",
    title: "Get job status",
    description:
      "Read one job: status, progress, cost, result and failure. Use list_active_jobs for all jobs that have not ended.",
    operation: operations.readJob,
    args: {
      ...JobPath.fields,
      wait_s: optional(
        integer(0, 25),
        "Seconds to wait for another status or stage; answers as soon as there is one. Default 0."
      )
    },
    result: Job,
    run: ({ job_id, wait_s = 0 }) => events.awaitChange(job_id, wait_s)
  }),
  tool({
    name: "list_jobs",
    title: "List jobs",
    description: "List jobs of the workspace, newest first. Use list_repository_jobs for one repository.",
    operation: operations.listJobs,
    args: pageArgs(20),
    result: JobsPage,
    run: ({ limit = 20, ...query }) => jobPage(limit, (limit) => jobs.list({ ...query, limit }))
  }),
  tool({
    name: "list_active_jobs",
    title: "List active jobs",
    description: "List pending and running jobs of the workspace, newest first. Use list_jobs for ended ones.",
    operation: operations.listActiveJobs,
    args: pageArgs(20),
    result: JobsPage,
    run: ({ limit = 20, ...query }) => jobPage(limit, (limit) => jobs.listActive({ ...query, limit }))
  }),
  tool({
    name: "list_repository_jobs",
    title: "List repository jobs",
    description: "List jobs of one repository, newest first. Use get_job_status for details of one.",
    operation: operations.listRepositoryJobs,
    args: { ...repositoryArgs, workflow: optional(Workflow, "Only jobs of this workflow."), ...pageArgs(20) },
    result: JobsPage,
    run: ({ github_org, github_repo, github_base_branch, limit = 20, ...rest }) =>
      jobPage(limit, (limit) =>
        jobs.listOfRepository({ path: { github_org, github_repo, github_base_branch }, limit, ...rest })
      )
  })
])
