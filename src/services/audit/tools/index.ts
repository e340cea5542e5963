import type { AuditTool } from "../AuditTool.ts"
import ci_workflow_security from "./ci_workflow_security/index.ts"
import complexity from "./complexity.ts"
import correctness_bugs from "./correctness_bugs/index.ts"
import container_configuration from "./container_configuration/index.ts"
import secret_detection from "./secret_detection.ts"

/** Every tool of the engine, by id. A new tool is a file beside this one, a line here and a folder of fixtures. */
export const tools: ReadonlyArray<AuditTool> = [
  container_configuration,
  ci_workflow_security,
  complexity, correctness_bugs,
  secret_detection
]
