import { auditTool } from "../../core/tool/AuditTool.ts"
import { trackedArtefacts } from "./artefacts.ts"
import { committedValues, isEnvFile } from "./envFiles.ts"
import { environmentRows, readsEnvironment, undocumentedVariables } from "./environment.ts"
import { rules } from "./rules.ts"

export default auditTool({
  id: "configuration_management",
  suite: "full",
  kind: "advisory",
  domain: "devops",
  category: "operations",
  priority: "P3",
  version: 1,
  redacts: true,
  rules,
  appliesTo: (file) => readsEnvironment(file) || (file.role === "source" && isEnvFile(file.path)),
  inspect: (file, emit) => {
    if (isEnvFile(file.path)) committedValues(file, emit)
    return environmentRows(file)
  },
  finish: (facts, project, emit) => {
    undocumentedVariables(facts, project, emit)
    trackedArtefacts(project, emit)
  }
})
