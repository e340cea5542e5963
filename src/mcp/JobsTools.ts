import { Effect } from "effect"
import { Job, Workflow, workflows } from "../schema/Job.ts"
import { jobs as operations } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { oneOf, optional, Uuid } from "../schema/Text.ts"
import { Jobs } from "../services/jobs/Jobs.ts"
import { Submissions } from "../services/jobs/Submissions.ts"
import { pageArgs, repositoryArgs } from "./args.ts"
import { tool } from "./Tool.ts"

const JobsPage = page("JobsPage", Job)

export const JobsTools = Effect.map(Effect.all([Jobs, Submissions]), ([jobs, submissions]) => [
  tool({
    name: "submit_job",
    title: "Submit job",
    description: "Start a workflow on a repository branch; poll get_job_status for its end.",
    operation: operations.submitJob,
    args: { ...repositoryArgs, workflow: oneOf(...workflows) },
    result: Job,
    idempotent: true,
    run: ({ workflow, ...path }) => Effect.map(submissions.submit({ path, workflow }), ({ job }) => job)
  }),
  tool({
    name: "retry_job",
    title: "Retry job",
    operation: operations.retryJob,
    args: { job_id: Uuid },
    result: Job,
    idempotent: true,
    run: ({ job_id }) => Effect.map(submissions.retry(job_id), ({ job }) => job)
  }),
  tool({
    name: "get_job_status",
    title: "Get job status",
    operation: operations.readJob,
    args: { job_id: Uuid },
    result: Job,
    run: ({ job_id }) => jobs.get(job_id)
  }),
  tool({
    name: "list_jobs",
    title: "List jobs",
    operation: operations.listJobs,
    args: pageArgs(20),
    result: JobsPage,
    run: ({ limit = 20, cursor }) => jobs.list({ limit, ...(cursor === undefined ? {} : { cursor }) })
  }),
  tool({
    name: "list_active_jobs",
    title: "List active jobs",
    operation: operations.listActiveJobs,
    args: pageArgs(20),
    result: JobsPage,
    run: ({ limit = 20, cursor }) => jobs.listActive({ limit, ...(cursor === undefined ? {} : { cursor }) })
  }),
  tool({
    name: "list_repository_jobs",
    title: "List repository jobs",
    operation: operations.listRepositoryJobs,
    args: { ...repositoryArgs, workflow: optional(Workflow), ...pageArgs(20) },
    result: JobsPage,
    run: ({ github_org, github_repo, github_base_branch, limit = 20, ...rest }) =>
      jobs.listOfRepository({ path: { github_org, github_repo, github_base_branch }, limit, ...rest })
  })
])
