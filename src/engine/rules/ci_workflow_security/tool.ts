import { auditTool } from "../../core/tool/AuditTool.ts"
import { isWorkflowPath, workflowOf } from "../../languages/formats/githubActions.ts"
import { inspectConditions } from "./conditions.ts"
import { inspectExposure } from "./exposure.ts"
import { finishPins, pinFacts } from "./pins.ts"
import { inspectPrivileges } from "./privileges.ts"
import { rules } from "./rules.ts"
import { inspectScripts } from "./scripts.ts"

export default auditTool({
  id: "ci_workflow_security",
  suite: "standard",
  kind: "finding",
  domain: "devops",
  category: "operations",
  priority: "P1",
  version: 3,
  redacts: true,
  rules,
  appliesTo: ({ path, language, role }) => language === "yaml" && role === "source" && isWorkflowPath(path),
  inspect: (file, emit) => {
    const workflow = workflowOf(file)
    if (workflow === null) return undefined
    inspectPrivileges(workflow, emit)
    inspectConditions(workflow, emit)
    inspectExposure(workflow, emit)
    for (const job of workflow.jobs) for (const step of job.steps) inspectScripts(file, workflow, job, step, emit)
    return pinFacts(workflow, file.text)
  },
  finish: finishPins
})
