import { NONE } from "../../../languages/tree/FlatTree.ts"
import type { Scope } from "../../values/Scope.ts"
import { deepTaintsOf, isLiteral, isTainted, PATH } from "../../values/Value.ts"
import { type Cleared, checkedHost, harmless } from "../checks.ts"
import { evaluate } from "../evaluate.ts"
import { type Run, roleOf } from "../Run.ts"

/** What it says of a value that it is in a list, a set or a map which the code itself keeps. */
export const inCollection = (run: Run, scope: Scope, list: number, item: number, found: Array<Cleared>): void => {
  if (list === NONE) return
  const value = evaluate(run, scope, list)
  // `root in full.parents`
  if (/\.parents$/.test(run.tree.textOf(list))) found.push({ node: list, kinds: PATH })
  // A piece of text is not a list: `"a" in sql` is about the text.
  if (run.tree.is(item, "string", "interpreted_string_literal", "string_literal")) return
  if (deepTaintsOf(value).some((taint) => taint.origin.kind === "source")) return
  found.push(...checkedHost(run, item), harmless(item))
}

/** `if known[name]`, `if _, ok := known[name]; ok` in Go, where maps of flags are sets. */
export const lookedUp = (run: Run, scope: Scope, node: number, found: Array<Cleared>): void => {
  const { tree } = run
  if (!tree.is(node, "index_expression")) return
  const list = tree.child(node, "operand")
  const key = tree.child(node, "index")
  if (key !== NONE && !isTainted(evaluate(run, scope, list))) inCollection(run, scope, list, key, found)
}

/** `isset($known[$name])`: the name is a key of the code's own list. */
export const keyOf = (run: Run, scope: Scope, at: number, found: Array<Cleared>): void => {
  if (roleOf(run, at) !== "subscript") return
  const [list, key] = run.tree.namedChildren(at)
  if (list !== undefined && key !== undefined) inCollection(run, scope, list, key, found)
}

/** `if ".." in name: raise`. */
export const lacksDots = (run: Run, scope: Scope, part: number, whole: number, found: Array<Cleared>): void => {
  const value = evaluate(run, scope, part)
  if (isLiteral(value) && /^(?:\.\.[\\/]?|[\\/])$/.test(value.text)) found.push({ node: whole, kinds: PATH })
}
