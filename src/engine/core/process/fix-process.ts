import { loadFixer } from "../../rules/fixers.ts"
import { fixTree, type LoadParts } from "../fix/fixTree.ts"
import { redactedDiff } from "../fix/redactedDiff.ts"
import { converse } from "./conversation.ts"
import { decodeFixRequest, type FixProcessResult } from "./requests/fixRequest.ts"

const loadParts: LoadParts = async (ruleId) => {
  const fixer = await loadFixer(ruleId)
  if (fixer === null) return null
  const { tools } = await import("../../rules/index.ts")
  const tool = tools.find(({ id }) => id === fixer.tool)
  return tool === undefined ? null : { tool, fixer }
}

/** Entry of the process that fixes findings: it returns the files as they would be, and changes none. */
converse(decodeFixRequest, async (source, { targets, ...settings }): Promise<FixProcessResult> => {
  const { outcomes, files } = await fixTree(source, targets, loadParts, settings)
  return {
    outcomes,
    files: files.map((file) => ({
      path: file.path,
      content: Buffer.from(file.after).toString("base64"),
      diff: redactedDiff(file)
    }))
  }
})
