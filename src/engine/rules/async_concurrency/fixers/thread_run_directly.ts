import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { matchedNode } from "../../../languages/edits/atMatch.ts"
import { calls } from "../../../languages/syntax/vocabulary.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** `thread.run()` becomes `thread.start()`. */
export default fixer({
  tool: "async_concurrency",
  rule: "thread_run_directly",
  languages: ["java"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const node = matchedNode(tree, match, "method_invocation")
    const name = tree.child(node, "name")
    if (name === NONE) return declined("The call is not found.")
    const receiver = tree.textOf(tree.child(node, "object"))
    if (calls(file).some((call) => call.method === "start" && call.receiver === receiver)) {
      return declined("The thread is started elsewhere, and a thread can be started only once.")
    }
    return { edits: [replacement(tree, name, "start")], summary: "Start the thread" }
  }
})
