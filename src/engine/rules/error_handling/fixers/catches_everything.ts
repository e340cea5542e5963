import { declined, type Edit, type FixSite, fixer } from "../../../core/fix/Fixer.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { insertAt } from "../../../languages/edits/atMatch.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** Work that has to be done for an interruption, too. */
const cleansUp =
  /\b(?:rollback|close|cleanup|clean_up|unlink|remove|rmtree|release|kill|terminate|delete|restore|undo|shutdown|stop|cancel|disconnect|abort|reset|unlock|teardown)\w*\b/i

const narrowed = ({ file, match }: FixSite): Edit | null => {
  const tree = file.tree!
  const isPython = file.language === "python"
  const clause = [...tree.of(isPython ? "except_clause" : "rescue")].find(
    (node) => tree.isNamed(node) && tree.start(node) === match.start
  )
  if (clause === undefined) return null
  if (!isPython) {
    const [only, ...more] = tree.namedChildren(tree.child(clause, "exceptions"))
    return only === undefined || more.length > 0 ? null : replacement(tree, only, "StandardError")
  }
  const pattern = tree.namedChildren(clause).find((node) => !tree.is(node, "block"))
  if (pattern === undefined) return insertAt(tree.start(clause) + "except".length, " Exception")
  const type = tree.is(pattern, "as_pattern") ? tree.firstChild(pattern) : pattern
  return tree.is(type, "identifier") && type !== NONE ? replacement(tree, type, "Exception") : null
}

const bodyOf = ({ file, match }: FixSite): string => {
  const tree = file.tree!
  const clause = tree.enclosing(tree.covering(match.start, match.start + 1), "except_clause", "rescue")
  return tree.textOf(clause)
}

/** `except:` becomes `except Exception:`, which lets interruptions and exits pass. */
export default fixer({
  tool: "error_handling",
  rule: "catches_everything",
  languages: ["python", "ruby"],
  propose: (site) => {
    if (cleansUp.test(bodyOf(site))) return declined("The handler cleans up, which an interruption needs as well.")
    const edit = narrowed(site)
    if (edit === null) return declined("The handler lists several types.")
    return { edits: [edit], summary: "Let interruptions and exits pass the handler" }
  }
})
