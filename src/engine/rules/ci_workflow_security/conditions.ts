import { isMap, type Node } from "yaml"
import type { Emit } from "../../core/tool/AuditTool.ts"
import type { Job, Step, Workflow } from "../../languages/formats/githubActions.ts"
import { itemsOf, rangeOf, scalarOf, valueAt } from "../../languages/formats/yaml.ts"
import type { RuleId } from "./rules.ts"

interface Condition {
  readonly node: Node
  readonly text: string
}

const MAX_CONDITION = 4_000

const conditionsOf = ({ document }: Workflow, job: Job): ReadonlyArray<Condition> =>
  [job.node, ...job.steps.map(({ node }) => node)].flatMap((holder) => {
    const node = valueAt(document, holder, "if")
    const text = scalarOf(document, node)
    return node === null || text === null || text.length > MAX_CONDITION ? [] : [{ node, text }]
  })

const actorIsBot =
  /github\.(?:actor|triggering_actor)\s*==\s*'([\w-]{1,80}\[bot\])'|'([\w-]{1,80}\[bot\])'\s*==\s*github\.(?:actor|triggering_actor)\b/
const authorIsKnown = /pull_request\.user\.login|pull_request\.head\.repo/

const inspectBot = (workflow: Workflow, { node, text }: Condition, emit: Emit<RuleId>): void => {
  const match = workflow.triggers.has("pull_request_target") ? actorIsBot.exec(text) : null
  if (match === null || authorIsKnown.test(text)) return
  const bot = match[1] ?? match[2]!
  const message = `Anyone may have written the pull request: the check passes once \`${bot}\` caused the latest event on its branch.`
  emit({ rule: "spoofable_bot_condition", ...rangeOf(node), message })
}

const partOfText =
  /\bcontains\(\s*'([^']{1,300})'\s*,\s*(github\.(?:ref|ref_name|head_ref|base_ref|actor|triggering_actor|event\.[\w.]{1,80}))\s*\)/i

const inspectContains = ({ node, text }: Condition, emit: Emit<RuleId>): void => {
  const match = partOfText.exec(text)
  if (match === null) return
  const message = `Every \`${match[2]!}\` that is a part of \`${match[1]!.slice(0, 60).replace(/`/g, "'")}\` passes.`
  emit({ rule: "unsound_contains", ...rangeOf(node), message })
}

/** Text around the expression makes the whole a string. */
const isString = (text: string): boolean => {
  const first = text.indexOf("${{")
  if (first < 0) return false
  const close = text.indexOf("}}", first)
  return close >= 0 && (first > 0 || close + 2 < text.length)
}

const inspectTruth = ({ node, text }: Condition, emit: Emit<RuleId>): void => {
  if (!isString(text)) return
  const isLineBreak = /^\$\{\{[^}]*\}\}\s+$/.test(text)
  const message = isLineBreak
    ? "The line break after `}}` makes the condition a string that is not empty, which is true."
    : "The text around the expression in braces makes the condition a string that is not empty, which is true."
  emit({ rule: "condition_always_true", ...rangeOf(node), message })
}

const printedCommand = /::(set-output|save-state|set-env)\s+name=|::(add-path)::/

const inspectCommands = ({ run, runNode }: Step, emit: Emit<RuleId>): void => {
  const match = run === null ? null : printedCommand.exec(run)
  if (match === null || runNode === null) return
  const name = match[1] ?? match[2]!
  const isRejected = name === "set-env" || name === "add-path"
  const message = `\`::${name}\` is ${isRejected ? "refused by the runner" : "deprecated"}: any text that the step prints can forge it.`
  emit({ rule: "deprecated_command", ...rangeOf(runNode), message, noun: `::${name}` })
}

const retiredVersion =
  /^(?:actions\/(?:upload-artifact|download-artifact)@v[123]|actions\/cache(?:\/[\w-]+)?@v[12])(?:\.\d+)*$/
const archived =
  /^(?:actions\/(?:create-release|upload-release-asset|setup-ruby|setup-haskell|setup-elixir)|actions-rs\/[\w-]+)@/

const inspectAction = ({ uses, usesNode }: Step, emit: Emit<RuleId>): void => {
  if (uses === null || usesNode === null) return
  const action = uses.split("@", 1)[0]!
  const named = { noun: uses, identity: action, subject: action, ...rangeOf(usesNode) }
  if (retiredVersion.test(uses)) {
    emit({ rule: "retired_action_version", message: `The service refuses \`${uses}\`, so this step fails.`, ...named })
  } else if (archived.test(uses)) {
    emit({ rule: "archived_action", message: `The repository of \`${action}\` is archived.`, ...named })
  }
}

const retiredRunner = /^(?:ubuntu-(?:16|18|20)\.04|macos-(?:10\.15|11|11\.0|12)|windows-(?:2016|2019))$/

const inspectRunner = (job: Job, emit: Emit<RuleId>): void => {
  const label = job.runsOn.length === 1 ? job.runsOn[0]! : ""
  if (job.runsOnNode === null || !retiredRunner.test(label)) return
  const message = `Job \`${job.id}\` waits for \`${label}\`, which is no longer offered.`
  emit({ rule: "retired_runner", ...rangeOf(job.runsOnNode), message, noun: label, subject: label })
}

const inspectNeeds = (workflow: Workflow, known: ReadonlySet<string>, job: Job, emit: Emit<RuleId>): void => {
  const { document } = workflow
  for (const item of itemsOf(document, valueAt(document, job.node, "needs"), true)) {
    const name = scalarOf(document, item)
    if (name === null || known.has(name.toLowerCase())) continue
    const message = `Job \`${job.id}\` needs \`${name}\`, which is no job of this workflow: the service refuses the whole file.`
    emit({ rule: "unknown_needed_job", ...rangeOf(item), message, identifiers: [name] })
  }
}

/** What decides whether something runs, and what the service refuses to run. */
export const inspectConditions = (workflow: Workflow, emit: Emit<RuleId>): void => {
  const known = new Set(workflow.jobs.map(({ id }) => id.toLowerCase()))
  for (const job of workflow.jobs) {
    for (const condition of conditionsOf(workflow, job)) {
      inspectBot(workflow, condition, emit)
      inspectContains(condition, emit)
      inspectTruth(condition, emit)
    }
    for (const step of job.steps) {
      inspectCommands(step, emit)
      inspectAction(step, emit)
    }
    inspectRunner(job, emit)
    if (isMap(job.node)) inspectNeeds(workflow, known, job, emit)
  }
}
