import { isMap, type Node } from "yaml"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { entriesOf, itemsOf, scalarOf, textAt, valueAt, type YamlDocument, type YamlEntry, yamlOf } from "./yaml.ts"

export interface Step {
  readonly node: Node
  readonly uses: string | null
  readonly usesNode: Node | null
  readonly run: string | null
  readonly runNode: Node | null
  readonly shell: string | null
  readonly condition: string
  readonly with: ReadonlyArray<YamlEntry>
  readonly env: ReadonlyArray<YamlEntry>
}

export interface Job {
  readonly id: string
  readonly keyNode: Node
  readonly node: Node
  readonly condition: string
  readonly permissions: Node | null
  readonly runsOn: ReadonlyArray<string>
  readonly runsOnNode: Node | null
  readonly environment: boolean
  readonly uses: string | null
  readonly usesNode: Node | null
  readonly secrets: Node | null
  readonly env: ReadonlyArray<YamlEntry>
  readonly steps: ReadonlyArray<Step>
}

/** A workflow, or a composite action as one job whose triggers are not known. */
export interface Workflow {
  readonly document: YamlDocument
  readonly isAction: boolean
  /** Event names with the node of each; empty for an action. */
  readonly triggers: ReadonlyMap<string, YamlEntry>
  readonly permissions: Node | null
  readonly env: ReadonlyArray<YamlEntry>
  readonly jobs: ReadonlyArray<Job>
}

/** The code host reads the folder at the root only; a copy further down belongs to another project and never runs. */
const workflowPath = /^\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/
const actionPath = /(?:^|\/)action\.ya?ml$/

export const isWorkflowPath = (path: string): boolean => workflowPath.test(path) || actionPath.test(path)

const stepOf = (document: YamlDocument, node: Node): Step => {
  const usesNode = valueAt(document, node, "uses")
  const runNode = valueAt(document, node, "run")
  return {
    node,
    usesNode,
    runNode,
    uses: scalarOf(document, usesNode),
    run: scalarOf(document, runNode),
    shell: textAt(document, node, "shell"),
    condition: textAt(document, node, "if") ?? "",
    with: entriesOf(document, valueAt(document, node, "with")),
    env: entriesOf(document, valueAt(document, node, "env"))
  }
}

const stepsOf = (document: YamlDocument, node: Node | null): ReadonlyArray<Step> =>
  itemsOf(document, node)
    .filter((item) => isMap(item))
    .map((item) => stepOf(document, item))

const jobOf = (document: YamlDocument, { key, keyNode, value }: YamlEntry): Job | null => {
  if (value === null || !isMap(value)) return null
  const at = (name: string) => valueAt(document, value, name)
  const runsOnNode = at("runs-on")
  const labels = isMap(runsOnNode) ? valueAt(document, runsOnNode, "labels") : runsOnNode
  return {
    id: key,
    keyNode,
    node: value,
    condition: scalarOf(document, at("if")) ?? "",
    permissions: at("permissions"),
    runsOn: itemsOf(document, labels, true).map((item) => scalarOf(document, item) ?? ""),
    runsOnNode,
    environment: at("environment") !== null,
    uses: scalarOf(document, at("uses")),
    usesNode: at("uses"),
    secrets: at("secrets"),
    env: entriesOf(document, at("env")),
    steps: stepsOf(document, at("steps"))
  }
}

const triggersOf = (document: YamlDocument, node: Node | null): Map<string, YamlEntry> => {
  const triggers = new Map<string, YamlEntry>()
  if (isMap(node)) for (const entry of entriesOf(document, node)) triggers.set(entry.key, entry)
  else {
    for (const item of itemsOf(document, node, true)) {
      const key = scalarOf(document, item)
      if (key !== null) triggers.set(key, { key, keyNode: item, value: null })
    }
  }
  return triggers
}

const actionOf = (document: YamlDocument): Workflow | null => {
  const runs = valueAt(document, document.root, "runs")
  if (runs === null || textAt(document, runs, "using") !== "composite") return null
  const job: Job = {
    id: "runs",
    keyNode: runs,
    node: runs,
    condition: "",
    permissions: null,
    runsOn: [],
    runsOnNode: null,
    environment: false,
    uses: null,
    usesNode: null,
    secrets: null,
    env: [],
    steps: stepsOf(document, valueAt(document, runs, "steps"))
  }
  return { document, isAction: true, triggers: new Map(), permissions: null, env: [], jobs: [job] }
}

const read = (file: SourceFile): Workflow | null => {
  if (!isWorkflowPath(file.path)) return null
  const [document] = yamlOf(file).documents
  if (document === undefined || !isMap(document.root)) return null
  if (!workflowPath.test(file.path)) return actionOf(document)
  const jobs = valueAt(document, document.root, "jobs")
  if (!isMap(jobs)) return null
  return {
    document,
    isAction: false,
    triggers: triggersOf(document, valueAt(document, document.root, "on")),
    permissions: valueAt(document, document.root, "permissions"),
    env: entriesOf(document, valueAt(document, document.root, "env")),
    jobs: entriesOf(document, jobs)
      .map((entry) => jobOf(document, entry))
      .filter((job) => job !== null)
  }
}

/** A GitHub Actions workflow or composite action; null for anything else. */
export const workflowOf = (file: SourceFile): Workflow | null => file.memo(read, read)
