import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { insertAt, matchedNode } from "../../../languages/edits/atMatch.ts"
import { literalValue } from "../../../languages/syntax/strings.ts"
import { calls } from "../../../languages/syntax/vocabulary.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** Functions of Go that do not format, with those that do; `line` ends the line, which a format has to do itself. */
const formatting: Readonly<Record<string, { readonly name: string; readonly line?: true }>> = {
  "fmt.Println": { name: "Printf", line: true },
  "fmt.Print": { name: "Printf" },
  "fmt.Sprintln": { name: "Sprintf", line: true },
  "fmt.Sprint": { name: "Sprintf" },
  "log.Println": { name: "Printf" },
  "log.Print": { name: "Printf" },
  "log.Fatal": { name: "Fatalf" },
  "log.Fatalln": { name: "Fatalf" }
}

/** `fmt.Println("%d", n)` becomes `fmt.Printf("%d\n", n)`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "format_mismatch",
  languages: ["go"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const node = matchedNode(tree, match, "call_expression")
    const call = calls(file).find((one) => one.node === node)
    const better = call === undefined ? undefined : formatting[call.callee]
    if (call === undefined || better === undefined) {
      return declined("Which value is missing, or which directive is too many, is not known.")
    }
    const format = call.args[0]!
    const directives = (literalValue(file, format) ?? "").replace(/%%/g, "").match(/%/g)?.length ?? 0
    if (directives !== call.args.length - 1) return declined("The number of values is not that of the directives.")
    const needsLine = better.line === true && !/\\n"$/.test(tree.textOf(format))
    if (needsLine && !tree.is(format, "interpreted_string_literal")) {
      return declined("The format is a raw string, which cannot end with a line break on one line.")
    }
    const name = tree.child(tree.child(node, "function"), "field")
    if (name === NONE) return declined("The name of the function is not found.")
    const line = needsLine ? [insertAt(tree.end(format) - 1, "\\n")] : []
    return { edits: [replacement(tree, name, better.name), ...line], summary: "Format the values" }
  }
})
