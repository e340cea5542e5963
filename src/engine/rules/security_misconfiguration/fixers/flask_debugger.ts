import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { itemRemoval } from "../../../languages/edits/arguments.ts"
import { matchedCall } from "../../../languages/edits/atMatch.ts"

/** `app.run(debug=True)` becomes `app.run()`. */
export default fixer({
  tool: "security_misconfiguration",
  rule: "flask_debugger",
  languages: ["python"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const value = matchedCall(file, match)?.named.get("debug")
    if (value === undefined) return declined("The argument is not found.")
    const argument = tree.parent(value)
    return { edits: itemRemoval(file, tree.parent(argument), argument), summary: "Run without the debugger of Flask" }
  }
})
