import type { Job } from "../../api/jobs.ts"

type FailureKind = NonNullable<Job["failure_kind"]>

/** What to do next, one sentence for each way to fail. */
export const nextSteps: Readonly<Record<FailureKind, string>> = {
  clone_failed: "Check that the remote is up and that this server can reach it, then retry.",
  repo_unavailable:
    "Check the clone URL and the stored credential in the repository's settings: the repository, its branch or the access to it is gone.",
  no_changes: "There is nothing to do: the code is already as it should be, or no change could be made.",
  diff_too_large: "Split the change into smaller ones and start again: this one is larger than can be reviewed.",
  test_regression: "Read the output of the tests among the artifacts; retry, or make the change by hand.",
  build_failed: "Read the output of the build among the artifacts; retry, or make the change by hand.",
  lint_failed: "Read the output of the linter among the artifacts; retry, or make the change by hand.",
  quality_gate_failed: "Read below which gate failed and why; retry, or make the change by hand.",
  finding_not_resolved: "The change did not remove the finding; retry, or make the change by hand.",
  push_rejected: "Give the stored credential the right to push branches, or relax the branch's protection, then retry.",
  workflow_file: "Make this change by hand: files of the code host's workflows are not changed by fixes.",
  budget_exceeded: "Ask an admin to raise the limit per job in Settings, then start again.",
  resource_limit: "Ask the operator to raise the memory or size limit (ASSAY_SCAN_MEMORY_MB), then retry.",
  disk_full: "Make room on the server's disk, then retry.",
  timeout: "Retry when the server has less to do; ask the operator to raise ASSAY_SCAN_TIMEOUT_S if it happens again.",
  worker_lost: "Retry: the process that ran the job was lost, and the job could not be taken up again.",
  agent_failed: "Read the agent's summary among the artifacts, then retry, or make the change by hand.",
  internal: "Retry; if it fails again, send the operator the ID of the job: the server's log has the cause."
}
