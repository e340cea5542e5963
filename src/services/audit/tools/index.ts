import type { AuditTool } from "../AuditTool.ts"
import ci_workflow_security from "./ci_workflow_security/index.ts"
import complexity from "./complexity.ts"
import secret_detection from "./secret_detection.ts"

/** Every tool of the engine, by id. A new tool is a file beside this one, a line here and a folder of fixtures. */
export const tools: ReadonlyArray<AuditTool> = [ci_workflow_security, complexity, secret_detection]
