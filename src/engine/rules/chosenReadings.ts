import type { Measured } from "./readings.ts"

/**
 * What was right, arguable and wrong of matches in files that were chosen for their rule, as docs/audit-severe-reading.md
 * reports, without what has been corrected since. They say how often the rule is right, and nothing of others: a class of
 * rules would be taken for what those of its rules are that files were searched for.
 */
export const chosen: Readonly<Record<string, Measured>> = {
  /** Of Python alone; in JavaScript it is right less often, which its matches say themselves. */
  "correctness_bugs.always_true_alternative": { right: 220, arguable: 16, wrong: 0 },
  "correctness_bugs.contradictory_condition": { right: 75, arguable: 15, wrong: 1 },
  "correctness_bugs.exception_not_thrown": { right: 248, arguable: 38, wrong: 7 },
  "correctness_bugs.loop_never_ends": { right: 103, arguable: 4, wrong: 2 },
  "correctness_bugs.missing_await": { right: 12, arguable: 0, wrong: 0 },
  "correctness_bugs.missing_break": { right: 180, arguable: 13, wrong: 10 }
}

/** The same of direct flows, which docs/audit-severe-reading.md reports by rule and language. */
export const chosenDirect: Readonly<Record<string, Measured>> = {
  "code_injection.untrusted_code": { right: 28, arguable: 2, wrong: 0 },
  "command_injection.untrusted_command": { right: 34, arguable: 2, wrong: 0 },
  "command_injection.untrusted_program": { right: 7, arguable: 0, wrong: 0 },
  "cross_site_scripting.untrusted_html": { right: 51, arguable: 7, wrong: 1 },
  "cross_site_scripting.untrusted_markup": { right: 1, arguable: 0, wrong: 0 },
  "insecure_deserialization.unsafe_yaml_load": { right: 3, arguable: 0, wrong: 0 },
  "insecure_deserialization.untrusted_object": { right: 24, arguable: 1, wrong: 0 },
  "path_traversal.untrusted_include": { right: 14, arguable: 0, wrong: 0 },
  "path_traversal.untrusted_path": { right: 44, arguable: 9, wrong: 0 },
  "path_traversal.untrusted_upload_name": { right: 14, arguable: 1, wrong: 0 },
  "security_misconfiguration.open_redirect": { right: 45, arguable: 4, wrong: 0 },
  "server_side_request_forgery.untrusted_host": { right: 0, arguable: 1, wrong: 0 },
  "server_side_request_forgery.untrusted_url": { right: 47, arguable: 1, wrong: 0 },
  "sql_injection.untrusted_sql": { right: 42, arguable: 0, wrong: 1 },
  "sql_injection.untrusted_sql_php": { right: 17, arguable: 0, wrong: 0 }
}
