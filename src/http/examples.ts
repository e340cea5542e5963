import { scopes } from "../schema/Key.ts"
import { contextExamples } from "./contextExamples.ts"

/** Bodies for the OpenAPI document, by operation: what is sent, and what a run of the product answered, by status. */
export const examples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ...contextExamples,
  "sessions.sign_in": {
    request: { email: "ada@example.com", password: "correct horse battery staple" },
    "200": {
      user: { id: "01a1f7f4-6852-7074-af98-e15869b1df63", email: "ada@example.com" },
      workspace: { id: "01a1f7f4-6852-7074-af98-de3842bb87ed", name: "Workspace", plan: "paid" },
      role: "owner",
      permissions: [...scopes],
      csrf_token: "n3Xo0tS2-example-YwFq8"
    }
  },
  "keys.create": {
    request: {
      name: "nightly audit",
      scopes: ["view_repositories", "view_jobs", "view_observations", "submit_audit_jobs", "register_repo"],
      requests_per_minute: 120,
      dollars_per_hour: 2.5,
      allowed_cidrs: ["203.0.113.0/24", "2001:db8::/32"]
    },
    "201": {
      key: {
        id: "01a1f7f8-5f1a-73c0-98e4-85bccc698068",
        name: "nightly audit",
        prefix: "asy_g3Toyycw",
        scopes: ["view_repositories", "view_jobs", "view_observations", "submit_audit_jobs", "register_repo"],
        requests_per_minute: 120,
        dollars_per_hour: 2.5,
        allowed_cidrs: ["203.0.113.0/24", "2001:db8::/32"],
        agent_label: null,
        created_by: "01a1f7f4-6852-7074-af98-e15869b1df63",
        created_at: "2026-11-20T08:00:12.044Z",
        expires_at: null,
        last_used_at: null,
        last_used_ip: null,
        revoked_at: null
      },
      api_key: "asy_g3Toyycwexample0example0example0example0"
    }
  },
  "keys.update": { request: { requests_per_minute: 60 } },
  "repositories.list": {
    "200": {
      data: [
        {
          id: "01a1f7f4-73e5-765f-a9a3-1ade393e2cf4",
          github_org: "acme",
          github_repo: "shop",
          github_base_branch: "main",
          repo_name: "shop@main",
          access_mode: "installed",
          clone_url: "https://github.com/acme/shop.git",
          default_branch: "main",
          head_sha: "a9ec74f3647c323d14b026723a201a8f7fb020e6",
          last_audit_at: "2026-11-20T08:00:16.865Z",
          last_discovery_at: null,
          open_observations: { P0: 1, P1: 1, P2: 0, P3: 0 },
          display_name: null,
          description: null,
          created_at: "2026-11-20T07:55:55.237Z",
          deleted_at: null
        }
      ],
      next_cursor: null,
      has_more: false
    }
  },
  "repositories.reset": {
    request: { suggestions: true },
    "200": {
      repo_name: "shop@main",
      deleted: { findings: 0, advisories: 0, suggestions: 0, fix_attempts: 0, jobs: 0, job_events: 0, discoveries: 0 }
    }
  },
  "jobs.submit": {
    request: { workflow: "audit" },
    "201": {
      id: "01a1f7f8-633b-765c-ab36-2777cf1f608a",
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
        api_key_id: "01a1f7f8-6005-722d-b58f-20f4f3de51f7",
        user_id: null
      },
      result: null
    }
  },
  "jobs.read": {
    "200": {
      id: "01a1f7f8-633b-765c-ab36-2777cf1f608a",
      workflow: "audit",
      status: "completed",
      repo_name: "shop@main",
      created_at: "2026-11-20T08:00:13.114Z",
      queued_at: "2026-11-20T08:00:13.114Z",
      started_at: "2026-11-20T08:00:13.294Z",
      finished_at: "2026-11-20T08:00:16.977Z",
      commit_sha: "a9ec74f3647c323d14b026723a201a8f7fb020e6",
      params: {},
      parent_job_id: null,
      attempt: 1,
      agent_runner: null,
      progress: { stage: "verify", done: 1, total: 1 },
      cost_usd: 2.04351e-5,
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
        api_key_id: "01a1f7f8-6005-722d-b58f-20f4f3de51f7",
        user_id: null
      },
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
    }
  },
  "jobs.events": {
    "200": {
      data: [
        {
          ts: "2026-11-20T08:00:13.114Z",
          stage: "job",
          type: "status_changed",
          detail: "Queued.",
          data: { attempt_number: 1, created_by: "all (asy_WWAZsogd)", intended_status: "pending" }
        },
        {
          ts: "2026-11-20T08:00:13.294Z",
          stage: "job",
          type: "status_changed",
          detail: "Started.",
          data: { attempt_number: 1, intended_status: "running" }
        }
      ],
      next_cursor: "AZ9kQ2x1c3Rlcg.Jm6v0example",
      has_more: true
    }
  },
  "jobs.cancel": { "200": { ok: true, status: "cancelled" } },
  "observations.list": {
    "200": {
      data: [
        {
          ref: "OBS-3",
          id: "01a1f7f8-71f3-70ed-8830-9fed444560d7",
          kind: "finding",
          status: "new",
          priority: "P1",
          category: "security",
          title: "Broken hash function protects something in token",
          description:
            "`token` hashes a password with MD5, which can be guessed at billions of tries per second.\n\nWhy it matters and how to fix it: MD5 and SHA-1 are fast, and collisions for them can be bought: a password hashed this way is guessed by the billion per second, and a signature or token can be forged. Hash passwords with argon2id, scrypt or bcrypt; sign with HMAC-SHA-256; take tokens from the system's random generator. For checksums and cache keys the old functions are fine.",
          repo_name: "shop@main",
          domain: "security",
          tool: "weak_cryptography",
          rule_id: "weak_cryptography.weak_hash",
          cwe: [328, 916],
          confidence: 0.82,
          effort: "medium",
          risk: "medium",
          evidence: {
            citation: { checked_at_stage: "verify", line_in_range: true, missing_identifiers: [], path_resolved: true },
            detection_query: { absence_hint: false, match_count: 1, status: "confirmed" }
          },
          snippet:
            '})\n\nexport const token = (password: string) => createHash("md5").update(password + stripeKey).digest("hex")\napp.listen(3000)\n',
          suggested_change: null,
          close_reason: null,
          dismissal_category: null,
          dismissal_note: null,
          closed_at: null,
          closed_by: null,
          completion_url: null,
          completion_note: null,
          acknowledged_at: null,
          first_seen_at: "2026-11-20T08:00:16.865Z",
          last_seen_at: "2026-11-20T08:00:16.865Z",
          first_seen_job_id: "01a1f7f8-633b-765c-ab36-2777cf1f608a",
          times_seen: 1,
          fix_attempts: 0,
          has_fix_pr: false,
          ticket_url: null,
          created_at: "2026-11-20T08:00:16.865Z",
          updated_at: "2026-11-20T08:00:16.865Z",
          locations: [{ file_path: "src/pay.ts", symbol: "token", line_start: 12, line_end: 12 }]
        }
      ],
      next_cursor: "AZ9kQ2x1c3Rlcg.Jm6v0example",
      has_more: true
    }
  },
  "observations.dismiss": {
    request: { dismissal_category: "wont_fix", dismissal_note: "The digest is no secret; nothing depends on it." }
  },
  "observations.reopen": { request: { reopen_reason: "It is used for passwords after all." } },
  "observations.complete": {
    request: { note: "The key was rotated and moved to the vault.", url: "https://tickets.example.org/SEC-12" },
    "200": {
      ref: "OBS-2",
      id: "01a1f7f8-71f0-750b-9ee6-09b0b760a94a",
      kind: "finding",
      status: "closed",
      priority: "P0",
      category: "security",
      title: 'Untrusted input becomes part of a shell command in app.get("/report")',
      description:
        "Untrusted input `request.query.name` becomes part of the command line that `exec` runs.\n\nHow it comes about:\n1. `request.query.name` is untrusted input (line 9)\n2. `exec` is a shell command (line 9)\n\nWhy it matters and how to fix it: A shell reads `;`, `|`, `$( )` and line breaks in the input as its own syntax, so whoever sends the request runs any program with the rights of this process. Start the program without a shell and pass arguments as a list (`execFile`, `spawn` without `shell`, `subprocess.run([...])`, `exec.Command(name, args...)`, `ProcessBuilder` with separate arguments), and check the value against what is allowed.",
      repo_name: "shop@main",
      domain: "security",
      tool: "command_injection",
      rule_id: "command_injection.untrusted_command",
      cwe: [78],
      confidence: 0.9,
      effort: "small",
      risk: "low",
      evidence: {
        citation: { checked_at_stage: "verify", line_in_range: true, missing_identifiers: [], path_resolved: true },
        detection_query: { absence_hint: false, match_count: 1, status: "confirmed" }
      },
      snippet:
        '\napp.get("/report", (request, response) => {\n  exec("generate-report " + request.query.name, (error, output) => response.send(output))\n})\n',
      suggested_change: null,
      close_reason: "completed",
      dismissal_category: null,
      dismissal_note: null,
      closed_at: "2026-11-20T08:00:18.678Z",
      closed_by: {
        kind: "api_key",
        label: "all (asy_WWAZsogd)",
        api_key_id: "01a1f7f8-6005-722d-b58f-20f4f3de51f7",
        user_id: null
      },
      completion_url: "https://tickets.example.org/SEC-12",
      completion_note: "The key was rotated and moved to the vault.",
      acknowledged_at: null,
      first_seen_at: "2026-11-20T08:00:16.865Z",
      last_seen_at: "2026-11-20T08:00:16.865Z",
      first_seen_job_id: "01a1f7f8-633b-765c-ab36-2777cf1f608a",
      times_seen: 1,
      fix_attempts: 0,
      has_fix_pr: false,
      ticket_url: null,
      created_at: "2026-11-20T08:00:16.865Z",
      updated_at: "2026-11-20T08:00:18.678Z",
      locations: [{ file_path: "src/pay.ts", symbol: 'app.get("/report")', line_start: 9, line_end: 9 }]
    }
  },
  "observations.request_fix": { request: { job_id: "01a1f7f8-633b-765c-ab36-2777cf1f608a" } },
  "observations.revise_fix": { request: { instructions: "Keep the old name exported, marked as deprecated." } },
  "observations.fix": { request: { extra_attempt: false } },
  "repositories.preview": {
    request: { github_org: "acme", github_repo: "shop", clone_url: "https://github.com/acme/shop.git" }
  },
  "repositories.update": { request: { display_name: "Shop", description: "What customers see." } },
  "repositories.set_guidance": { request: { text: "Money is counted in cents, as integers." } },
  "repositories.set_review_instructions": { request: { text: "Look twice at everything below src/payments." } },
  "workspace.set_guidance": { request: { text: "We deploy on Tuesdays. Ask #platform before you add a dependency." } },
  "workspace.set_setting": { request: { value: true } },
  "projects.create": {
    request: { name: "Checkout", kind: "space", parent: "retail" },
    "201": {
      id: "01a1f84d-c1ea-70a9-a51e-fdfa95578d6f",
      slug: "checkout",
      kind: "space",
      name: "Checkout",
      description: "",
      parent: "retail",
      ancestors: ["retail"],
      repositories: [],
      role: "manager",
      created_at: "2026-11-20T09:30:00.120Z",
      updated_at: "2026-11-20T09:30:00.120Z"
    }
  },
  "projects.update": { request: { description: "From the basket to the receipt." } },
  "projects.add_repository": {
    request: { github_org: "acme", github_repo: "shop", github_base_branch: "main" }
  },
  "projects.grant_role": { request: { email: "grace@example.com", role: "editor" } },
  "forecasts.lookup": {
    "200": {
      workflow: "audit",
      cost_low: 1.0218e-5,
      cost_mid: 2.0435e-5,
      cost_high: 4.087e-5,
      duration_low: 1.842,
      duration_mid: 3.683,
      duration_high: 7.366,
      sample_size: 1,
      confidence: "medium",
      source: "stage_models_hash_exact",
      agent_runner: null,
      repo_name: "shop@main"
    }
  },
  "repositories.register": {
    request: { github_org: "acme", github_repo: "shop", clone_url: "https://github.com/acme/shop.git" },
    "201": {
      id: "01a1f7f4-73e5-765f-a9a3-1ade393e2cf4",
      github_org: "acme",
      github_repo: "shop",
      github_base_branch: "main",
      repo_name: "shop@main",
      access_mode: "installed",
      clone_url: "https://github.com/acme/shop.git",
      default_branch: "main",
      head_sha: "a9ec74f3647c323d14b026723a201a8f7fb020e6",
      last_audit_at: null,
      last_discovery_at: null,
      open_observations: { P0: 0, P1: 0, P2: 0, P3: 0 },
      display_name: null,
      description: null,
      created_at: "2026-11-20T07:55:55.237Z",
      deleted_at: null,
      discover_job_id: null,
      discovery_queue_failed: false
    }
  }
}
