import { isMap, type Node } from "yaml"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { imageOf } from "../../languages/formats/dockerfile.ts"
import type { Job, Step, Workflow } from "../../languages/formats/githubActions.ts"
import { expressionsIn } from "../../languages/formats/workflowExpressions.ts"
import { entriesOf, isTrue, rangeOf, scalarOf, valueAt } from "../../languages/formats/yaml.ts"
import type { RuleId } from "./rules.ts"
import { privilegedTriggers } from "./untrusted.ts"

const textOf = (workflow: Workflow, step: Step, key: string): string => {
  const entry = step.with.find((one) => one.key === key)
  return entry === undefined ? "" : (scalarOf(workflow.document, entry.value) ?? "")
}

const isTrueInput = (workflow: Workflow, step: Step, key: string): boolean =>
  step.with.some((entry) => entry.key === key && isTrue(workflow.document, entry.value))

const wholeTree = /^\s*(?:\.\/?|\.\/?\*\*?|\*\*|\$\{\{\s*github\.workspace\s*\}\}\/?)\s*$/m

const inspectArtifacts = (workflow: Workflow, job: Job, emit: Emit<RuleId>): void => {
  const checkout = job.steps.find(({ uses }) => /^actions\/checkout@/i.test(uses ?? ""))
  if (checkout === undefined || textOf(workflow, checkout, "persist-credentials") === "false") return
  for (const step of job.steps) {
    if (!/^actions\/upload-artifact@/i.test(step.uses ?? "") || step.usesNode === null) continue
    if (!isTrueInput(workflow, step, "include-hidden-files") || !wholeTree.test(textOf(workflow, step, "path")))
      continue
    const message = `Job \`${job.id}\` uploads the whole tree with \`.git/config\`, which holds the job's token.`
    emit({ rule: "credentials_in_artifact", ...rangeOf(step.usesNode), message, identifiers: [job.id] })
  }
}

const publishes =
  /(?:^|[\s;&|])(?:(?:npm|pnpm|yarn(?:\s+npm)?)\s+publish|cargo\s+publish|twine\s+upload|uv\s+publish|poetry\s+publish|gem\s+push|goreleaser\s+release)\b/
const publishesAction =
  /^(?:pypa\/gh-action-pypi-publish|softprops\/action-gh-release|goreleaser\/goreleaser-action|ncipollo\/release-action|js-devtools\/npm-publish)@/i

const isRelease = (workflow: Workflow): boolean => {
  if (workflow.triggers.has("release")) return workflow.triggers.size === 1
  const push = workflow.triggers.get("push")?.value ?? null
  if (push === null || workflow.triggers.size > 2) return false
  return valueAt(workflow.document, push, "tags") !== null && valueAt(workflow.document, push, "branches") === null
}

const inspectCaches = (workflow: Workflow, job: Job, emit: Emit<RuleId>): void => {
  if (!job.steps.some(({ run, uses }) => publishes.test(run ?? "") || publishesAction.test(uses ?? ""))) return
  const cached = job.steps.find(
    (step) =>
      /^(?:actions\/cache(?:\/restore)?|swatinem\/rust-cache)@/i.test(step.uses ?? "") ||
      (/^actions\/setup-(?:node|python|java)@/i.test(step.uses ?? "") &&
        !/^(?:false)?$/.test(textOf(workflow, step, "cache")))
  )
  if (cached === undefined || cached.usesNode === null) return
  const action = cached.uses!.split("@", 1)[0]!
  const message = `Job \`${job.id}\` publishes what it built on top of a cache that other workflows fill.`
  emit({ rule: "cached_release_build", ...rangeOf(cached.usesNode), message, noun: action, identity: action })
}

