import type { Measured } from "./readings.ts"

/**
 * How often what each tool reported as a finding was right when it was read for the first time, by tool: the sums of the
 * tables by tool from the sixth to the fifteenth reading (docs/audit-readings.md). Nothing is taken out when a cause is
 * removed, so it says how far a rule is to be trusted of which nothing was read.
 */
export const readingsByTool: Readonly<Record<string, Measured>> = {
  accessibility: { right: 246, arguable: 25, wrong: 22 },
  async_concurrency: { right: 14, arguable: 3, wrong: 5 },
  authentication_session: { right: 6, arguable: 3, wrong: 1 },
  ci_workflow_security: { right: 182, arguable: 2, wrong: 0 },
  code_injection: { right: 1, arguable: 0, wrong: 1 },
  command_injection: { right: 0, arguable: 1, wrong: 3 },
  complexity: { right: 775, arguable: 67, wrong: 56 },
  container_configuration: { right: 29, arguable: 24, wrong: 3 },
  correctness_bugs: { right: 284, arguable: 28, wrong: 68 },
  cross_site_scripting: { right: 2, arguable: 1, wrong: 1 },
  database_schema: { right: 3, arguable: 2, wrong: 0 },
  dependency_structure: { right: 42, arguable: 8, wrong: 6 },
  dependency_vulnerabilities: { right: 94, arguable: 38, wrong: 4 },
  error_handling: { right: 199, arguable: 17, wrong: 24 },
  frontend_quality: { right: 9, arguable: 0, wrong: 7 },
  insecure_deserialization: { right: 7, arguable: 2, wrong: 8 },
  path_traversal: { right: 0, arguable: 0, wrong: 1 },
  performance_antipatterns: { right: 20, arguable: 8, wrong: 3 },
  query_efficiency: { right: 0, arguable: 0, wrong: 2 },
  regex_dos: { right: 1, arguable: 3, wrong: 1 },
  resource_management: { right: 219, arguable: 18, wrong: 24 },
  secret_detection: { right: 1, arguable: 1, wrong: 4 },
  security_misconfiguration: { right: 10, arguable: 2, wrong: 1 },
  sensitive_data_exposure: { right: 6, arguable: 4, wrong: 3 },
  server_side_request_forgery: { right: 0, arguable: 0, wrong: 1 },
  shell_script_safety: { right: 1, arguable: 1, wrong: 0 },
  sql_injection: { right: 1, arguable: 0, wrong: 3 },
  test_quality: { right: 80, arguable: 15, wrong: 8 },
  weak_cryptography: { right: 9, arguable: 4, wrong: 9 }
}
