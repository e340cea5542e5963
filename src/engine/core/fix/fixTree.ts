import type { TreeSource } from "../source/TreeSource.ts"
import { EditedTree } from "./EditedTree.ts"
import type { FixedFile, FixSettings, FixStatus, FixTarget } from "./FixRequest.ts"
import { Passes } from "./Passes.ts"
import { type FixParts, proposeFix } from "./proposeFix.ts"

export interface FixedTree {
  /** In the order of the findings. */
  readonly outcomes: ReadonlyArray<FixStatus>
  readonly files: ReadonlyArray<FixedFile>
}

/** Rule and fixer of a full rule id; null for a rule that has no fixer. */
export type LoadParts = (ruleId: string) => Promise<FixParts | null>

/** Fixes findings one after the other, each in the tree that the ones before it left. */
export const fixTree = async (
  source: TreeSource,
  targets: ReadonlyArray<FixTarget>,
  loadParts: LoadParts,
  settings: FixSettings
): Promise<FixedTree> => {
  const tree = new EditedTree(source)
  const passes = new Passes(tree, settings)
  const files = new Map<string, FixedFile>()
  const outcomes: Array<FixStatus> = []
  for (const target of targets) {
    const parts = await loadParts(target.rule_id)
    if (parts === null) {
      outcomes.push({ status: "no_fixer" })
      continue
    }
    const outcome = await proposeFix(tree, target, parts, settings, passes)
    if (outcome.status !== "proposed") {
      outcomes.push(outcome)
      continue
    }
    outcomes.push({ status: "proposed", summary: outcome.summary })
    for (const file of outcome.files) {
      tree.put(file.path, file.after)
      passes.forget(file.path)
      const first = files.get(file.path)
      files.set(file.path, first === undefined ? file : { ...first, after: file.after })
    }
  }
  return { outcomes, files: [...files.values()] }
}
