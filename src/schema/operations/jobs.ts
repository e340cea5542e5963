import { operation } from "../Operation.ts"

const jobSubmit = { name: "job_submit", rpm: 30 } // shared by submit and retry: one counter

export const submitJob = operation({
  name: "jobs.submit",
  summary: "Start a workflow on a repository branch.",
  scopes: ["submit_audit_jobs"], // fix jobs also need submit_fix_jobs: Jobs.submit checks
  access: "spend",
  openWorld: true,
  reserves: true,
  bucket: jobSubmit
})
export const retryJob = operation({
  name: "jobs.retry",
  summary: "Run a failed or cancelled job again.",
  scopes: ["submit_audit_jobs"], // fix jobs also need submit_fix_jobs: Jobs.retry checks, it alone knows the job
  access: "spend",
  openWorld: true,
  reserves: true,
  bucket: jobSubmit
})
export const listRepositoryJobs = operation({
  name: "jobs.list_of_repository",
  summary: "List one repository's jobs, newest first.",
  scopes: ["view_jobs"],
  access: "read",
  bucket: { name: "repo_jobs", rpm: 120 }
})
export const listJobs = operation({
  name: "jobs.list",
  summary: "List the workspace's jobs, newest first.",
  scopes: ["view_jobs"],
  access: "read"
})
export const listActiveJobs = operation({
  name: "jobs.list_active",
  summary: "List the workspace's pending and running jobs, newest first.",
  scopes: ["view_jobs"],
  access: "read"
})
export const readJob = operation({
  name: "jobs.read",
  summary: "Read one job: status, progress, cost, result and failure.",
  scopes: ["view_jobs"],
  access: "read"
})
export const cancelJob = operation({
  name: "jobs.cancel",
  summary: "Cancel a pending or running job.",
  scopes: ["cancel_running_jobs"],
  access: "write",
  destructive: true,
  idempotent: true
})
export const listJobArtifacts = operation({
  name: "jobs.artifacts",
  summary: "List what a job has written for people, oldest first.",
  scopes: ["view_jobs"],
  access: "read"
})
export const readJobArtifact = operation({
  name: "jobs.artifact",
  summary: "Read one artifact of a job, as a file.",
  scopes: ["view_jobs"],
  access: "read"
})
export const readJobEvents = operation({
  name: "jobs.events",
  summary: "Read a job's events, oldest first, as a page or a live stream.",
  scopes: ["view_jobs"],
  access: "read"
})
