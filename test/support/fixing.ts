import type { FixOutcome } from "../../src/engine/core/fix/FixRequest.ts"
import { proposeFix } from "../../src/engine/core/fix/proposeFix.ts"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import type { Finding } from "../../src/engine/core/scan/ScanResult.ts"
import type { AuditTool } from "../../src/engine/core/tool/AuditTool.ts"
import { loadFixer } from "../../src/engine/rules/fixers.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { treeOf } from "./audit.ts"
import type { Tree } from "./fixFixtures.ts"

/** What an audit finds in a tree, with every tool unless others are given, and with rules switched on that are off by default. */
export const findingsIn = async (
  tree: Tree,
  {
    rulesOn = [],
    by = tools
  }: { readonly rulesOn?: ReadonlyArray<string>; readonly by?: ReadonlyArray<AuditTool> } = {}
): Promise<ReadonlyArray<Finding>> => {
  const options = { suite: "full", suggestions: true, tools: by, rulesOn } as const
  const { findings, tool_failures } = await scan(treeOf(tree), options)
  if (tool_failures.length > 0) throw new Error(JSON.stringify(tool_failures))
  return findings
}

const toolOf = (rule: string) => tools.find(({ id }) => rule.startsWith(`${id}.`))

export const proposalFor = async (tree: Tree, finding: Finding): Promise<FixOutcome> => {
  const fixer = await loadFixer(finding.rule_id)
  const tool = toolOf(finding.rule_id)
  if (fixer === null || tool === undefined) throw new Error(`There is no fixer of ${finding.rule_id}.`)
  return proposeFix(treeOf(tree), { rule_id: finding.rule_id, finding }, { tool, fixer })
}

/** The tree after all findings of a rule were fixed, one after the other, and what was declined. */
export const fixedTree = async (
  before: Tree,
  rule: string
): Promise<{
  readonly tree: Tree
  readonly fixed: ReadonlyArray<Finding>
  readonly declined: ReadonlyArray<string>
}> => {
  const tool = toolOf(rule)
  const options = { rulesOn: [rule], by: tool === undefined ? [] : [tool] }
  let tree = before
  const fixed: Array<Finding> = []
  const declined = new Map<string, string>()
  for (let round = 0; round < 50; round++) {
    const open = (await findingsIn(tree, options)).find(
      ({ rule_id, signatures }) => rule_id === rule && !declined.has(signatures.located)
    )
    if (open === undefined) return { tree, fixed, declined: [...declined.values()] }
    const outcome = await proposalFor(tree, open)
    if (outcome.status === "proposed") {
      fixed.push(open)
      tree = { ...tree, ...Object.fromEntries(outcome.files.map(({ path, after }) => [path, Buffer.from(after)])) }
    } else declined.set(open.signatures.located, outcome.status === "declined" ? outcome.reason : outcome.status)
  }
  throw new Error(`${rule} still matches after 50 fixes.`)
}
