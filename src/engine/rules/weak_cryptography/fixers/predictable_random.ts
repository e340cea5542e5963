import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { matchedCall } from "../../../languages/edits/atMatch.ts"
import { type Call, calls, enclosingFunction } from "../../../languages/syntax/vocabulary.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { drawsOf } from "../randomness.ts"
import { securedDraw } from "../secureDraws.ts"

/** The other draws of the function, or of the statement outside of one: together they make the secret. */
const together = (file: SourceFile, call: Call): ReadonlyArray<Call> => {
  const tree = file.tree!
  const holder = enclosingFunction(file, call.node)?.node ?? NONE
  const isDraw = drawsOf(file)
  return calls(file).filter((other) => {
    if (other.node === call.node) return true
    const isInside =
      holder === NONE
        ? tree.enclosing(other.node, "expression_statement") === tree.enclosing(call.node, "expression_statement")
        : tree.contains(holder, other.node)
    return isInside && isDraw(other)
  })
}

/** Draws from the system's generator, where a call has the same result. */
export default fixer({
  tool: "weak_cryptography",
  rule: "predictable_random",
  languages: ["java", "javascript", "php", "python", "ruby"],
  propose: ({ file, match }) => {
    const call = matchedCall(file, match)
    if (call === undefined) return declined("The call is not found.")
    const draws = together(file, call).map((one) => securedDraw(file, one))
    const found = draws.flatMap((draw) => draw ?? [])
    if (found.length < draws.length) {
      return declined("No call of the system's generator gives a value of the same form here.")
    }
    const edits = found.flatMap((draw) => draw.edits)
    return {
      // Several draws need one import.
      edits: edits.filter(
        (edit, i) =>
          edits.findIndex(
            ({ start, end, text }) => `${start} ${end} ${text}` === `${edit.start} ${edit.end} ${edit.text}`
          ) === i
      ),
      summary: "Draw the secret from the system's generator",
      unusedImports: found.flatMap(({ unusedImports = [] }) => unusedImports)
    }
  }
})
