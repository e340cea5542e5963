import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Emit } from "../../core/tool/AuditTool.ts"
import { isWorkflowPath, workflowOf } from "../../languages/formats/githubActions.ts"
import { remoteScriptIn } from "../../languages/formats/remoteScript.ts"
import { shellCommands } from "../../languages/formats/shell.ts"
import { rangeOf } from "../../languages/formats/yaml.ts"
import {
  directories,
  evaluations,
  hostKeys,
  passwords,
  permissions,
  removals,
  type Script,
  temporaryFiles
} from "./checks.ts"
import { type RuleId, rules } from "./rules.ts"

const inspectFile = (file: SourceFile, emit: Emit<RuleId>): void => {
  const script: Script = { text: file.text, commands: shellCommands(file.text), isStep: false }
  for (const check of [removals, evaluations, temporaryFiles, permissions, hostKeys, passwords, directories]) {
    check(script, emit)
  }
  const found = remoteScriptIn(file.text)
  if (found === null) return
  const source = found.url === null ? "A download" : `What \`${found.url.slice(0, 100)}\` answers`
  const rule = found.url?.startsWith("http://") ? "remote_script_over_http" : "remote_script"
  const message = `${source} is piped into \`${found.shell}\` unseen.`
  emit({ rule, start: found.start, end: found.end, message })
}

/** What the workflow puts in before the shell sees the script has a value. */
const withoutExpressions = (text: string): string =>
  text.replace(/\$\{\{[^}]{0,300}\}\}/g, (expression) => "x".repeat(expression.length))

const inspectWorkflow = (file: SourceFile, emit: Emit<RuleId>): void => {
  const workflow = workflowOf(file)
  if (workflow === null) return
  const text = withoutExpressions(file.text)
  for (const job of workflow.jobs) {
    for (const { run, runNode, shell } of job.steps) {
      if (run === null || runNode === null || /pwsh|powershell|python|cmd/.test(shell ?? "")) continue
      const { start, end } = rangeOf(runNode)
      const script: Script = { text, commands: shellCommands(text, start, end), isStep: true }
      for (const check of [removals, hostKeys, passwords]) check(script, emit)
    }
  }
}

export default auditTool({
  id: "shell_script_safety",
  suite: "full",
  kind: "finding",
  domain: "devops",
  category: "operations",
  priority: "P2",
  version: 3,
  rules,
  appliesTo: ({ path, language, role }) =>
    role === "source" && (language === "shell" || (language === "yaml" && isWorkflowPath(path))),
  mentions: /\brm\b|\beval\b|\/tmp\/|\bchmod\b|\bcurl\b|\bwget\b|StrictHostKey|\bsudo\b|\bsshpass\b/,
  inspect: (file, emit) => {
    if (file.language === "shell") inspectFile(file, emit)
    else inspectWorkflow(file, emit)
    return undefined
  }
})
