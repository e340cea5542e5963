import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { insertAt } from "../../../languages/edits/atMatch.ts"
import { enclosingFunction } from "../../../languages/syntax/vocabulary.ts"

/** `refresh()` as a statement becomes `await refresh()`. */
export default fixer({
  tool: "async_concurrency",
  rule: "coroutine_never_awaited",
  languages: ["python"],
  propose: ({ file, match }) => {
    const node = file.tree!.covering(match.start, match.end)
    if (enclosingFunction(file, node)?.isAsync !== true) {
      return declined("The function around the call is not async, so it cannot await.")
    }
    return { edits: [insertAt(match.start, "await ")], summary: "Await the coroutine" }
  }
})
