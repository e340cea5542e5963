import type { SourceFile } from "../../core/files/SourceFile.ts"
import { folderOf } from "../../core/text/paths.ts"
import { auditTool, type FileSummary } from "../../core/tool/AuditTool.ts"
import { type Block, terraformBlocks } from "../../languages/formats/terraform.ts"
import { inspectCredentials } from "./credentials.ts"
import { clusterAccess, clusterEndpoints, resourcePolicies, servicePermissions } from "./exposure.ts"
import { machines, modules, permissions, pods } from "./identity.ts"
import { databases, ingress, transport } from "./network.ts"
import type { Check, Problem } from "./Resource.ts"
import { rules } from "./rules.ts"
import { switches } from "./settings.ts"
import { backups, buckets, encryption } from "./storage.ts"

const checks: ReadonlyArray<Check> = [
  ingress,
  databases,
  transport,
  buckets,
  encryption,
  backups,
  permissions,
  machines,
  pods,
  modules,
  clusterEndpoints,
  clusterAccess,
  resourcePolicies,
  servicePermissions,
  switches
]

/** What one file adds to its module. */
interface ModuleFacts {
  readonly values: ReadonlyArray<readonly [name: string, text: string]>
  readonly blocks: ReadonlyArray<Block>
}

const isChecked = ({ type, labels }: Block): boolean =>
  type === "module" || (/^(?:resource|data)$/.test(type) && /^(?:aws|google|azurerm|kubernetes)_/.test(labels[0] ?? ""))

const factsOf = (file: SourceFile): ModuleFacts => {
  const blocks = terraformBlocks(file)
  const values: Array<readonly [string, string]> = []
  for (const { type, labels, attributes } of blocks) {
    const name = labels[0]
    if (type === "variable" && name !== undefined && attributes.default !== undefined) {
      values.push([`var.${name}`, attributes.default.text])
    }
    if (type === "locals") for (const [key, { text }] of Object.entries(attributes)) values.push([`local.${key}`, text])
  }
  return { values, blocks: blocks.filter(isChecked) }
}

const finish = (
  facts: ReadonlyArray<FileSummary<ModuleFacts>>,
  report: (path: string, problem: Problem) => void
): void => {
  const modulesByFolder = new Map<string, Map<string, string>>()
  for (const { path, facts: own } of facts) {
    const values = modulesByFolder.get(folderOf(path)) ?? new Map<string, string>()
    for (const [name, text] of own.values) values.set(name, text)
    modulesByFolder.set(folderOf(path), values)
  }
  for (const { path, facts: own } of facts) {
    const values = modulesByFolder.get(folderOf(path))!
    for (const block of own.blocks) {
      for (const check of checks) check(block, values, (problem) => report(path, problem))
    }
  }
}

export default auditTool({
  id: "infrastructure_as_code",
  suite: "full",
  kind: "finding",
  domain: "devops",
  category: "operations",
  priority: "P1",
  version: 4,
  redacts: true,
  rules,
  appliesTo: ({ path, language, role }) => language === "terraform" && role === "source" && path.endsWith(".tf"),
  mentions: /^[ \t]*(?:resource|module|variable|locals|data)\b/m,
  // A variable's default stands in another file of the module, so everything is judged once all are known.
  inspect: (file, emit) => {
    inspectCredentials(terraformBlocks(file), file.text, emit)
    const facts = factsOf(file)
    return facts.values.length === 0 && facts.blocks.length === 0 ? undefined : facts
  },
  finish: (facts, _project, emit) =>
    finish(facts, (path, { at, ...problem }) => emit(path, { ...problem, start: at.start, end: at.end }))
})
