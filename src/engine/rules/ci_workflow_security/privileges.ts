import { type Emit } from "../../core/tool/AuditTool.ts"
import type { Job, Step, Workflow } from "../../languages/formats/githubActions.ts"
import { expressionsIn } from "../../languages/formats/workflowExpressions.ts"
import { isTrue, rangeOf, scalarOf, type YamlEntry } from "../../languages/formats/yaml.ts"
import type { RuleId } from "./rules.ts"
import { isApproved, isGuarded, privilegedTriggers } from "./untrusted.ts"

/** References to the head of a pull request, which its author writes. */
const foreignRef =
  /github\.event\.pull_request\.head\.(?:sha|ref)|github\.head_ref|github\.event\.workflow_run\.(?:head_sha|head_branch|head_commit\.id|pull_requests\[\d+\]\.head\.(?:sha|ref))|refs\/pull\/\$\{\{[^}]{0,200}\}\}\/(?:head|merge)|refs\/remotes\/pull\/|github\.event\.pull_request\.merge_commit_sha/
const foreignRepository = /(?:pull_request\.head\.repo|workflow_run\.head_repository)\.(?:full_name|clone_url)/
const foreignFetch =
  /\bgh\s+pr\s+checkout\b|\bgit\s+fetch\b[^\n]{0,200}\bpull\/[^\n]{0,120}\/(?:head|merge)\b[^\n]{0,200}(?:\n[^\n]{0,300}){0,4}\bgit\s+(?:checkout|switch|merge|reset)\b/

/** Commands that run what the checked-out tree says. */
const runsTree =
  /(?:^|[\s;&|(`])(?:(?:npm|pnpm|yarn|bun)(?:\s+(?:ci|i|install|run|test|build|exec|start|pack)\b|\s*$)|npx\s|make\b|cmake\b|pip3?\s+install\b|poetry\s+(?:install|run|build)|uv\s+(?:sync|run|pip\s+install)|tox\b|nox\b|pytest\b|python3?\s+(?:-m\s+(?:pytest|build|tox|unittest)|[\w./-]+\.py)|node\s+[\w./-]+\.[cm]?js|cargo\s+(?:build|test|run|clippy|check|bench)|go\s+(?:build|test|run|generate|vet)|\.?\/?mvnw?\b|\.?\/?gradlew?\b|bundle\s+(?:install|exec)|rake\b|composer\s+install|docker(?:\s+buildx)?\s+build|docker[- ]compose\s+(?:up|build)|(?:bash|sh|source)\s+[\w./-]+\.sh|\.\/[\w-][\w./-]*|pre-commit\s+run|dotnet\s+(?:build|test|run|restore)|terraform\s+(?:init|plan|apply)|bazel\s+(?:build|test|run)|just\s|task\s)/m
const runsTreeAction =
  /^(?:\.\/|docker\/build-push-action@|gradle\/|pre-commit\/action@|bahmutov\/npm-install@|cypress-io\/github-action@|golangci\/golangci-lint-action@|pypa\/cibuildwheel@|borales\/actions-yarn@|nrwl\/|changesets\/action@)/i

const runsCheckedOutCode = (steps: ReadonlyArray<Step>): boolean =>
  steps.some(({ run, uses }) => (run !== null && runsTree.test(run)) || (uses !== null && runsTreeAction.test(uses)))

const withValue = ({ document }: Workflow, step: Step, key: string): string =>
  scalarOf(document, step.with.find((entry) => entry.key === key)?.value) ?? ""

/** What a step fetches of a pull request: null when it fetches nothing, or the base. */
const foreignCheckout = (workflow: Workflow, step: Step): YamlEntry["value"] => {
  if (step.uses !== null && /^actions\/checkout@/i.test(step.uses)) {
    const isForeign =
      foreignRef.test(withValue(workflow, step, "ref")) ||
      foreignRepository.test(withValue(workflow, step, "repository"))
    return isForeign ? step.usesNode : null
  }
  return step.run !== null && foreignFetch.test(step.run) ? step.runNode : null
}

const checkoutRule = (runsIt: boolean, approved: boolean): RuleId => {
  if (!runsIt) return "untrusted_checkout_not_run"
  return approved ? "approved_untrusted_checkout" : "untrusted_checkout"
}

const inspectCheckouts = (workflow: Workflow, job: Job, emit: Emit<RuleId>): void => {
  const triggers = privilegedTriggers(workflow).filter((name) =>
    /^(?:pull_request_target|workflow_run|issue_comment)$/.test(name)
  )
  if (triggers.length === 0) return
  for (const [i, step] of job.steps.entries()) {
    const node = foreignCheckout(workflow, step)
    if (node === null || isGuarded(job, step)) continue
    const runsIt = runsCheckedOutCode(job.steps.slice(i))
    const what = `Job \`${job.id}\` runs on ${triggers.map((name) => `\`${name}\``).join(", ")} and checks out the pull request's own code`
    emit({
      rule: checkoutRule(runsIt, isApproved(workflow, job)),
      ...rangeOf(node),
      message: runsIt
        ? `${what}, then runs its build or scripts with this repository's token and secrets.`
        : `${what} next to this repository's token; any later step that runs a file of it runs the author's.`,
      identifiers: [job.id]
    })
    return
  }
}

