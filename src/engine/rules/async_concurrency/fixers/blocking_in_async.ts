import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { qualifiedName } from "../../../languages/code/qualifiedName.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { insertAt, matchedCall } from "../../../languages/edits/atMatch.ts"
import { importing } from "../../../languages/edits/importing.ts"
import type { Call } from "../../../languages/syntax/vocabulary.ts"

const summary = "Sleep without blocking the other tasks"

const inPython = ({ file }: FixSite, call: Call): Proposal => {
  const tree = file.tree!
  if (qualifiedName(file, call) !== "time.sleep") return declined("An asynchronous client has to take its place.")
  if (tree.enclosing(call.node, "lambda", "generator_expression") !== -1) return declined("A lambda cannot await.")
  const imported = importing(file, { module: "asyncio" })
  if (imported === null) return declined("The name `asyncio` means something else in this file.")
  return {
    edits: [...imported.edits, replacement(tree, tree.child(call.node, "function"), `await ${imported.local}.sleep`)],
    summary,
    unusedImports: [call.callee.split(".")[0]!]
  }
}

const inCsharp = ({ file }: FixSite, call: Call): Proposal => {
  const tree = file.tree!
  if (!/Thread\.Sleep$/.test(call.callee)) return declined("The type of the awaited value is not known.")
  if (!tree.is(tree.parent(call.node), "expression_statement")) return declined("The call is part of an expression.")
  if (tree.enclosing(call.node, "lock_statement") !== -1)
    return declined("A lock is held, in which nothing can be awaited.")
  const imported = importing(file, { module: "System.Threading.Tasks", name: "Task" })
  if (imported === null) return declined("The name `Task` means something else in this file.")
  return {
    edits: [...imported.edits, replacement(tree, tree.child(call.node, "function"), `await ${imported.local}.Delay`)],
    summary
  }
}

const inRust = ({ file }: FixSite, call: Call): Proposal => {
  const tree = file.tree!
  if (!/\btokio::/.test(file.text)) return declined("The runtime of the file is not known.")
  return {
    edits: [
      replacement(tree, tree.child(call.node, "function"), "tokio::time::sleep"),
      insertAt(tree.end(call.node), ".await")
    ],
    summary
  }
}

/** `time.sleep(1)` becomes `await asyncio.sleep(1)`, and the like in other languages. */
export default fixer({
  tool: "async_concurrency",
  rule: "blocking_in_async",
  languages: ["csharp", "python", "rust"],
  propose: (site) => {
    const call = matchedCall(site.file, site.match)
    if (call === undefined) return declined("The call is not found.")
    if (site.file.language === "python") return inPython(site, call)
    return site.file.language === "rust" ? inRust(site, call) : inCsharp(site, call)
  }
})
