import { hostAndPort, parsed, setting, wholeNumber } from "./settingReaders.ts"

/** How many jobs run at once, and where. */
export const jobSettings = {
  jobSlots: setting("ASSAY_JOB_SLOTS", "`2`", "Jobs one worker runs at once.", wholeNumber(2, 1)),
  jobsRunning: setting(
    "ASSAY_JOBS_RUNNING",
    "`4`",
    "Jobs that run at once on all workers; at most the sum of their slots.",
    wholeNumber(4, 1)
  ),
  jobsPerWorkspace: setting(
    "ASSAY_JOBS_PER_WORKSPACE",
    "`4`",
    "Jobs of one workspace that run at once, unless `assay workspace set --max-running` says another number for it.",
    wholeNumber(4, 1)
  ),
  jobsPerRepository: setting(
    "ASSAY_JOBS_PER_REPOSITORY",
    "`4`",
    "Jobs of one repository that run at once.",
    wholeNumber(4, 1)
  ),
  repositoriesGb: setting(
    "ASSAY_REPOSITORIES_GB",
    "`50`",
    "Gigabytes that mirrors and caches of repositories may take on one machine; see [Disk](docs/operations.md#disk).",
    wholeNumber(50, 1)
  ),
  workerAddress: setting(
    "ASSAY_WORKER_ADDRESS",
    "none",
    "`host:port` under which other workers reach this one; needed by `--role worker`.",
    parsed(null, hostAndPort, "the host:port under which others reach this worker")
  )
} as const
