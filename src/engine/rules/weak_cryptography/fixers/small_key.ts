import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { entryNamed, replacement } from "../../../languages/edits/arguments.ts"
import { matchedCall } from "../../../languages/edits/atMatch.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

const TOO_FEW = /^(?:256|384|512|768|1024|1536)$/

/** Keys of 3072 bits, where the number is written in the call. */
export default fixer({
  tool: "weak_cryptography",
  rule: "small_key",
  languages: ["go", "java", "javascript", "python", "ruby"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const call = matchedCall(file, match)
    if (call === undefined) return declined("The call is not found.")
    const options = call.args.filter((node) => tree.is(node, "object"))
    const entries = options.map((node) => tree.child(entryNamed(tree, node, "modulusLength"), "value"))
    const size = [...call.args, ...call.named.values(), ...entries].find((node) => TOO_FEW.test(tree.textOf(node)))
    if (size === undefined || size === NONE) return declined("The size comes from somewhere else.")
    return { edits: [replacement(tree, size, "3072")], summary: "Generate keys of 3072 bits" }
  }
})
