import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { insertAt } from "../../../languages/edits/atMatch.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** `var counts map[string]int` becomes `counts := make(map[string]int)`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "nil_map_write",
  languages: ["go"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const declaration = match.steps?.[0]
    const spec = tree.of("var_spec").find((node) => tree.start(node) === declaration?.start)
    if (spec === undefined) return declined("The map is a named result; where to initialise it is not certain.")
    const names = tree.childrenOfField(spec, "name")
    const type = tree.child(spec, "type")
    if (names.length !== 1 || type === NONE) return declined("Several maps are declared at once.")
    const made = `make(${tree.textOf(type)})`
    const statement = tree.parent(spec)
    const isAlone = tree.is(statement, "var_declaration") && /^var[ \t]+\w+[ \t]/.test(tree.textOf(statement))
    return {
      edits: [
        isAlone
          ? replacement(tree, statement, `${tree.textOf(names[0]!)} := ${made}`)
          : insertAt(tree.end(type), ` = ${made}`)
      ],
      summary: "Initialise the map"
    }
  }
})