const writesAll = (workflow: Workflow, node: Job["permissions"]): boolean =>
  scalarOf(workflow.document, node) === "write-all"

const inspectPermissions = (workflow: Workflow, emit: Emit<RuleId>): void => {
  const holders = [{ permissions: workflow.permissions, name: "The workflow" }]
  for (const job of workflow.jobs) holders.push({ permissions: job.permissions, name: `Job \`${job.id}\`` })
  for (const { permissions, name } of holders) {
    if (permissions === null || !writesAll(workflow, permissions)) continue
    const message = `${name} gives its token every permission there is (\`write-all\`).`
    emit({ rule: "excessive_permissions", ...rangeOf(permissions), message })
  }
  const triggers = privilegedTriggers(workflow)
  const open = workflow.jobs.filter((job) => job.permissions === null && job.uses === null)
  if (workflow.permissions !== null || triggers.length === 0 || open.length === 0) return
  const trigger = workflow.triggers.get(triggers[0]!)!
  emit({
    rule: "default_permissions",
    ...rangeOf(trigger.keyNode),
    message:
      `Anyone can cause \`${trigger.key}\`, and ${open.map(({ id }) => `\`${id}\``).join(", ")} ` +
      "sets no `permissions`: its token has the repository's default, often the right to write."
  })
}

const runsUntrustedCode = ["pull_request", "pull_request_target"]

const inspectRunner = (workflow: Workflow, job: Job, emit: Emit<RuleId>): void => {
  const trigger = runsUntrustedCode.find((name) => workflow.triggers.has(name))
  if (trigger === undefined || job.runsOnNode === null || isGuarded(job, null) || isApproved(workflow, job)) return
  if (!job.runsOn.some((label) => label.toLowerCase() === "self-hosted")) return
  const message = `Job \`${job.id}\` runs on \`self-hosted\` for \`${trigger}\`, so a pull request's code runs on that machine.`
  emit({ rule: "self_hosted_runner", ...rangeOf(job.runsOnNode), message, identifiers: [job.id] })
}

const wholeSecrets = (text: string): boolean =>
  text.includes("secrets") &&
  expressionsIn(text).some(({ contexts, start, end }) => {
    const inner = text.slice(start + 3, end - 2)
    return contexts.includes("secrets") && /\btojson\s*\(\s*secrets\s*\)/i.test(inner)
  })

const inspectSecrets = (workflow: Workflow, job: Job, emit: Emit<RuleId>): void => {
  const entries = [...job.env, ...job.steps.flatMap((step) => [...step.env, ...step.with])]
  for (const { key, value } of entries) {
    if (value === null || !wholeSecrets(scalarOf(workflow.document, value) ?? "")) continue
    const message = `\`${key}\` gets every secret of the repository in one value (\`toJSON(secrets)\`).`
    emit({ rule: "secrets_handed_out", ...rangeOf(value), message })
  }
  for (const { runNode, run } of job.steps) {
    if (run === null || runNode === null || !wholeSecrets(run)) continue
    const message = "This script gets every secret of the repository in one value (`toJSON(secrets)`)."
    emit({ rule: "secrets_handed_out", ...rangeOf(runNode), message })
  }
}

const inspectSwitches = (workflow: Workflow, job: Job, emit: Emit<RuleId>): void => {
  for (const { key, keyNode, value } of [...job.env, ...job.steps.flatMap(({ env }) => env)]) {
    if (key !== "ACTIONS_ALLOW_UNSECURE_COMMANDS" || !isTrue(workflow.document, value)) continue
    const message = `\`${key}\` lets printed text set variables in job \`${job.id}\`.`
    emit({ rule: "unsecure_commands", ...rangeOf(keyNode), message })
  }
}

const inspectWorkflowSwitch = (workflow: Workflow, emit: Emit<RuleId>): void => {
  for (const { key, keyNode, value } of workflow.env) {
    if (key !== "ACTIONS_ALLOW_UNSECURE_COMMANDS" || !isTrue(workflow.document, value)) continue
    emit({
      rule: "unsecure_commands",
      ...rangeOf(keyNode),
      message: `\`${key}\` lets printed text set variables in every job of this workflow.`
    })
  }
}

export const inspectPrivileges = (workflow: Workflow, emit: Emit<RuleId>): void => {
  if (!workflow.isAction) {
    inspectPermissions(workflow, emit)
    inspectWorkflowSwitch(workflow, emit)
  }
  for (const job of workflow.jobs) {
    inspectCheckouts(workflow, job, emit)
    inspectRunner(workflow, job, emit)
    inspectSecrets(workflow, job, emit)
    inspectSwitches(workflow, job, emit)
  }
}

/** Secrets other than the job's own token that are given to a step. */
export const givesSecrets = (workflow: Workflow, step: Step): boolean =>
  [...step.with, ...step.env].some(({ value }) =>
    expressionsIn(scalarOf(workflow.document, value) ?? "").some(({ contexts }) =>
      contexts.some((context) => context.startsWith("secrets.") && context !== "secrets.github_token")
    )
  )
