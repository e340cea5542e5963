import { JobId, KeyId } from "../Ids.ts"
// Jobs as the API document shows them.

export const pendingJob = {
  id: JobId.make("01a1f7f8-633b-765c-ab36-2777cf1f608a"),
  workflow: "audit",
  status: "pending",
  repo_name: "shop@main",
  created_at: "2026-11-20T08:00:13.114Z",
  queued_at: "2026-11-20T08:00:13.114Z",
  started_at: null,
  finished_at: null,
  commit_sha: "a9ec74f3647c323d14b026723a201a8f7fb020e6",
  params: {},
  parent_job_id: null,
  attempt: 1,
  agent_runner: null,
  progress: null,
  cost_usd: 0,
  forecast: {
    workflow: "audit",
    cost_low: 2.25e-5,
    cost_mid: 9e-5,
    cost_high: 0.00036,
    duration_low: 0.938,
    duration_mid: 3.75,
    duration_high: 15,
    sample_size: 0,
    confidence: "none",
    source: "default",
    agent_runner: null,
    repo_name: "shop@main"
  },
  error: null,
  failure_kind: null,
  retryable: false,
  pr_url: null,
  requested_by: {
    kind: "api_key",
    label: "all (asy_WWAZsogd)",
    api_key_id: KeyId.make("01a1f7f8-6005-722d-b58f-20f4f3de51f7"),
    user_id: null
  },
  result: null
} as const

export const completedJob = {
  ...pendingJob,
  status: "completed",
  started_at: "2026-11-20T08:00:13.294Z",
  finished_at: "2026-11-20T08:00:16.977Z",
  progress: { stage: "verify", done: 1, total: 1 },
  cost_usd: 2.04351e-5,
  result: {
    tools: {
      completed: [
        "error_handling",
        "ci_workflow_security",
        "command_injection",
        "complexity",
        "container_configuration",
        "correctness_bugs",
        "dependency_structure",
        "secret_detection",
        "sql_injection",
        "weak_cryptography"
      ],
      unfinished: []
    },
    usage: { wall_ms: 1395, cpu_seconds: 0.408702, peak_rss_bytes: 103862272 },
    skipped: {},
    left_out: [],
    inventory: {
      bytes: 557,
      files: 3,
      lines: 19,
      languages: [
        { bytes: 453, files: 1, lines: 14, language: "typescript" },
        { bytes: 81, files: 1, lines: 2, language: "json" },
        { bytes: 23, files: 1, lines: 3, language: "markdown" }
      ]
    },
    commit_sha: "a9ec74f3647c323d14b026723a201a8f7fb020e6",
    suppressed: [],
    observations: { created: 3, expired: 0, resurfaced: 0, seen_again: 0, kept_closed: 0 },
    tool_failures: [],
    dropped_by_verification: 0
  }
} as const
