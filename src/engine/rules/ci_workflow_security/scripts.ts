import type { Node } from "yaml"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, type Match } from "../../core/tool/AuditTool.ts"
import type { Job, Step, Workflow } from "../../languages/formats/githubActions.ts"
import { remoteScriptIn } from "../../languages/formats/remoteScript.ts"
import { expressionsIn } from "../../languages/formats/workflowExpressions.ts"
import { rangeOf, scalarOf, type YamlEntry } from "../../languages/formats/yaml.ts"
import type { RuleId } from "./rules.ts"
import { isGuarded, privilegedTriggers, untrustedContext } from "./untrusted.ts"

/** Inputs of well-known actions that are run as code. */
const codeInputs: ReadonlyArray<readonly [action: RegExp, inputs: ReadonlyArray<string>]> = [
  [/^actions\/github-script$/, ["script"]],
  [/^azure\/(?:cli|powershell)$/, ["inlinescript"]],
  [/^appleboy\/ssh-action$/, ["script"]],
  [/^nick-(?:fields|invision)\/retry$/, ["command"]],
  [/^addnab\/docker-run-action$/, ["run"]],
  [/^mikefarah\/yq$/, ["cmd"]],
  [/^cloudflare\/wrangler-action$/, ["command", "precommands", "postcommands"]]
]

export interface Script {
  readonly node: Node
  readonly text: string
  /** What runs it, for a sentence. */
  readonly runner: "this script" | "this github-script" | "the code given to this action"
}

/** What a step runs: its `run`, or the input that its action evaluates. */
const scriptsOf = (workflow: Workflow, step: Step): ReadonlyArray<Script> => {
  if (step.run !== null && step.runNode !== null) {
    return [{ node: step.runNode, text: step.run, runner: "this script" }]
  }
  const action = step.uses?.split("@", 1)[0]?.toLowerCase() ?? ""
  const inputs = codeInputs.find(([pattern]) => pattern.test(action))?.[1] ?? []
  return step.with
    .filter(({ key, value }) => inputs.includes(key.toLowerCase()) && value !== null)
    .map(({ value }) => ({
      node: value!,
      text: scalarOf(workflow.document, value) ?? "",
      runner: action === "actions/github-script" ? "this github-script" : "the code given to this action"
    }))
}

interface Taint {
  readonly context: string
  readonly events: ReadonlyArray<string>
  readonly multiline: boolean
}

const taintOf = (workflow: Workflow, expression: string): Taint | null => {
  for (const { contexts } of expressionsIn(expression)) {
    for (const context of contexts) {
      const found = untrustedContext(workflow, context)
      if (found !== null) return { context, ...found }
    }
  }
  return null
}

/** Environment variables that hold a stranger's text, by name in lower case. */
const taintedVariables = (workflow: Workflow, job: Job, step: Step): ReadonlyMap<string, Taint> => {
  const tainted = new Map<string, Taint>()
  const add = (entries: ReadonlyArray<YamlEntry>) => {
    for (const { key, value } of entries) {
      const taint = taintOf(workflow, scalarOf(workflow.document, value) ?? "")
      if (taint === null) tainted.delete(key.toLowerCase())
      else tainted.set(key.toLowerCase(), taint)
    }
  }
  add(workflow.env)
  add(job.env)
  add(step.env)
  return tainted
}

const named = (events: ReadonlyArray<string>): string => events.map((name) => `\`${name}\``).join(", ")

/** Fork pull requests run with a reading token and no secrets, and a push needs someone who may push. */
const injectionRule = (workflow: Workflow, taint: Taint): RuleId => {
  const isPrivileged = privilegedTriggers(workflow).some((name) => taint.events.includes(name))
  return isPrivileged || workflow.isAction ? "expression_injection" : "expression_injection_unprivileged"
}

const injectionMatch = (
  file: SourceFile,
  workflow: Workflow,
  job: Job,
  step: Step,
  script: Script
): Match<RuleId> | null => {
  const { start, end } = rangeOf(script.node)
  const source = file.text.slice(start, end)
  if (!source.includes("${{")) return null
  const variables = taintedVariables(workflow, job, step)
  let first: (Taint & { readonly at: number; readonly until: number }) | null = null
  const names = new Set<string>()
  for (const expression of expressionsIn(source)) {
    for (const context of expression.contexts) {
      const found = untrustedContext(workflow, context)
      const variable = context.startsWith("env.") ? variables.get(context.slice(4)) : undefined
      const taint = found === null ? variable : { context, ...found }
      if (taint === undefined) continue
      names.add(taint.context)
      first ??= { ...taint, at: start + expression.start, until: start + expression.end }
    }
  }
  if (first === null || isGuarded(job, step)) return null
  const origin = first.events.length === 0 ? "anyone who causes the event" : `anyone who causes ${named(first.events)}`
  const list = [...names].map((name) => `\`${name}\``).join(", ")
  return {
    rule: injectionRule(workflow, first),
    start: first.at,
    end: first.until,
    message: `${list} is pasted into ${script.runner} before it runs: ${origin} decides what it executes.`,
    identifiers: [first.context.split(".").at(-1)!]
  }
}

const environmentFile = />>?\s*["']?(?:\$\{?GITHUB_(?:ENV|PATH)\b|\$env:GITHUB_(?:ENV|PATH)\b)/

/** A multi-line text of a stranger echoed to the environment file through a variable: quoting does not help there. */
const poisoningMatch = (workflow: Workflow, job: Job, step: Step, script: Script): Match<RuleId> | null => {
  if (!environmentFile.test(script.text) || isGuarded(job, step)) return null
  for (const [name, taint] of taintedVariables(workflow, job, step)) {
    if (!taint.multiline) continue
    const line = script.text
      .split("\n")
      .find((one) => environmentFile.test(one) && one.toLowerCase().includes(`$${name}`.toLowerCase()))
    const braced = script.text
      .split("\n")
      .find((one) => environmentFile.test(one) && one.toLowerCase().includes(`\${${name}`))
    if (line === undefined && braced === undefined) continue
    return {
      rule: privilegedTriggers(workflow).length > 0 ? "environment_poisoning" : "environment_poisoning_unprivileged",
      ...rangeOf(script.node),
      message:
        `\`${taint.context}\` reaches the environment file through \`$${name.toUpperCase()}\`: a line break in it sets ` +
        "any variable of the following steps."
    }
  }
  return null
}

const remoteScriptMatch = (file: SourceFile, script: Script): Match<RuleId> | null => {
  if (script.runner === "this github-script") return null
  const { start, end } = rangeOf(script.node)
  const found = remoteScriptIn(file.text.slice(start, end))
  if (found === null) return null
  return {
    rule: found.url?.startsWith("http://") ? "remote_script_over_http" : "remote_script",
    start: start + found.start,
    end: start + found.end,
    message: `${found.url === null ? "A download" : `What \`${found.url}\` answers`} is piped into \`${found.shell}\` unseen.`
  }
}

export const inspectScripts = (file: SourceFile, workflow: Workflow, job: Job, step: Step, emit: Emit<RuleId>) => {
  for (const script of scriptsOf(workflow, step)) {
    const matches = [
      injectionMatch(file, workflow, job, step, script),
      poisoningMatch(workflow, job, step, script),
      remoteScriptMatch(file, script)
    ]
    for (const match of matches) if (match !== null) emit(match)
  }
}
