import { JobId, KeyId, ObservationId } from "../Ids.ts"
// Observations as the API document shows them.

export const openObservation = {
  ref: "OBS-3",
  id: ObservationId.make("01a1f7f8-71f3-70ed-8830-9fed444560d7"),
  kind: "finding",
  status: "new",
  priority: "P1",
  category: "security",
  title: "Weak hash function: MD5 in token",
  description:
    "`token` hashes a password with MD5, which attackers guess at billions of tries per second.\n\nWhy it matters and how to fix it: MD5 and SHA-1 are fast, and collisions can be computed: passwords hashed this way are guessed, and signatures or tokens can be forged. Hash passwords with argon2id, scrypt or bcrypt; sign with HMAC-SHA-256; take tokens from the system's random generator. For checksums and cache keys the old functions are fine.",
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
  first_seen_job_id: JobId.make("01a1f7f8-633b-765c-ab36-2777cf1f608a"),
  times_seen: 1,
  fix_attempts: 0,
  has_fix_pr: false,
  ticket_url: null,
  created_at: "2026-11-20T08:00:16.865Z",
  updated_at: "2026-11-20T08:00:16.865Z",
  locations: [{ file_path: "src/pay.ts", symbol: "token", line_start: 12, line_end: 12 }]
} as const

export const completedObservation = {
  ...openObservation,
  ref: "OBS-2",
  id: ObservationId.make("01a1f7f8-71f0-750b-9ee6-09b0b760a94a"),
  status: "closed",
  priority: "P0",
  title: 'OS command injection in app.get("/report")',
  description:
    "Untrusted input `request.query.name` becomes part of the command line that `exec` runs.\n\nWhy it matters and how to fix it: A shell reads `;`, `|`, `$( )` and line breaks in the input as its own syntax, so anyone who sends the request runs any program with the rights of this process. Start the program without a shell and pass arguments as a list (`execFile`, `spawn` without `shell`), and check the value against an allow-list.",
  tool: "command_injection",
  rule_id: "command_injection.untrusted_command",
  cwe: [78],
  confidence: 0.9,
  effort: "small",
  risk: "low",
  snippet:
    '\napp.get("/report", (request, response) => {\n  exec("generate-report " + request.query.name, (error, output) => response.send(output))\n})\n',
  close_reason: "completed",
  closed_at: "2026-11-20T08:00:18.678Z",
  closed_by: {
    kind: "api_key",
    label: "all (asy_WWAZsogd)",
    api_key_id: KeyId.make("01a1f7f8-6005-722d-b58f-20f4f3de51f7"),
    user_id: null
  },
  completion_url: "https://tickets.example.org/SEC-12",
  completion_note: "The report is generated without a shell.",
  updated_at: "2026-11-20T08:00:18.678Z",
  locations: [{ file_path: "src/pay.ts", symbol: 'app.get("/report")', line_start: 9, line_end: 9 }]
} as const