const inspectTokens = (workflow: Workflow, job: Job, emit: Emit<RuleId>): void => {
  for (const step of job.steps) {
    if (step.usesNode === null || !/^pypa\/gh-action-pypi-publish@/i.test(step.uses ?? "")) continue
    const password = textOf(workflow, step, "password")
    const index = textOf(workflow, step, "repository-url") || textOf(workflow, step, "repository_url")
    if (!/\bsecrets\./.test(password) || (index !== "" && !/^https:\/\/(?:upload|test)\.pypi\.org\//.test(index)))
      continue
    const message = `Job \`${job.id}\` publishes with a token that is valid until someone revokes it.`
    const noun = step.uses!.split("@", 1)[0]!
    emit({ rule: "long_lived_publish_token", ...rangeOf(step.usesNode), message, noun, identity: noun })
  }
}

/** The job's container and its services, as image reference and credentials. */
const containersOf = ({ document }: Workflow, job: Job): ReadonlyArray<Node> => {
  if (!isMap(job.node)) return []
  const container = valueAt(document, job.node, "container")
  const services = entriesOf(document, valueAt(document, job.node, "services")).map(({ value }) => value)
  return [container, ...services].filter((node) => node !== null)
}

const inspectContainers = (workflow: Workflow, job: Job, emit: Emit<RuleId>): void => {
  const { document } = workflow
  for (const container of containersOf(workflow, job)) {
    const node = isMap(container) ? valueAt(document, container, "image") : container
    const image = imageOf((scalarOf(document, node) ?? "").replace(/^docker:\/\//, ""))
    if (node !== null && image !== null && image.digest === null && (image.tag === null || image.tag === "latest")) {
      const message = `Job \`${job.id}\` runs whatever \`${image.name}\` is on that day.`
      const noun = image.tag === null ? image.name : `${image.name}:${image.tag}`
      emit({ rule: "unpinned_job_image", ...rangeOf(node), message, noun, subject: image.name, identity: image.name })
    }
    const password = valueAt(document, container, "credentials", "password")
    const text = scalarOf(document, password) ?? ""
    if (password === null || text === "" || text.includes("${{")) continue
    const { start, end } = rangeOf(password)
    const message = `The registry password of job \`${job.id}\` is written out in the file.`
    emit({ rule: "container_credential", start, end, message, noun: "password", redact: [[start, end]] })
  }
}

const structuredSecret = /\bfromjson\s*\(\s*secrets\.(\w{1,100})\s*\)\s*[.[]/i

const inspectMasks = (workflow: Workflow, job: Job, emit: Emit<RuleId>): void => {
  const holders = [...job.env, ...job.steps.flatMap(({ env, with: inputs }) => [...env, ...inputs])]
  const values = holders.map(({ value }) => value).concat(job.steps.map(({ runNode }) => runNode))
  const reported = new Set<string>()
  for (const value of values) {
    const match = value === null ? null : structuredSecret.exec(scalarOf(workflow.document, value) ?? "")
    if (value === null || match === null || reported.has(match[1]!)) continue
    reported.add(match[1]!)
    const message = `Logs do not mask a field of \`${match[1]!}\`, only its whole text.`
    emit({ rule: "unmasked_secret", ...rangeOf(value), message, noun: match[1]!, identifiers: [match[1]!] })
  }
}

const inspectInputs = (job: Job, emit: Emit<RuleId>): void => {
  for (const { run, runNode, shell } of job.steps) {
    if (run === null || runNode === null || /python|pwsh|powershell|cmd/.test(shell ?? "")) continue
    const names = expressionsIn(run).flatMap(({ contexts }) => contexts.filter((one) => one.startsWith("inputs.")))
    if (names.length === 0) continue
    const list = [...new Set(names)].slice(0, 5).map((name) => `\`${name}\``)
    const message = `${list.join(", ")} ${list.length === 1 ? "is" : "are"} pasted into this script before the shell reads it.`
    emit({ rule: "input_in_script", ...rangeOf(runNode), message, noun: names[0]! })
    return
  }
}

const inspectDefaultToken = (workflow: Workflow, emit: Emit<RuleId>): void => {
  if (workflow.permissions !== null || privilegedTriggers(workflow).length > 0 || workflow.triggers.size === 0) return
  const open = workflow.jobs.filter((job) => job.permissions === null && job.uses === null)
  const first = open[0]
  if (first === undefined || (workflow.triggers.size === 1 && workflow.triggers.has("workflow_call"))) return
  const message = `${open.length === 1 ? `Job \`${first.id}\` uses` : `${open.length} jobs of this workflow use`} the repository's default permissions.`
  emit({ rule: "no_permissions", ...rangeOf(first.keyNode), message, noun: "permissions", subject: "permissions" })
}

/** What a workflow gives to others: its token, its credentials, its artifacts. */
export const inspectExposure = (workflow: Workflow, emit: Emit<RuleId>): void => {
  if (!workflow.isAction) inspectDefaultToken(workflow, emit)
  const released = !workflow.isAction && isRelease(workflow)
  for (const job of workflow.jobs) {
    inspectArtifacts(workflow, job, emit)
    if (released) inspectCaches(workflow, job, emit)
    inspectTokens(workflow, job, emit)
    inspectContainers(workflow, job, emit)
    inspectMasks(workflow, job, emit)
    if (workflow.isAction) inspectInputs(job, emit)
  }
}
